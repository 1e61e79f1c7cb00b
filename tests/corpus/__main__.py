"""`python -m tests.corpus FOLDER`: how the real server reads the mails of a folder that lies outside the repository.

The folder holds `mails.tar.xz`, `manifest.json` and `expected.json`. Every mail is served octet for octet by a simulated Bridge. Status
0: every mail is listed, none broke anything, and at least 99.5 % of the firm facts hold.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from conformance.client import NoAnswer, ServerGone
from tests import on_demand
from tests.corpus import facts, folder, shown
from tests.corpus.folder import Fact, Mail, UnusableFolder
from tests.served.reader import Broken, Reader

HOLDS: Final = (
    'mails.tar.xz, one file for each mail; manifest.json, {"messages": [{"id": the file\'s name, "sha256": …}]}; expected.json, '
    '{"messages": [{"id": …, "facts": [{"field": "subject", "value": …, "grade": "firm" or "lenient"}]}]}'
)
FIRM_SHARE: Final = 0.995
BATCH: Final = 250
ROW_FIELDS: Final = ("from", "to", "subject", "date_iso", "message_id")
"""What a list shows too; it has it from Bridge's envelope, and `read_message` from the mail's header."""


@dataclass(frozen=True, slots=True)
class Miss:
    """A fact that does not hold."""

    mail: str
    fact: Fact
    kind: str
    got: object


@dataclass(slots=True)
class Measured:
    """What a run has seen."""

    mails: int = 0
    breakages: list[str] = field(default_factory=list)
    held: Counter[str] = field(default_factory=Counter)
    aside: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    rows_differ: Counter[str] = field(default_factory=Counter)
    misses: list[Miss] = field(default_factory=list)

    def missed(self, grade: str) -> list[Miss]:
        """The misses of one grade."""
        return [miss for miss in self.misses if miss.fact.grade == grade]

    def compared(self, grade: str) -> int:
        """How many facts of a grade say something of what we show."""
        return self.held[grade] + len(self.missed(grade))

    @property
    def passed(self) -> bool:
        """Whether the mails are read as they should be."""
        return not self.breakages and self.held["firm"] >= FIRM_SHARE * self.compared("firm")


def measure(mails: Sequence[Mail], tell: Callable[[int], None] = on_demand.untold) -> Measured:
    """Read every mail through the real server and compare its facts; `tell` hears how many were read."""
    measured = Measured()
    with Reader() as reader:
        for start in range(0, len(mails), BATCH):
            batch = mails[start : start + BATCH]
            reader.load([mail.octets for mail in batch])
            rows = _rows(reader, batch, measured)
            for uid, mail in enumerate(batch, 1):
                _mail(reader, uid, mail, rows.get(uid), measured)
                tell(measured.mails)
        try:
            reader.check()
        except (Broken, NoAnswer, ServerGone) as broken:
            measured.breakages.append(f"after all mails: {broken}")
    return measured


def _rows(reader: Reader, batch: Sequence[Mail], measured: Measured) -> dict[int, dict[str, Any]]:
    try:
        rows = reader.rows()
    except (Broken, NoAnswer, ServerGone) as broken:
        measured.breakages.append(f"list_messages: {broken}")
        reader.end_server()
        return {}
    measured.breakages += [f"{mail.id}: is in no list" for uid, mail in enumerate(batch, 1) if uid not in rows]
    return rows


def _mail(reader: Reader, uid: int, mail: Mail, row: dict[str, Any] | None, measured: Measured) -> None:
    measured.mails += 1
    try:
        seen = shown.read(reader, uid)
    except (Broken, NoAnswer, ServerGone) as broken:
        measured.breakages.append(f"{mail.id}: {broken}")
        reader.end_server()
        return
    if seen.refused:
        measured.refused[seen.refused] += 1
    elif row is not None:
        measured.rows_differ.update(name for name in ROW_FIELDS if row[name] != seen.said[name])
    for fact in mail.facts:
        outcome = facts.compare(fact, seen, mail.octets)
        if outcome.verdict == "held":
            measured.held[fact.grade] += 1
        elif outcome.verdict == "aside":
            measured.aside[f"{fact.field}: {outcome.kind}"] += 1
        else:
            measured.misses.append(Miss(mail.id, fact, outcome.kind, facts.shown_of(fact, seen)))


def report(measured: Measured) -> Iterator[str]:
    """The lines to print. What a mail holds is shown as escapes, since it may steer a terminal."""
    yield f"{measured.mails} mails, {len(measured.breakages)} raised, hung or were missing"
    yield from (f"  {one!a}" for one in measured.breakages)
    yield f"fields of list rows that differ from read_message: {dict(measured.rows_differ.most_common())}"
    if measured.refused:
        yield f"  reading refused: {dict(measured.refused.most_common())}"
    for grade in ("firm", "lenient"):
        held, compared = measured.held[grade], measured.compared(grade)
        yield f"{grade}: {held} of {compared} facts hold ({held / max(1, compared):.1%})"
        for kind, count in Counter(miss.kind for miss in measured.missed(grade)).most_common():
            yield f"  {count} x {kind}"
    yield f"not compared: {sum(measured.aside.values())}"
    for kind, count in measured.aside.most_common():
        yield f"  {count} x {kind}"
    for miss in measured.misses:
        yield f"{miss.fact.grade} {miss.mail} {miss.fact.field}: {miss.kind}"
        yield f"    expected {ascii(miss.fact.value)[:300]}"
        yield f"    shown    {ascii(miss.got)[:400]}"
    kept = ", ".join(f"{measured.held[grade]} of {measured.compared(grade)} {grade} facts" for grade in ("firm", "lenient"))
    verdict = "passed" if measured.passed else "FAILED"
    yield f"corpus: {measured.mails} mails, {len(measured.breakages)} broke something, {kept} hold: {verdict}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, decide."""
    parser = argparse.ArgumentParser(prog="python -m tests.corpus", description="Measure how the server reads a folder of mails.")
    parser.add_argument("folder", type=Path, help=HOLDS)
    try:
        mails = folder.read(parser.parse_args(arguments).folder)
    except UnusableFolder as unusable:
        sys.stderr.write(f"{unusable}\n")
        return 2
    measured = measure(mails, on_demand.Progress("mails", len(mails)).reached)
    sys.stdout.writelines(f"{line}\n" for line in report(measured))
    return 0 if measured.passed else 1


if __name__ == "__main__":
    on_demand.run("make corpus", main)
