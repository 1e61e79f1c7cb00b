"""Mails of given numbers through the real server, every value compared with what was put in, and Python's parser set beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from tests.differential import seen
from tests.differential.kinds import Difference, kind_of
from tests.differential.ordinary import Ordinary, ordinary
from tests.differential.writing import octets
from tests.on_demand import untold
from tests.served.reader import Reader

BATCH: Final = 500
MOST_CHARS: Final = 100_000
OURS: Final = ("read_message", "list_messages")


@dataclass(slots=True)
class Compared:
    """What a run has seen. `ours` are the server's differences, of which there should be none."""

    mails: int = 0
    values: int = 0
    ours: list[Difference] = field(default_factory=list)
    kinds: Counter[tuple[str, str]] = field(default_factory=Counter)
    fields: Counter[tuple[str, str]] = field(default_factory=Counter)
    unexplained: list[Difference] = field(default_factory=list)


def compare(numbers: Sequence[int], tell: Callable[[int], None] = untold) -> Compared:
    """Read the mails of these numbers; `tell` hears how many were read. Raises what Reader raises."""
    compared = Compared()
    with Reader() as reader:
        for start in range(0, len(numbers), BATCH):
            mails = [ordinary(number) for number in numbers[start : start + BATCH]]
            written = [octets(mail) for mail in mails]
            reader.load(written)
            rows = reader.rows()
            for uid, (mail, raw) in enumerate(zip(mails, written, strict=True), 1):
                said = reader.result("read_message", uid=str(uid), max_chars=MOST_CHARS)
                _ours(mail, said, rows.get(uid, {}), compared)
                _parsers(mail, raw, compared)
                tell(compared.mails)
        reader.check()
    return compared


def _ours(mail: Ordinary, said: Mapping[str, Any], row: Mapping[str, Any], compared: Compared) -> None:
    wanted = seen.put_in(mail)
    compared.mails += 1
    for tool, got in (("read_message", seen.by_server(mail, said)), ("list_messages", seen.by_list(row) if row else {})):
        compared.values += len(got)
        compared.ours += [Difference(mail, tool, name, wanted[name], value) for name, value in got.items() if value != wanted[name]]
    remarks = [
        *(name for name in ("parse_warnings", "hidden_text", "alternatives_differ", "link_mismatches", "truncated") if said[name]),
        *(["a row's parse_warnings"] if not row or row["parse_warnings"] else []),
    ]
    if remarks:
        compared.ours.append(Difference(mail, "read_message", "remarks", [], remarks))


def _parsers(mail: Ordinary, raw: bytes, compared: Compared) -> None:
    wanted = seen.put_in(mail)
    for parser, parse in seen.PARSERS.items():
        for name, value in parse(mail, raw).items():
            if value != wanted[name]:
                difference = Difference(mail, parser, name, wanted[name], value)
                kind = kind_of(difference)
                compared.kinds[kind, parser] += 1
                compared.fields[name, parser] += 1
                if kind == "unexplained":
                    compared.unexplained.append(difference)


def told(differences: Sequence[Difference], *, most: int = 10) -> Iterator[str]:
    """The first differences as lines; what a mail holds stands there as escapes."""
    for one in differences[:most]:
        mail = one.mail
        yield f"mail {mail.number} ({mail.charset.label}, {mail.structure}, {mail.transfer}), {one.parser}, {one.field}"
        yield f"    put in {one.wanted!a:.300}"
        yield f"    read   {one.got!a:.300}"
