"""ENVELOPE as Bridge answers it.

Date, Subject, In-Reply-To and Message-Id are the raw unfolded header text; names are decoded and stand as 8-bit text. A missing
field is NIL, an empty list ``()``; Sender and Reply-To fall back to From; a list that cannot be parsed is one name without an
address (bridge-behaviour 3.6; dialogues 13, 20, 43).
"""

from functools import lru_cache

from fakebridge.message import quoting
from fakebridge.message.addresses import Address, AddressError, domain_and_local, parse_list
from fakebridge.message.part import Part, head_of


def envelope(literal: bytes) -> bytes:
    """The ten fields in parentheses, for the top-level header of ``literal``."""
    return envelope_of(head_of(literal))


def envelope_of(part: Part) -> bytes:
    """The ten fields in parentheses, for the header of one part."""
    sender = part.get(b"from")
    fields = (
        quoting.nil_text(part.get(b"date")),
        quoting.nil_text(part.get(b"subject")),
        _addresses(sender),
        _addresses(_or(part.get(b"sender"), sender)),
        _addresses(_or(part.get(b"reply-to"), sender)),
        _addresses(part.get(b"to")),
        _addresses(part.get(b"cc")),
        _addresses(part.get(b"bcc")),
        quoting.nil_text(part.get(b"in-reply-to")),
        quoting.nil_text(part.get(b"message-id")),
    )
    return b"(" + b" ".join(fields) + b")"


def _or(value: bytes | None, fallback: bytes | None) -> bytes | None:
    return fallback if value is None else value


@lru_cache(maxsize=2048)
def _addresses(value: bytes | None) -> bytes:
    if value is None:
        return b"NIL"
    try:
        found = parse_list(value)
    except AddressError:
        found = (Address(value.decode("utf-8", "surrogateescape"), ""),)
    return b"(" + b"".join(map(_address, found)) + b")"


def _address(address: Address) -> bytes:
    local, domain = domain_and_local(address.address)
    return b"(%b NIL %b %b)" % (quoting.nil_text(address.name), quoting.nil_text(local), quoting.nil_text(domain))
