"""SEARCH keys that look into a message: raw octets, never decoded.

A header key sees the raw unfolded value of the first field of that name, encoded words and all; TEXT sees the whole literal, BODY
what follows the top-level header; letter case is ignored, an empty needle matches every message (bridge-behaviour 3.8; dialogues 17,
18). ``sent_date`` reads the calendar day of the Date header as written.
"""

from datetime import date, timedelta

from fakebridge.message import header
from fakebridge.message.dates import DateError, parse_date_time
from fakebridge.message.header import HeaderError

__all__ = ["DateError", "body_contains", "fold", "header_contains", "sent_date", "text_contains"]


def fold(octets: bytes) -> bytes:
    """Lower case, of ASCII letters fast, of other letters through UTF-8; octets that are no UTF-8 stay."""
    if octets.isascii():
        return octets.lower()
    return octets.decode("utf-8", "surrogateescape").lower().encode("utf-8", "surrogateescape")


def header_contains(literal: bytes, name: bytes, needle: bytes) -> bool:
    """Whether the first field of that name contains the needle (already folded, in UTF-8); a missing field counts as empty.

    Raises:
        HeaderError: the header cannot be read.
    """
    block, _ = header.split(literal)
    return needle in fold(header.first(block, name) or b"")


def text_contains(literal: bytes, needle: bytes) -> bool:
    """Whether the whole literal contains the needle (already folded)."""
    return needle in fold(literal)


def body_contains(literal: bytes, needle: bytes) -> bool:
    """Whether what follows the header contains the needle (already folded). A header that cannot be read belongs to the body."""
    block, body = header.split(literal)
    try:
        header.fields(block)
    except HeaderError:
        body = literal
    return needle in fold(body)


def sent_date(literal: bytes, *, this_year: int) -> date:
    """The calendar day of the Date header, in its own zone.

    Raises:
        DateError: it is missing or cannot be read; the whole SEARCH then fails with that text.
        HeaderError: the header cannot be read.
    """
    block, _ = header.split(literal)
    found = parse_date_time(header.first(block, b"Date") or b"", this_year=this_year)
    start = date(max(found.year, 1), found.month, 1)
    return start + timedelta(days=found.day - 1, hours=found.hour, minutes=found.minute, seconds=found.second)
