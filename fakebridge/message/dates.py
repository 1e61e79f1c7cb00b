"""Dates of header fields: the reader that SEARCH and the builder use, the account server's own reader, and the forms of writing.

``parse_date_time`` follows the reader of the IMAP side (two-digit years, obsolete zones, comments; the month's case matters);
``written_short`` is the form of the recordings' account server (``03 Feb 26 23:30 +0100``). RFC 5322 3.3; bridge-behaviour 3.8, 4.2.
"""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from typing import Final

from fakebridge.message.addressreader import AddressError, Reader

_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_DAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_ZONES: Final = {"ut": 0, "gmt": 0, "utc": 0, "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7}
_DIGITS: Final = frozenset(b"0123456789")
_LETTERS: Final = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
_HEADER_DATE: Final = re.compile(
    r"(?:(?:mon|tue|wed|thu|fri|sat|sun),\s+)?(\d{1,2})\s+([a-z]{3})\s+(\d{4}|\d{2})\s+(\d{1,2}):(\d{2})(?::(\d{2}))?\s+([+-]\d{4}|[a-z]{1,5})\s*$",
    re.IGNORECASE,
)
_TWO_DIGIT_PIVOT: Final = 69


class DateError(Exception):
    """No date; ``str()`` is the sentence of the reader that refused it."""


@dataclass(frozen=True, slots=True)
class WrittenDate:
    """A date as it stands in a header: its calendar parts in its own zone, the zone's offset in seconds, the zone's name if it has one."""

    year: int
    month: int
    day: int
    hour: int
    minute: int
    second: int
    offset: int
    zone: str = ""

    def instant(self) -> datetime:
        """The moment in UTC. Parts beyond their range carry over (day 31 of February is in March); year 1 is the earliest."""
        start = datetime(max(self.year, 1), self.month, 1, tzinfo=UTC)
        return start + timedelta(days=self.day - 1, hours=self.hour, minutes=self.minute, seconds=self.second - self.offset)


def parse_date_time(value: bytes, *, this_year: int) -> WrittenDate:
    """Read a Date value the way SEARCH SENT… does. ``this_year`` decides the century of two-digit years.

    Raises:
        DateError: ``[Error offset=N]: …``.
    """
    try:
        return _date_time(Reader(value), this_year)
    except AddressError as refused:
        raise DateError(str(refused)) from None


def _date_time(reader: Reader, this_year: int) -> WrittenDate:
    reader.try_cfws()
    if reader.current in _LETTERS:
        _day_name(reader)
        reader.consume(b",", "expected ',' after day of the week")
    day = _day(reader)
    month = _month(reader)
    year = _year(reader, this_year)
    hour = _two(reader)
    reader.consume(b":", "expected ':' after hour")
    minute = _two(reader)
    second = _two(reader) if reader.matches(b":") else 0
    offset = _zone(reader)
    reader.try_cfws()
    return WrittenDate(year, month, day, hour, minute, second, offset)


def _day_name(reader: Reader) -> None:
    reader.try_cfws()
    offset = reader.offset
    name = reader.take(_LETTERS).decode().lower()
    if name.capitalize() not in _DAYS:
        raise AddressError(offset, f"invalid day name '{name}'")
    reader.try_cfws()


def _day(reader: Reader) -> int:
    reader.try_cfws()
    reader.consume(_DIGITS, "expected digit for day value")
    day = reader.previous - 0x30
    if reader.matches(_DIGITS):
        day = day * 10 + reader.previous - 0x30
    reader.try_cfws()
    return day


def _month(reader: Reader) -> int:
    name = ""
    for _ in range(3):
        reader.consume(_LETTERS, "unexpected character for date month")
        name += chr(reader.previous)
    if name not in _MONTHS:
        raise reader.error(f"invalid date month '{name}'")
    return _MONTHS.index(name) + 1


def _number(reader: Reader) -> int:
    """One or two digits."""
    reader.consume(_DIGITS, "expected valid digit for number")
    number = reader.previous - 0x30
    if reader.matches(_DIGITS):
        number = number * 10 + reader.previous - 0x30
    return number


def _year(reader: Reader, this_year: int) -> int:
    reader.try_cfws()
    year = _number(reader)
    if reader.current in _DIGITS:
        year = year * 100 + _number(reader)
    else:
        year += 1900 if year > this_year % 100 else 2000
    reader.try_cfws()
    return year


def _two(reader: Reader) -> int:
    reader.try_cfws()
    number = _number(reader)
    reader.try_cfws()
    return number


def _zone(reader: Reader) -> int:
    """Offset in seconds; none is UTC."""
    reader.try_cfws()
    if reader.ended() or (reader.current not in _DIGITS and reader.current not in _LETTERS and reader.current not in b"+-"):
        return 0
    sign = 1
    if not reader.matches(b"+") and reader.matches(b"-"):
        sign = -1
    if reader.current in _DIGITS:
        hours = _number(reader)
        return sign * (hours * 3600 + _number(reader) * 60)
    offset = reader.offset
    name = reader.take(_LETTERS).decode().lower()
    if name not in _ZONES:
        raise AddressError(offset, f"unknown time zone '{{{name} {offset}}}'")
    reader.try_cfws()
    return _ZONES[name] * 3600


def parse_header_date(value: str) -> WrittenDate:
    """Read a Date value the way the recordings' account server does on import.

    Raises:
        DateError: ``mail: header could not be parsed``.
    """
    text = re.sub(r"\s*\([^()]*\)\s*$", "", value.replace("\r\n", "")).strip(" \t")
    found = _HEADER_DATE.match(text)
    if found is None or found.group(2).capitalize() not in _MONTHS:
        raise DateError("mail: header could not be parsed")
    day, hour, minute, second = (int(found.group(group) or 0) for group in (1, 4, 5, 6))
    year = int(found.group(3))
    if len(found.group(3)) == 2:
        year += 1900 if year >= _TWO_DIGIT_PIVOT else 2000
    month = _MONTHS.index(found.group(2).capitalize()) + 1
    zone = found.group(7)
    offset, name = 0, zone.upper()
    if zone[0] in "+-":
        offset = (int(zone[1:3]) * 3600 + int(zone[3:]) * 60) * (-1 if zone[0] == "-" else 1)
        name = "" if offset else "UTC"
    try:
        datetime(year, month, day, hour, minute, min(second, 59), tzinfo=timezone(timedelta(seconds=offset)))
    except ValueError:
        raise DateError("mail: header could not be parsed") from None
    return WrittenDate(year, month, day, hour, minute, second, offset, name)


def written_short(date: WrittenDate) -> str:
    """``02 Jan 06 15:04 MST``: the zone's name, or its offset if it has none."""
    sign, seconds = ("-" if date.offset < 0 else "+"), abs(date.offset)
    zone = date.zone or f"{sign}{seconds // 3600:02d}{seconds % 3600 // 60:02d}"
    return f"{date.day:02d} {_MONTHS[date.month - 1]} {date.year % 100:02d} {date.hour:02d}:{date.minute:02d} {zone}"


def written_rfc1123(moment: datetime) -> str:
    """``Mon, 02 Jan 2006 15:04:05 +0000``, in UTC."""
    at = moment.astimezone(UTC)
    return f"{_DAYS[at.weekday()]}, {at.day:02d} {_MONTHS[at.month - 1]} {at.year:04d} {at:%H:%M:%S} +0000"
