"""The rules that a confirmed draft must meet before anything is composed; each refusal names its argument.

The order is the caller's (`creation` and the tool): sender, reply target, addresses, counts, subject, body. Nothing is
repaired but line ends: CR LF and CR become LF before the digest is taken.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from proton_safe.drafts.addresses import is_recipient
from proton_safe.refusals import Code, Refusal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from proton_safe.config import Config

MAX_RECIPIENTS: Final = 25

_NONCHARACTERS: Final = "\ufdd0-\ufdef" + "".join(f"{chr(plane * 0x10000 + 0xFFFE)}{chr(plane * 0x10000 + 0xFFFF)}" for plane in range(17))
# NEL stays, as text from other systems ends lines with it; all other controls but tab and line feed are refused.
_NOT_TEXT: Final = re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff{_NONCHARACTERS}]")
_MORE_LINES: Final = frozenset("\t\n\x85")
# What reorders or hides text in one line: bidi controls, zero-width space and joiners of words, tags, byte order mark, fillers.
_DECEPTIVE: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\U000e0000-\U000e0fff]"
)


def allowed_sender(config: Config, address: str | None) -> str:
    """The configured spelling of the sender, the primary one if none is asked for. Raises `sender-not-allowed`."""
    if address is None:
        return config.user
    known = config.sender(address)
    if known is None:
        raise Refusal(Code.SENDER_NOT_ALLOWED)
    return known


def check_reply_fields(*, uid: str | None, message_id: str | None, folder: str | None, uid_validity: int | None) -> None:
    """A reply target is named by uid and Message-ID together; folder and UIDVALIDITY only say more about it."""
    if (uid is None) != (message_id is None):
        field = "reply_to_message_id" if message_id is None else "reply_to_uid"
        raise Refusal(Code.ARGUMENTS_INVALID, field=field, rule="must come together with the other half of the reply target")
    if uid is None:
        for field, value in (("reply_to_folder", folder), ("reply_to_uid_validity", uid_validity)):
            if value is not None:
                raise Refusal(Code.ARGUMENTS_INVALID, field=field, rule="must come with a reply target")


def check_recipients(fields: Sequence[tuple[str, Sequence[str]]]) -> None:
    """Every address is bare and readable in one way only; all fields together hold at most 25."""
    for field, addresses in fields:
        for place, address in enumerate(addresses):
            if not is_recipient(address):
                raise Refusal(Code.ARGUMENTS_INVALID, field=f"{field}.{place}", rule="must be a bare address in ASCII")
    if sum(len(addresses) for _, addresses in fields) > MAX_RECIPIENTS:
        raise Refusal(Code.ARGUMENTS_INVALID, field="to", rule="to, cc and bcc must hold at most 25 addresses together")


def check_subject(subject: str) -> None:
    """One line of characters that a person can see in their order."""
    if _NOT_TEXT.search(subject) or _DECEPTIVE.search(subject) or not _MORE_LINES.isdisjoint(subject):
        raise Refusal(Code.ARGUMENTS_INVALID, field="subject", rule="must not hold controls or characters that hide or reorder text")


def checked_body(body: str, *, max_chars: int) -> str:
    """The body with line feeds. Raises `body-too-large`, and `arguments-invalid` for characters that are no text."""
    if len(body) > max_chars:
        raise Refusal(Code.BODY_TOO_LARGE)
    text = body.replace("\r\n", "\n").replace("\r", "\n")
    if _NOT_TEXT.search(text):
        raise Refusal(Code.ARGUMENTS_INVALID, field="body_text", rule="must not hold control characters other than tab and line ends")
    return text
