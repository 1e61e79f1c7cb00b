"""What the simulated Bridge's journal must show after every case: no command but the allowed ones, no flag changed, nothing sent."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from pydantic import Field

from conformance.model import Closed, Json

_FILE: Final = Path(__file__).with_name("profiles.json")
_MARKS_AS_READ: Final = re.compile(r"(?<![\w.])(?:BODY\[|RFC822(?:\.TEXT)?(?![.\w]))", re.IGNORECASE)


class AllowedSet(Closed):
    """A named set of commands, and the mailboxes that may change."""

    about: str
    commands: list[str]
    writes_to: list[str] = Field(default=[])


class _Profiles(Closed):
    about: str
    sets: dict[str, AllowedSet]


@cache
def allowed_sets() -> dict[str, AllowedSet]:
    """All sets of profiles.json by name."""
    return _Profiles.from_file(_FILE).sets


def offences(journal: Sequence[dict[str, Json]], *, allowed: str) -> Iterator[str]:
    """Each entry that breaks the set, as a sentence."""
    rule = allowed_sets()[allowed]
    for entry in journal:
        match entry:
            case {"kind": "command", "verb": str(verb)}:
                line = str(entry.get("line", ""))
                if verb not in rule.commands:
                    yield f"the server sent {verb}, which {allowed} does not allow"
                if verb.endswith("FETCH") and _MARKS_AS_READ.search(line):
                    yield f"the server fetched without PEEK: {line[:200]}"
            case {"kind": "flags", "mailbox": mailbox, "uid": uid} if mailbox not in rule.writes_to:
                yield f"a flag of uid {uid} in {mailbox} changed"
            case {"kind": "append", "mailbox": mailbox} if mailbox not in rule.writes_to:
                yield f"a message was stored in {mailbox}"
            case {"kind": "smtp"}:
                yield "somebody spoke to the SMTP port"
            case _:
                pass


def still_used(journal: Sequence[dict[str, Json]]) -> Iterator[str]:
    """Each command on a connection behind the last fault that was met there, as a sentence; also when none was, or nothing served since.

    The command that met the fault is known by its tag.
    """
    broken: dict[Json, dict[str, Json]] = {}
    last = 0
    for entry in journal:
        if entry["kind"] == "fault" and entry.get("session") is not None:
            broken[entry["session"]] = entry
            last = entry["n"]
    if not broken:
        yield "no fault was met"
        return
    commands = [entry for entry in journal if entry["kind"] == "command"]
    for entry in commands:
        fault = broken.get(entry["session"])
        if fault is not None and entry["n"] > fault["n"] and entry["tag"] != fault["tag"]:
            yield f"the server sent {entry['verb']} on a connection on which {fault['do']} had been met"
    if not any(entry["n"] > last and entry["session"] not in broken for entry in commands):
        yield "no other connection has been used since the fault"
