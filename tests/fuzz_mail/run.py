"""Playing mutated mails: batches in one mailbox, each mail listed, read, answered to and extracted, then what holds after any mail."""

from __future__ import annotations

import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

from conformance.bridge import BridgeFault
from conformance.client import NoAnswer, ServerGone
from conformance.refusal_table import refusal_table
from tests.fuzz_mail.mutations import Mutator
from tests.served.reader import Broken, Reader

BATCH: Final = 40
ABOUT_THE_MAIL: Final = frozenset({"content", "policy"})
"""Refusals of these classes say something of a mail. Any other one would mean that a mail can make the server fail or blame others."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A mail that broke something: its number, what happened, its octets."""

    number: int
    what: str
    octets: bytes


@dataclass(slots=True)
class Fuzzed:
    """What a run has seen."""

    mails: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    slowest_s: float = 0.0
    findings: list[Finding] = field(default_factory=list)


class Fuzz:
    """One server under fire; started anew after a finding."""

    def __init__(self, mutator: Mutator, reader: Reader) -> None:
        self._mutator = mutator
        self._reader = reader
        self.seen = Fuzzed()

    def play(self, numbers: Sequence[int]) -> None:
        """The mails of these numbers, `BATCH` at a time in one mailbox."""
        for start in range(0, len(numbers), BATCH):
            mails = [(number, self._mutator.mail(number)) for number in numbers[start : start + BATCH]]
            if not self._together(mails):
                for number, octets in mails:
                    self._alone(number, octets)
            self.seen.mails += len(mails)

    def _together(self, mails: Sequence[tuple[int, bytes]]) -> bool:
        """Whether the mails of a batch broke nothing."""
        try:
            self._reader.load([octets for _, octets in mails])
            if self._reader.rows().keys() != set(range(1, len(mails) + 1)):
                return False
            for uid, (number, _) in enumerate(mails, 1):
                self._read(uid, number)
            self._reader.check()
        except (Broken, NoAnswer, ServerGone, BridgeFault) as broken:
            self._start_anew(broken)
            return False
        return True

    def _alone(self, number: int, octets: bytes) -> None:
        """Find out whether this mail is the one."""
        try:
            self._reader.load([octets])
            if self._reader.rows().keys() != {1}:
                raise Broken("the mail is not in the list")
            self._read(1, number)
            self._reader.check()
        except (Broken, NoAnswer, ServerGone, BridgeFault) as broken:
            self.seen.findings.append(Finding(number, f"{type(broken).__name__}: {broken}", octets))
            self._start_anew(broken)

    def _start_anew(self, broken: Exception) -> None:
        """What has answered badly is ended; what has not answered takes the simulated Bridge with it."""
        if isinstance(broken, Broken):
            self._reader.end_server()
        else:
            self._reader.start_anew()

    def _read(self, uid: int, number: int) -> None:
        draw = Random(number)  # noqa: S311 - the same calls for the same mail
        limit, offset = draw.choice(((20_000, 0), (500, 0), (100_000, 0), (500, 400)))
        said = self._call("read_message", uid=str(uid), max_chars=limit, offset_chars=offset, fold_quoted=draw.random() < 0.5)
        self._call("get_reply_context", uid=str(uid), max_quote_chars=draw.choice((500, 10_000, 100_000)))
        rows = said.get("attachments", [])
        for row in [one for one in rows if one["text_extractable"]][:3]:
            self._call("extract_attachment_text", uid=str(uid), attachment_index=row["attachment_index"], max_chars=20_000)

    def _call(self, tool: str, **arguments: object) -> dict[str, list[dict[str, object]]]:
        began = time.monotonic()
        code, said = self._reader.call(tool, **arguments)
        self.seen.slowest_s = max(self.seen.slowest_s, time.monotonic() - began)
        self.seen.outcomes[f"{tool}: {code or 'a result'}"] += 1
        if code and refusal_table()[code].actor not in ABOUT_THE_MAIL:
            raise Broken(f"{tool} was refused with {code}, which says nothing of the mail")
        return said


def keep(findings: Sequence[Finding], start: int, folder: Path | None = None) -> list[str]:
    """Write the mails of findings into files; gives a line for each."""
    target = folder or Path(tempfile.mkdtemp(prefix="fuzz-mail-"))
    target.mkdir(parents=True, exist_ok=True)
    lines = []
    for one in findings:
        path = target / f"{start}-{one.number}.eml"
        path.write_bytes(one.octets)
        lines.append(f"mail {one.number}: {one.what!a:.400}\n    {path}")
    return lines
