"""The same measurements on fakebridge: a mailbox of the same size, its last hundred places filled with the same letters."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bench.dovecot import Served, write_certificate
from bench.mailbox import USER, placed

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT: Final = Path(__file__).parent.parent
_OCTETS: Final = 5_000
_LAST: Final = 100


@contextlib.contextmanager
def running(folder: Path, count: int) -> Iterator[Served]:
    """A fakebridge while inside."""
    folder.mkdir(exist_ok=True)
    if not (folder / "key.pem").exists():
        write_certificate(folder)
    path = folder / f"world-{count}.json"
    uids = _write_world(path, count)
    process = subprocess.Popen(  # noqa: S603 - our own interpreter and module
        [sys.executable, "-m", "fakebridge", "serve", "--control", "--world", str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    try:
        ready = json.loads(process.stdout.readline() if process.stdout else "")
        yield Served("fakebridge", ready["imap"], ready["addresses"][0], ready["password"], count, uids, folder)
    finally:
        process.kill()
        process.communicate()


def _write_world(path: Path, count: int) -> dict[str, int]:
    """The mass by a recipe, the letters that are read by uid as files beside the world; gives the uids."""
    rows: list[dict[str, object]] = [{"recipe": {"kind": "bulk", "count": count - _LAST, "seed": 1, "octets": _OCTETS}}]
    uids: dict[str, int] = {}
    # The last hundred letters of the mailbox of this size, without making the others.
    for place, letter in enumerate(placed(count, first=count - _LAST), count - _LAST + 1):
        file = path.parent / f"letter-{count}-{place}.eml"
        file.write_bytes(letter.octets)
        rows.append(
            {
                "file": file.name,
                "flags": ["\\Seen"] if letter.seen else [],
                "internal_date": letter.received.strftime("%d-%b-%Y %H:%M:%S %z"),
            }
        )
        if letter.name:
            uids[letter.name] = place
    world = {"addresses": [{"address": USER, "display_name": "Bench"}], "seed": 1, "mailboxes": {"INBOX": rows}}
    path.write_text(json.dumps(world), encoding="utf-8")
    return uids
