"""APPEND (RFC 3501 6.3.11), the only command in this package that changes anything."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from proton_safe import log
from proton_safe.call import CallCancelled
from proton_safe.imap.deadline import Deadline
from proton_safe.imap.search_keys import Literal, string
from proton_safe.refusals import Code, Refusal

if TYPE_CHECKING:
    from proton_safe.call import Call
    from proton_safe.imap.connection import Connection

_APPENDUID: Final = re.compile(rb"APPENDUID ([1-9][0-9]{0,9}) ([1-9][0-9]{0,9})")
_IN_DOUBT: Final = frozenset({Code.CONNECTION_LOST, Code.DEADLINE, Code.BAD_RESPONSE})


@dataclass(frozen=True, slots=True)
class AppendUid:
    """Where Bridge says that it stored the message (RFC 4315 3)."""

    uid_validity: int
    uid: int


def append(connection: Connection, *, raw_name: str, octets: bytes, flags: tuple[str, ...], call: Call) -> AppendUid | None:
    """Store one message, once; `octets` is not empty. None: stored, but Bridge did not say where, or not readably.

    Raises `draft-refused` when Bridge says no, `draft-unknown` when the answer to a message that may have arrived was lost, and
    what `Connection.run` raises when nothing can have been stored. Never repeats anything.
    """
    flag_list = b"(" + " ".join(flags).encode("ascii") + b") "
    try:
        completion = connection.run(Deadline(call), b"APPEND ", string(raw_name.encode("ascii")), b" ", flag_list, Literal(octets))
    except Refusal as refusal:
        if refusal.code is Code.BRIDGE_REFUSED:
            raise Refusal(Code.DRAFT_REFUSED) from None
        if connection.literal_begun and refusal.code in _IN_DOUBT:
            raise Refusal(Code.DRAFT_UNKNOWN) from None
        raise
    except CallCancelled:
        if connection.literal_begun:  # nobody gets an answer any more, so the log alone can tell
            log.event(log.Level.WARNING, "draft-outcome-unknown")
        raise
    if not completion.accepted:
        raise Refusal(Code.DRAFT_REFUSED)
    told = _APPENDUID.fullmatch(completion.code)
    if told is None or max(int(told[1]), int(told[2])) >= 2**32:
        return None
    return AppendUid(int(told[1]), int(told[2]))
