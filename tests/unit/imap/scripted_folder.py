"""A folder of three messages as a scripted peer shows it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest

from proton_safe.imap import questions
from proton_safe.imap.index import IndexEntry
from proton_safe.refusals import Code, Refusal

if TYPE_CHECKING:
    from collections.abc import Callable

    from proton_safe.call import Call
    from proton_safe.imap.mailbox import Mailbox
    from proton_safe.imap.pool import Pool
    from tests.unit.imap.scripted_bridge import ScriptedBridge

EXAMINE = b"* FLAGS (\\Seen)\r\n* %d EXISTS\r\n* 0 RECENT\r\n* OK [UIDNEXT 15]\r\n* OK [UIDVALIDITY %d]\r\nTAG OK [READ-ONLY] EXAMINE\r\n"
DAY = 86_400
NEW_YEAR = 1_767_225_600
ENVELOPE = b'(NIL "subject" NIL NIL NIL NIL NIL NIL NIL NIL)'
SEEN = frozenset({"\\seen"})
ROW = "(UID FLAGS INTERNALDATE RFC822.SIZE ENVELOPE)"
INDEX = (
    IndexEntry(4, NEW_YEAR + 8 * DAY, SEEN),
    IndexEntry(2, NEW_YEAR + 8 * DAY, frozenset()),
    IndexEntry(1, NEW_YEAR + 4 * DAY, frozenset()),
)
"""What the index of the three messages holds, newest first."""
LIST = (
    b'* LIST (\\Drafts) "/" "Entw&APw-rfe"\r\n* LIST () "/" "A"\r\n* LIST () "/" "B"\r\n* LIST (\\Noselect) "/" "Groups"\r\nTAG OK LIST\r\n'
)
"""Folders beside INBOX: the drafts, two that can be opened and one that can't."""


def line(sequence: int, uid: int, day: int = 1, flags: bytes = b"") -> bytes:
    """A row of the index, received on a day of January 2026."""
    return b'* %d FETCH (UID %d FLAGS (%s) INTERNALDATE "%02d-Jan-2026 00:00:00 +0000")\r\n' % (sequence, uid, flags, day)


def row(sequence: int, uid: int) -> bytes:
    """A row of a list."""
    return line(sequence, uid).replace(b")\r\n", b" RFC822.SIZE 9 ENVELOPE %s)\r\n" % ENVELOPE)


def show_three(bridge: ScriptedBridge) -> ScriptedBridge:
    """A folder of three messages, uids 1, 2 and 4."""
    bridge.script.answers["EXAMINE"] = EXAMINE % (3, 7)
    bridge.script.answers["UID FETCH 1:*"] = line(1, 1, 5) + line(3, 4, 9, b"\\Seen") + line(2, 2, 9) + b"TAG OK\r\n"
    return bridge


def code_of(ask: Callable[[Mailbox], object], pool: Pool, call: Call, folder: str = "INBOX") -> Code:
    """With which code a question to the folder is refused."""
    with pool.examine(folder, call) as mailbox, pytest.raises(Refusal) as raised:
        ask(mailbox)
    return raised.value.code


def status(pool: Pool, call: Call) -> dict[bytes, int]:
    """The counts of INBOX: a question that opens no folder."""
    return pool.ask(partial(questions.status, raw_name="INBOX"), call)
