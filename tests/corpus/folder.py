"""What the folder holds: mails.tar.xz, manifest.json (ids and SHA-256), expected.json (facts)."""

from __future__ import annotations

import hashlib
import json
import tarfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from tests.served import mailbox


class UnusableFolder(Exception):
    """The folder cannot be measured with; `str()` says why."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact that a mail's own project states. `field` and `value` are as in expected.json."""

    field: str
    value: Any
    grade: Literal["firm", "lenient"]


@dataclass(frozen=True, slots=True)
class Mail:
    """One mail as it is served, and its facts."""

    id: str
    octets: bytes
    facts: tuple[Fact, ...]


def read(folder: Path) -> tuple[Mail, ...]:
    """Every mail of the manifest, in its order. Raises UnusableFolder for a missing or another file."""
    try:
        manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["messages"]
        expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))["messages"]
        files = _files(folder / "mails.tar.xz")
    except (OSError, ValueError, KeyError, tarfile.TarError) as trouble:
        raise UnusableFolder(f"{folder} holds no mails.tar.xz, manifest.json and expected.json: {trouble}") from trouble
    facts = {row["id"]: tuple(Fact(one["field"], one["value"], one["grade"]) for one in row["facts"]) for row in expected}
    if strange := facts.keys() - {row["id"] for row in manifest}:
        raise UnusableFolder(f"expected.json speaks of mails that manifest.json does not name: {sorted(strange)[:3]}")
    return tuple(Mail(row["id"], _delivered(row, files), facts.get(row["id"], ())) for row in manifest)


def _files(archive: Path) -> dict[str, bytes]:
    """The regular files of the archive by their name, read into memory: nothing is written anywhere."""
    found: dict[str, bytes] = {}
    with tarfile.open(archive, "r:xz") as mails:
        for member in mails:
            octets = mails.extractfile(member) if member.isfile() else None
            if octets is not None:
                found[member.name.removeprefix("./")] = octets.read()
    return found


def _delivered(row: dict[str, str], files: dict[str, bytes]) -> bytes:
    octets = files.get(row["id"])
    if octets is None or hashlib.sha256(octets).hexdigest() != row["sha256"]:
        raise UnusableFolder(f"{row['id']} is missing, or is another file than manifest.json says")
    return mailbox.delivered(octets)
