"""The parts of the grammar that several commands share: mailbox names, sequence sets, flag lists, dates.

Texts and positions as in dialogues 06, 16, 30.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from fakebridge.imap.scanner import Scanner, Text, is_digit, is_letter

STAR = -1
"""`*` in a sequence set."""

EPOCH_DAY = date(1970, 1, 1).toordinal()
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


@dataclass(frozen=True, slots=True)
class Range:
    """One item of a sequence set; a single number has both ends equal. `STAR` stands for `*`."""

    begin: int
    end: int


SequenceSet = tuple[Range, ...]


def space(scanner: Scanner, text: str) -> None:
    """One blank."""
    scanner.expect(b" ", text)


def after_command(scanner: Scanner) -> None:
    """The blank behind the command's name."""
    space(scanner, "expected space after command")


def mailbox(scanner: Scanner) -> bytes:
    """A mailbox name as sent; INBOX in upper case."""
    name = scanner.astring().value
    return b"INBOX" if name.upper() == b"INBOX" else name


def sequence_set(scanner: Scanner) -> SequenceSet:
    """Numbers and ranges, in the order of the request."""
    ranges = [_range(scanner)]
    while scanner.accept(b","):
        ranges.append(_range(scanner))
    return tuple(ranges)


def _range(scanner: Scanner) -> Range:
    begin = _number_or_star(scanner)
    return Range(begin, _number_or_star(scanner) if scanner.accept(b":") else begin)


def _number_or_star(scanner: Scanner) -> int:
    return STAR if scanner.accept(b"*") else scanner.positive()


def flag(scanner: Scanner) -> str:
    r"""A flag or keyword; `\Recent` is refused here already."""
    system = scanner.accept(b"\\")
    name = scanner.atom().value.decode("utf-8", "surrogateescape")
    if system and name.lower() == "recent":
        raise scanner.fail("Recent Flag is not allowed in this context")
    return "\\" + name if system else name


def flag_list(scanner: Scanner) -> tuple[str, ...]:
    """Flags in parentheses, possibly none."""
    scanner.expect(b"(", "Expected '(' at start of flag list")
    flags = []
    if not scanner.is_at(b")"):
        flags.append(flag(scanner))
        while scanner.accept(b" "):
            flags.append(flag(scanner))
    scanner.expect(b")", "Expected ')' at end of flag list")
    return tuple(flags)


def search_date(scanner: Scanner) -> tuple[int, int, int]:
    """A date of SEARCH, quoted or not: year, month, day as written, whether the month has that day or not."""
    is_quoted = scanner.accept(b'"')
    day = scanner.number(2)
    scanner.expect(b"-", "expected - after year")
    month = _month(scanner)
    scanner.expect(b"-", "expected - after month")
    year = scanner.number(4)
    if is_quoted:
        scanner.expect(b'"', 'expected closing "')
    return year, month, day


def _month(scanner: Scanner) -> int:
    name = "".join(chr(scanner.expect_if(is_letter, "unexpected character for date month")) for _ in range(3))
    if name.lower() not in MONTHS:
        raise scanner.fail(f"invalid date month '{name}'")
    return MONTHS.index(name.lower()) + 1


def date_time(scanner: Scanner) -> int:
    """The date of APPEND, seconds since 1970 UTC. The account drops it; only Recovered Messages keep it (bridge-behaviour 5.1, 5.2)."""
    scanner.expect(b'"', "Expected '\"' at start of date time")
    day = _day_fixed(scanner)
    scanner.expect(b"-", "Expected '-' after date day")
    month = _month(scanner)
    scanner.expect(b"-", "Expected '-' after date month")
    midnight = (real_date(scanner.number(4), month, day).toordinal() - EPOCH_DAY) * 86_400
    scanner.expect(b" ", "Expected space after date year")
    hour = scanner.number(2)
    scanner.expect(b":", "expected colon after hour component")
    minute = scanner.number(2)
    scanner.expect(b":", "expected colon after minute component")
    second = scanner.number(2)
    scanner.expect(b" ", "Expected space after date time")
    sign = 1 if scanner.accept(b"+") else -1
    if sign < 0 and not scanner.accept(b"-"):
        raise scanner.fail("expected either '+' or '-' on time zone start")
    zone = sign * (scanner.number(2) * 3600 + scanner.number(2) * 60)
    scanner.expect(b'"', "Expected '\"' at end of date time")
    return max(midnight + hour * 3600 + minute * 60 + second - zone, (1 - EPOCH_DAY) * 86_400)


def _day_fixed(scanner: Scanner) -> int:
    if scanner.accept(b" "):
        return scanner.expect_if(is_digit, "expected digit after space separated date day") - 0x30
    return scanner.number(2)


def real_date(year: int, month: int, day: int) -> date:
    """The day that is meant when a month has no such day: it runs over into the next one (31 February is 3 March)."""
    first = date(min(max(year, 1), 9998), month, 1)
    return date.fromordinal(max(first.toordinal() + day - 1, 1))


__all__ = [
    "STAR",
    "Range",
    "SequenceSet",
    "Text",
    "after_command",
    "date_time",
    "flag",
    "flag_list",
    "mailbox",
    "real_date",
    "search_date",
    "sequence_set",
    "space",
]
