"""The opaque `next_cursor` of lists and searches: where a page ended, bound to the folder, its UIDVALIDITY and the question.

A position (date received, uid) and no offset, so that new mail doesn't shift pages. It holds nothing secret and grants nothing; one
that was made up is refused when it can't be read, and otherwise names a position like any other.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from proton_safe.refusals import Code, Refusal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from proton_safe.imap.index import IndexEntry

MAX_CHARS: Final = 512
_BINDING_CHARS: Final = 22
_NUMBERS: Final = range(-(2**63), 2**63)


@dataclass(frozen=True, slots=True)
class Cursor:
    """A position: everything behind the message with this date received (seconds) and uid is still to come."""

    uid_validity: int
    received: int
    uid: int

    def place_in(self, entries: Sequence[IndexEntry]) -> int:
        """Where the first of the entries (newest first) stands that lies behind the position; their number if none does."""
        return bisect_right(entries, (-self.received, -self.uid), key=lambda entry: (-entry.received, -entry.uid))


def write(*, tool: str, raw_name: str, question: str, uid_validity: int, last: IndexEntry) -> str:
    """The cursor behind `last`, for this tool, folder and question."""
    payload = json.dumps([_binding(tool, raw_name, question), uid_validity, last.received, last.uid], separators=(",", ":"))
    return base64.urlsafe_b64encode(payload.encode("ascii")).rstrip(b"=").decode("ascii")


def read(text: str, *, tool: str, raw_name: str, question: str, uid_validity: int) -> Cursor:
    """The position that `text` names.

    Raises `arguments-invalid` (field `cursor`) when it can't be read or belongs to another question, `mailbox-changed` when the
    folder was renumbered since.
    """
    binding, position = _parts(text)
    if binding != _binding(tool, raw_name, question):
        raise _invalid()
    if position.uid_validity != uid_validity:
        raise Refusal(Code.MAILBOX_CHANGED, field="cursor")
    return position


def _parts(text: str) -> tuple[str, Cursor]:
    try:
        payload = base64.b64decode(text.encode("ascii") + b"=" * (-len(text) % 4), altchars=b"-_", validate=True)
        parts = json.loads(payload)
    except (binascii.Error, UnicodeError, ValueError, RecursionError):
        raise _invalid() from None
    if not isinstance(parts, list) or len(parts) != 4:
        raise _invalid()
    binding, *numbers = parts
    if not isinstance(binding, str) or not all(type(number) is int and number in _NUMBERS for number in numbers):
        raise _invalid()
    return binding, Cursor(*numbers)


def _binding(tool: str, raw_name: str, question: str) -> str:
    asked = json.dumps([tool, raw_name, question]).encode("ascii")
    return base64.urlsafe_b64encode(hashlib.sha256(asked).digest()).decode("ascii")[:_BINDING_CHARS]


def _invalid() -> Refusal:
    return Refusal(Code.ARGUMENTS_INVALID, field="cursor", rule="must be the next_cursor of the last answer to the same question")
