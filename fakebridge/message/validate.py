"""The check that an APPEND to any mailbox but Drafts must pass: is there a Date, is there a From, is the sender clear.

Facts: bridge-behaviour 5.1, step 5; dialogue 26. A Date is only looked for, not read.
"""

from fakebridge.message import header
from fakebridge.message.addresses import AddressError, parse_first, parse_list
from fakebridge.message.header import HeaderError

_PREFIX = "invalid rfc5322 message: "


class Invalid(Exception):
    """The message is refused; ``text`` stands behind ``tag BAD``."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


def check_rfc5322(literal: bytes) -> None:
    """Look at Date, From and Sender.

    Raises:
        Invalid: the first thing that is wrong.
    """
    block, _ = header.split(literal)
    try:
        date, sender, stated = (header.first(block, name) for name in (b"Date", b"From", b"Sender"))
    except HeaderError as refused:
        raise Invalid(refused.text) from None
    if not date:
        raise Invalid(f"{_PREFIX}Required header field 'Date' not found or empty")
    if not sender:
        raise Invalid(f"{_PREFIX}Required header field 'From' not found or empty")
    try:
        count = len(parse_list(sender))
    except AddressError as refused:
        raise Invalid(f"{_PREFIX}failed to parse From header: {refused}") from None
    if count > 1 and not stated:
        raise Invalid(f"{_PREFIX}Required header field 'Sender' not found or empty")
    if stated is None:
        return
    if not stated:
        raise Invalid(f"{_PREFIX}Required header field 'Sender' should not be empty")
    try:
        parse_first(stated)
    except AddressError as refused:
        raise Invalid(f"{_PREFIX}failed to parse Sender header: {refused}") from None
