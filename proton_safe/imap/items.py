"""What FETCH says about one message, as frozen values: RFC 3501 7.4.2.

A message may be as odd as its sender likes: an item that can't be read is absent, and the row says so. A response whose own shape
is wrong (no pairs, an item twice, a uid that is no number) is `BadSyntax`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING, Final

from proton_safe.imap.grammar import Atom, BadSyntax, number

if TYPE_CHECKING:
    from proton_safe.imap.grammar import Value

MONTHS: Final = {
    name: month
    for month, name in enumerate((b"jan", b"feb", b"mar", b"apr", b"may", b"jun", b"jul", b"aug", b"sep", b"oct", b"nov", b"dec"), 1)
}
_INTERNALDATE: Final = re.compile(rb"([ 0-9][0-9])-([A-Za-z]{3})-([0-9]{4}) ([0-9]{2}):([0-9]{2}):([0-9]{2}) ([+-])([0-9]{2})([0-9]{2})")
# Longer texts and lists are cut: readers of headers look at 8 KiB, and a page of rows must stay small.
MAX_TEXT_OCTETS: Final = 16_384
MAX_ADDRESSES: Final = 2_000
_ENVELOPE_FIELDS: Final = 10
_ADDRESS_FIELDS: Final = 4
_MAX_FLAGS_KNOWN: Final = 4_096
_MAX_FLAGS_OCTETS: Final = 512


@dataclass(frozen=True, slots=True)
class EnvelopeAddress:
    """One entry of an ENVELOPE list, raw: None stands for NIL, which marks groups (RFC 3501 7.4.2).

    `name` is UTF-8 as Bridge decoded it, or as the header spells it on other servers.
    """

    name: bytes | None
    mailbox: bytes | None
    host: bytes | None


@dataclass(frozen=True, slots=True)
class Envelope:
    """ENVELOPE, raw octets, empty where NIL was sent. `damaged`: something in it was not as RFC 3501 wants it and was left out."""

    date: bytes
    subject: bytes
    from_: tuple[EnvelopeAddress, ...]
    sender: tuple[EnvelopeAddress, ...]
    reply_to: tuple[EnvelopeAddress, ...]
    to: tuple[EnvelopeAddress, ...]
    cc: tuple[EnvelopeAddress, ...]
    bcc: tuple[EnvelopeAddress, ...]
    in_reply_to: bytes
    message_id: bytes
    damaged: bool = False


@dataclass(frozen=True, slots=True)
class RowItems:
    r"""What a list asks of one message. None: Bridge did not say, or not readably. `flags` are in lower case, as `\seen`.

    `spelling`: the octets in which the envelope was told, at most 4 KiB, where they are known; equal ones mean equal envelopes.
    """

    uid: int
    flags: frozenset[str] | None = None
    received: datetime | None = None
    size: int | None = None
    envelope: Envelope | None = None
    spelling: bytes = field(default=b"", compare=False)

    @property
    def incomplete(self) -> bool:
        """Whether an item is missing."""
        return self.flags is None or self.received is None or self.size is None or self.envelope is None


@dataclass(frozen=True, slots=True)
class MessageItems(RowItems):
    """What reading asks of one message. `structure` is BODYSTRUCTURE's nested values (`mime.structure` reads them), or None."""

    structure: tuple[Value, ...] | None = None


def pairs(value: Value) -> dict[bytes, Value]:
    """The items of one FETCH response by upper-case name. Raises `BadSyntax` when they aren't pairs or one comes twice."""
    if not isinstance(value, tuple) or len(value) % 2:
        raise BadSyntax
    items: dict[bytes, Value] = {}
    for name, item in zip(value[::2], value[1::2], strict=True):
        if not isinstance(name, Atom):
            raise BadSyntax
        key = name.upper()
        if key in items:
            raise BadSyntax
        items[key] = item
    return items


def row(items: dict[bytes, Value]) -> RowItems:
    """The items of a list row."""
    return RowItems(
        uid=number(items.get(b"UID"), lowest=1),
        flags=flags(items.get(b"FLAGS")),
        received=internal_date(items.get(b"INTERNALDATE")),
        size=_size(items.get(b"RFC822.SIZE")),
        envelope=envelope(items.get(b"ENVELOPE")),
    )


