"""A world whose INBOX holds given octets, each served as it stands: UID n is the n-th mail, the last one the newest."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

_FIRST: Final = datetime(2026, 1, 1, tzinfo=UTC)
_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_LINE_END: Final = re.compile(rb"\r\n|\n")


def delivered(octets: bytes) -> bytes:
    """A mail out of a file as it stands in a mailbox: lines end with CR LF, the `From ` line of an mbox file is gone.

    A file without a single LF has the line ends of old Macs.
    """
    if b"\n" not in octets:
        octets = octets.replace(b"\r", b"\n")
    if octets.startswith(b"From "):
        octets = octets.partition(b"\n")[2]
    return _LINE_END.sub(b"\r\n", octets)


def write(mails: Sequence[bytes], folder: Path) -> Path:
    """Write the world into `folder`; gives the path of its world.json."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = []
    for number, octets in enumerate(mails, 1):
        name = f"{number}.eml"
        (folder / name).write_bytes(octets)
        at = _FIRST + timedelta(minutes=number)
        date = f"{at.day:02d}-{_MONTHS[at.month - 1]}-{at.year} {at:%H:%M:%S} +0000"
        rows.append({"file": name, "as_served": True, "internal_date": date, "flags": []})
    world = {
        "about": "Mails as they are served.",
        "now": "2026-12-01T09:00:00+00:00",
        "seed": 1,
        "uid_validity": 120_900_000,
        "password": "world-password-inert00",
        "addresses": [{"address": "ada@keller.example", "display_name": "Ada Keller", "enabled": True}],
        "folders": [],
        "labels": [],
        "mailboxes": {"INBOX": rows},
    }
    path = folder / "world.json"
    path.write_text(json.dumps(world, indent=1), encoding="utf-8")
    return path
