"""What may differ between two runs of the same Bridge, as data, and rows without it.

Named values (ids, boundaries, UIDVALIDITYs) are numbered in the order of their appearance, so that equal stays equal and different stays
different. Everything else that varies becomes a constant. Literal lengths are counted again afterwards.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Final

DIALOGUES: Final = Path(__file__).resolve().parent.parent / "dialogues"

HEX: Final = "[0-9a-f]"
NAMED: Final = {
    "UUID": rf"\b{HEX}{{8}}(?:-{HEX}{{4}}){{3}}-{HEX}{{12}}\b",
    "BOUNDARY": rf"\b{HEX}{{64}}\b",
    "V": r"(?<=UIDVALIDITY )\d+|(?<=APPENDUID )\d+|(?<=COPYUID )\d+",
}
CONSTANT: Final = (
    (r"in \d+ microsec\.", "in N microsec."),
    (r'INTERNALDATE "[^"]*"', 'INTERNALDATE "D"'),
    (r"(?m)^(Date|X-Pm-Date): .*?(?=\r?$)", r"\1: D"),
    (r'ENVELOPE \("[^"]*"', 'ENVELOPE ("D"'),
    (r"(?s)^(\S+ NO ).*(?:\(Code=\d+, Status=\d+\)|https?://127).*", r"\1(account server error)" + "\r\n"),
    (r'("(?:vendor|support-url|os|version)") "[^"]*"', r'\1 "V"'),
)
"""The fourth but last is an error of the account server, whose texts prove nothing about Bridge."""

SERVED_SIZES: Final = frozenset(str(path.stat().st_size) for path in (DIALOGUES / "inbox").glob("*.eml"))
"""RFC822.SIZE is compared where the message is one of the recorded INBOX; dates make the others differ."""

LITERAL: Final = re.compile(r"\{(\d+)\}\r\n")
RANDOM_RUN: Final = re.compile(r"\* (?:(LIST|LSUB) |\d+ (FETCH) )")


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a dialogue: which connection, who (`C`, `S`, `!`, `#`), and the text, octets as latin-1."""

    connection: int
    who: str
    text: str


def compared(rows: Iterable[Row], *, as_set: bool) -> list[str]:
    """The rows as they are compared. `as_set`: real time-outs decide the order, so only the lines count."""
    names = _Names()
    lines = [f"{row.connection} {names.whole(row.text)}" for row in _in_order(_telling(rows, with_client=not as_set))]
    return sorted(lines) if as_set else lines


def _telling(rows: Iterable[Row], *, with_client: bool) -> Iterator[Row]:
    for row in rows:
        if row.who == "S" or (row.who == "!" and row.text == "closed"):
            yield row
        elif row.who == "C" and with_client:
            yield Row(row.connection, "C", "(client)")


def _in_order(rows: Iterable[Row]) -> Iterator[Row]:
    """Runs whose order is random on the real thing, in a fixed order: FETCH by number, LIST and LSUB by name."""
    for (_, kind), run in groupby(rows, key=lambda row: (row.connection, _run_kind(row))):
        if kind == "FETCH":
            yield from sorted(run, key=lambda row: int(row.text.split(" ")[1]))
        elif kind:
            yield from sorted(run, key=lambda row: row.text.split('"/"')[-1])
        else:
            yield from run


def _run_kind(row: Row) -> str:
    found = RANDOM_RUN.match(row.text)
    return (found.group(1) or found.group(2)) if found else ""


class _Names:
    """Gives the values of one dialogue their names."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._counts = dict.fromkeys(NAMED, 0)

    def _name(self, kind: str, found: re.Match[str]) -> str:
        value = found.group()
        if value not in self._names:
            self._counts[kind] += 1
            self._names[value] = f"{kind}{self._counts[kind]}"
        return self._names[value]

    def _masked(self, text: str) -> str:
        for kind, pattern in NAMED.items():
            text = re.sub(pattern, partial(self._name, kind), text)
        for pattern, constant in CONSTANT:
            text = re.sub(pattern, constant, text)
        return re.sub(r"RFC822\.SIZE (\d+)", lambda found: found.group() if found.group(1) in SERVED_SIZES else "RFC822.SIZE N", text)

    def whole(self, text: str) -> str:
        """A row masked, inside its literals too."""
        done = ""
        while found := LITERAL.search(text):
            end = found.end() + int(found.group(1))
            literal = self._masked(text[found.end() : end])
            done += self._masked(text[: found.start()]) + f"{{{len(literal)}}}\r\n{literal}"
            text = text[end:]
        return done + self._masked(text)
