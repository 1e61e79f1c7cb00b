"""The recorded dialogues as values: rows, mails, and what varies from run to run given one name.

Reading only; what is compared with what stands in the tests.
"""

import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).resolve().parent / "dialogues"
_UUID: Final = re.compile(rb"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b")
_BOUNDARY: Final = re.compile(rb"\b[0-9a-f]{64}\b")
_LITERAL: Final = re.compile(rb"\{(\d+)\}\r\n")


@dataclass(frozen=True, slots=True)
class Row:
    """One row: which connection, ``C``, ``S``, ``#`` or ``!``, and the octets."""

    connection: int
    direction: str
    octets: bytes


@cache
def rows(number: str) -> tuple[Row, ...]:
    """The rows of the dialogue with that number."""
    (path,) = HERE.glob(f"{number}-*.json")
    recorded = json.loads(path.read_text(encoding="utf-8"))["rows"]
    return tuple(Row(connection, direction, text.encode("latin-1")) for connection, direction, text in recorded)


@cache
def inbox() -> tuple[bytes, ...]:
    """The mails as Bridge served them, in UID order."""
    return tuple(path.read_bytes() for path in sorted((HERE / "inbox").glob("*.eml")))


@cache
def originals() -> tuple[bytes, ...]:
    """The mails as they were imported; the first one has the highest UID."""
    return tuple(path.read_bytes() for path in sorted((HERE / "originals").glob("*.eml")))


def named(octets: bytes) -> bytes:
    """The octets with ids and boundaries named in order of appearance, so that equal stays equal."""
    seen: dict[bytes, bytes] = {}
    for kind, pattern in ((b"UUID", _UUID), (b"BOUNDARY", _BOUNDARY)):
        for value in pattern.findall(octets):
            seen.setdefault(value, kind + b"%d" % len(seen))
        octets = pattern.sub(lambda found: seen[found.group()], octets)
    return octets


def literal_of(octets: bytes) -> bytes:
    """The literal in an answer."""
    found = _LITERAL.search(octets)
    assert found is not None
    return octets[found.end() : found.end() + int(found.group(1))]


def appended(number: str, mailbox: str) -> tuple[tuple[bytes, bytes], ...]:
    """Literals appended to a mailbox, each with the answer to it (a NO may have a line of its own behind it)."""
    recorded = rows(number)
    found: list[tuple[bytes, bytes]] = []
    for at, row in enumerate(recorded):
        command = re.match(rb'(\S+) APPEND "?%b"? .*\{(\d+)\}\r\n' % mailbox.encode(), row.octets)
        if row.direction != "C" or command is None:
            continue
        sent = next(later for later in recorded[at + 1 :] if later.direction == "C")
        start = recorded.index(sent)
        answer = next(place for place in range(start, len(recorded)) if recorded[place].octets.startswith(command.group(1) + b" "))
        text = recorded[answer].octets
        said_next = next((later.octets for later in recorded[answer + 1 :] if later.direction == "S"), b"")
        if said_next == b"\r\n":
            text += said_next
        found.append((sent.octets[: int(command.group(2))], text.split(b" ", 1)[1]))
    return tuple(found)


def fetched(number: str) -> dict[int, bytes]:
    """Whole messages that were fetched, by sequence number."""
    found = {}
    for row in rows(number):
        answer = re.match(rb"\* (\d+) FETCH \((?:FLAGS \([^)]*\) )?BODY\[\] \{", row.octets)
        if row.direction == "S" and answer is not None and b"X-Pm-Gluon-Id" in row.octets:
            found[int(answer.group(1))] = literal_of(row.octets)
    return found