def message(items: dict[bytes, Value]) -> MessageItems:
    """The items of a message that is about to be read."""
    known = row(items)
    structure = items.get(b"BODYSTRUCTURE")
    return MessageItems(
        known.uid, known.flags, known.received, known.size, known.envelope, structure=structure if isinstance(structure, tuple) else None
    )


_FLAGS_KNOWN: dict[tuple[Value, ...], frozenset[str]] = {}


def flags(value: Value) -> frozenset[str] | None:
    """FLAGS in lower case; None when it isn't a list of words. Equal sets are the same object, so that a long index stays small."""
    if not isinstance(value, tuple):
        return None
    known = _FLAGS_KNOWN.get(value)
    if known is None:
        if not all(isinstance(flag, Atom) for flag in value):
            return None
        known = frozenset(flag.decode("ascii").lower() for flag in value if isinstance(flag, Atom))
        if len(_FLAGS_KNOWN) < _MAX_FLAGS_KNOWN and sum(len(flag) for flag in value if isinstance(flag, Atom)) <= _MAX_FLAGS_OCTETS:
            _FLAGS_KNOWN[value] = known
    return known


def internal_date(value: Value) -> datetime | None:
    """INTERNALDATE (`"08-Feb-1994 05:52:25 +0000"`) in UTC; None when it is no date."""
    found = _INTERNALDATE.fullmatch(value) if isinstance(value, bytes) else None
    if found is None:
        return None
    day, month, year, hour, minute, second, sign, zone_hours, zone_minutes = found.groups()
    offset = timedelta(hours=int(zone_hours), minutes=int(zone_minutes))
    try:
        zone = timezone(offset if sign == b"+" else -offset)
        return datetime(int(year), MONTHS.get(month.lower(), 0), int(day), int(hour), int(minute), int(second), tzinfo=zone).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def envelope(value: Value) -> Envelope | None:
    """ENVELOPE (RFC 3501 7.4.2); None when it isn't ten fields."""
    if not isinstance(value, tuple) or len(value) != _ENVELOPE_FIELDS:
        return None
    texts = [_text(value[place]) for place in (0, 1, 8, 9)]
    from_ = _addresses(value[2])
    # Servers give From in place of Sender and Reply-To (RFC 3501 7.4.2), so these are as From in most mails.
    lists = [from_, *(from_ if value[place] == value[2] else _addresses(value[place]) for place in range(3, 8))]
    damaged = any(text is None for text in texts) or any(whole is False for _, whole in lists)
    date, subject, in_reply_to, message_id = (text or b"" for text in texts)
    authors, sender, reply_to, to, cc, bcc = (addresses for addresses, _ in lists)
    return Envelope(date, subject, authors, sender, reply_to, to, cc, bcc, in_reply_to, message_id, damaged)


def _text(value: Value) -> bytes | None:
    """A header's text: empty for NIL, None for what isn't a string."""
    if isinstance(value, tuple):
        return None
    return b"" if value is None else value[:MAX_TEXT_OCTETS]


def _addresses(value: Value) -> tuple[tuple[EnvelopeAddress, ...], bool]:
    """The entries of one field, and whether all of them had the right shape."""
    if not isinstance(value, tuple):
        return (), value is None
    found: list[EnvelopeAddress] = []
    whole = True
    for each in value:
        if not isinstance(each, tuple) or len(each) != _ADDRESS_FIELDS:
            whole = False
            continue
        name, _, mailbox, host = each
        if isinstance(name, tuple) or isinstance(mailbox, tuple) or isinstance(host, tuple):
            whole = False
        elif len(found) == MAX_ADDRESSES:
            return tuple(found), False
        else:
            found.append(EnvelopeAddress(*(None if part is None else part[:MAX_TEXT_OCTETS] for part in (name, mailbox, host))))
    return tuple(found), whole


def _size(value: Value) -> int | None:
    try:
        return number(value)
    except BadSyntax:
        return None
