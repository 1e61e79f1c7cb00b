"""The Date field (RFC 5322 3.3 and 4.3) with the sender's own offset; what can't be a date is none."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from proton_safe.mime import words

if TYPE_CHECKING:
    from proton_safe.mime.defects import Defect

MAX_DATE_CHARS: Final = 200
_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
# RFC 5322 4.3; every other name says nothing of its offset.
_AMERICAN: Final = {"est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7}
_ZONE_HOURS: Final = {"ut": 0, "utc": 0, "gmt": 0, "z": 0, **_AMERICAN}
_ZONES: Final = MappingProxyType({name: 60 * hours for name, hours in _ZONE_HOURS.items()})
# Fractions of a second are passed over. A number of five digits and more is no part of a date; its last four must not be taken for one.
_GREENWICH: Final = frozenset({"gmt", "utc", "ut"})
_TOKEN: Final = re.compile(
    r"(?<=:[0-9]{2})\.[0-9]+|[+-]?[0-9]{5,}"
    r"|[0-9]{1,2} *: *[0-9]{1,2}(?: *: *[0-9]{1,2})?"
    r"|[+-][0-9]{1,2}:?[0-9]{2}(?![0-9])|[0-9]{1,4}(?![0-9])|[A-Za-z]+"
)
# `12-Mar-2020` is three words; the sign of `-0500` stays.
_DASHED: Final = re.compile(r"(?<=[0-9])-(?=[A-Za-z])|(?<=[0-9]-[A-Za-z]{3})-")
_ISO: Final = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})[T ]([0-9]{2}:[0-9]{2}(?::[0-9]{2})?)(?:\.[0-9]{1,9})? ?(Z|[+-][0-9]{2}:?[0-9]{2})?"
)


_NO_TEXT: Final = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ufffd]")


# What nearly every program writes (RFC 5322 3.3); all else is read token by token.
_USUAL: Final = re.compile(
    r"(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), )?([0-9]{1,2}) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) ([0-9]{4}) "
    r"([0-9]{2}:[0-9]{2}:[0-9]{2}) ([+-][0-9]{4})"
)


@dataclass(frozen=True, slots=True)
class ParsedDate:
    """The field's text, and the same as RFC 3339 with the sender's offset; None where it names no instant."""

    text: str
    iso: str | None

    @property
    def warnings(self) -> tuple[Defect, ...]:
        """`date-unreadable` where there is a text that names no instant."""
        return ("date-unreadable",) if self.text and self.iso is None else ()


@dataclass(slots=True)
class _Read:
    day: int | None = None
    month: int | None = None
    year: int | None = None
    clock: str | None = None
    zone: str | None = None
    impossible: bool = False


def parse(raw: bytes | None) -> ParsedDate:
    """Read a Date field; never raises. Years 1 to 9999, offsets below 24 hours; a missing or unknown zone counts as UTC.

    A control character outside comments, or an octet that is no text, makes it unreadable: another reader may stop there.
    """
    text = words.decode(raw or b"").text
    if usual := _USUAL.fullmatch(text):
        day, month, year, clock, zone = usual.groups()
        return ParsedDate(text, _iso(_Read(int(day), 1 + _MONTHS.index(month.lower()), int(year), clock, zone)))
    bare = _without_comments(text)
    if not text or len(text) > MAX_DATE_CHARS or _NO_TEXT.search(bare):
        return ParsedDate(text, None)
    return ParsedDate(text, _iso(_from_iso(text) or _from_tokens(bare)))


def _without_comments(text: str) -> str:
    if "(" not in text and ")" not in text:
        return text
    kept: list[str] = []
    depth = 0
    for char in text:
        if char == "(":
            depth += 1
        elif char == ")":
            depth = max(0, depth - 1)
        elif depth == 0:
            kept.append(char)
    return "".join(kept)


def _from_iso(text: str) -> _Read | None:
    match = _ISO.fullmatch(text.strip())
    if match is None:
        return None
    year, month, day = (int(match[group]) for group in (1, 2, 3))
    return _Read(day, month, year, match[4], match[5])


def _from_tokens(text: str) -> _Read:
    read = _Read()
    for token in _TOKEN.findall(_DASHED.sub(" ", text)):
        if token[0] == ".":
            continue
        if len(token) > 4 and token[-5:].isdigit():
            read.impossible = True
        elif ":" in token and token[0].isdigit():
            read.clock = read.clock or token
        elif token[0] in "+-" or token.lower() in _ZONES:
            # `GMT+0200`, as scripts write it, is the time two hours east of Greenwich.
            finer = token[0] in "+-" and len(token) > 4 and (read.zone or "").lower() in _GREENWICH
            read.zone = token if read.clock and (read.zone is None or finer) else read.zone
        elif token.isdigit():
            _number(read, token)
        elif token[:3].lower() in _MONTHS and read.month is None:
            read.month = _MONTHS.index(token[:3].lower()) + 1
    return read


def _number(read: _Read, token: str) -> None:
    if read.day is None and len(token) <= 2:
        read.day = int(token)
    elif read.year is None and len(token) >= 2:
        # RFC 5322 4.3: two digits below 50 are this century's, other two and three digits count from 1900.
        year = int(token)
        read.year = year if len(token) == 4 else year + (2000 if len(token) == 2 and year < 50 else 1900)


def _offset(zone: str) -> dt.timezone | None:
    if zone.lower() in _ZONES:
        minutes = _ZONES[zone.lower()]
    else:
        digits = zone[1:].replace(":", "").rjust(4, "0")
        if int(digits[:2]) > 23 or int(digits[2:]) > 59:
            return None
        minutes = (-1 if zone[0] == "-" else 1) * (int(digits[:2]) * 60 + int(digits[2:]))
    return dt.timezone(dt.timedelta(minutes=minutes))


def _iso(read: _Read) -> str | None:
    zone = _offset(read.zone or "Z")
    if read.impossible or read.day is None or read.month is None or read.year is None or read.clock is None or zone is None:
        return None
    hour, minute, second = (int(figure) for figure in (*read.clock.split(":"), "0")[:3])
    try:
        # A leap second is shown as the second before it.
        moment = dt.datetime(read.year, read.month, read.day, hour, minute, 59 if second == 60 else second, tzinfo=zone)
    except ValueError:
        return None
    return moment.isoformat()
