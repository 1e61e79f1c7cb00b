"""The wording of refused sends: short error texts in Bridge 3.21, whole sentences in the builds of 2026 (bridge-behaviour 7.2).

Data and one lookup. Texts hold ``{}`` where the address stands.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import Final

from fakebridge.profile import RefusalTexts
from fakebridge.smtp.submission import Refused


class Cause(Enum):
    """Why a send is refused."""

    NO_ACCOUNT = auto()
    NO_RECIPIENT = auto()
    FOREIGN_SENDER = auto()
    DISABLED_SENDER = auto()
    UNOWNED_DRAFT_SENDER = auto()
    TOO_MANY_FAILURES = auto()


_ADDRESS: Final = "The sender or recipient address is not valid. Review the addresses and resend the message"
_NO_ACCOUNT: Final = "The account is not available in Bridge. Verify the outgoing server settings in your mail client and try again"
_SHORT: Final = {
    Cause.NO_ACCOUNT: "no such user",
    Cause.NO_RECIPIENT: "invalid recipient",
    Cause.FOREIGN_SENDER: "invalid return path",
    Cause.DISABLED_SENDER: "cannot send from address: {}",
    Cause.UNOWNED_DRAFT_SENDER: 'failed to send message: failed to create draft: address "{}" is not owned by user',
    Cause.TOO_MANY_FAILURES: "too many failed requests, please try again later",
}
_SENTENCES: Final = {
    Cause.NO_ACCOUNT: _NO_ACCOUNT,
    Cause.NO_RECIPIENT: _ADDRESS,
    Cause.FOREIGN_SENDER: _ADDRESS,
    Cause.DISABLED_SENDER: "You cannot send from this address: {}. Check your email client and Bridge settings",
    Cause.UNOWNED_DRAFT_SENDER: "The sender address is not valid for this account.",
    Cause.TOO_MANY_FAILURES: "Too many failed send attempts. Try again later",
}


def refusal(cause: Cause, texts: RefusalTexts, address: str = "") -> Refused:
    """The refusal to raise."""
    table = _SENTENCES if texts is RefusalTexts.SENTENCES else _SHORT
    return Refused(table[cause].format(address))
