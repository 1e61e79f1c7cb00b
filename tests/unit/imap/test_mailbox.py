"""An examined mailbox that is opened again, renumbered, refused or given up, against answers that no Bridge gives or few give."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from proton_safe.call import Call, CallCancelled
from proton_safe.imap import search_keys
from proton_safe.refusals import Code, Refusal
from tests.unit.imap.scripted_bridge import HangUp, ScriptedBridge
from tests.unit.imap.scripted_folder import EXAMINE, INDEX, code_of, row

if TYPE_CHECKING:
    from proton_safe.imap.mailbox import Mailbox
    from proton_safe.imap.pool import Pool
    from tests.unit.imap.conftest import RealClock


@pytest.mark.parametrize(
    "answers, code",
    [
        ([HangUp(), EXAMINE % (3, 7)], None),
        ([HangUp()], Code.CONNECTION_LOST),
        ([b"garbage\r\n"], Code.BAD_RESPONSE),
        ([b"* 3 EXISTS\r\nTAG OK no validity\r\n"], Code.BAD_RESPONSE),
        ([b"TAG BAD\r\n"], Code.BRIDGE_REFUSED),
        ([b"TAG NO no such mailbox\r\n"], Code.MAILBOX_NOT_FOUND),
    ],
)
def test_what_goes_wrong_when_a_folder_is_opened_again_is_told_as_what_it_is(
    pool: Pool, call: Call, three: ScriptedBridge, answers: list[bytes | HangUp], code: Code | None
) -> None:
    """A lost connection is asked again on a new one, like at any other question."""
    with pool.examine("INBOX", call) as mailbox:
        mailbox.index()
    three.script.answers["LIST"] = b'* LIST () "/" "Elsewhere"\r\nTAG OK\r\n'
    three.script.answers["NOOP"] = b"* 9 EXPUNGE\r\nTAG OK\r\n"
    three.script.answers["EXAMINE"] = answers
    if code is None:
        with pool.examine("INBOX", call) as mailbox:
            assert mailbox.index() == INDEX
    else:
        assert code_of(lambda mailbox: mailbox.index(), pool, call) is code


def test_a_folder_that_is_not_opened_again_in_time_is_late(pool: Pool, clock: RealClock, three: ScriptedBridge) -> None:
    """And what was known of its numbering stays known, for the answer that is given in part."""
    with pool.examine("INBOX", Call(clock, seconds=30)) as mailbox:
        mailbox.index()
    three.script.answers["NOOP"] = b"* 9 EXPUNGE\r\nTAG OK\r\n"
    three.script.answers["EXAMINE"] = b"* 3 EXISTS\r\n"
    with pool.examine("INBOX", Call(clock, seconds=0.3)) as mailbox, pytest.raises(Refusal) as raised:
        mailbox.index()
    assert raised.value.code is Code.DEADLINE
    assert mailbox.uid_validity == 7


@pytest.mark.parametrize("command", ["NOOP", "UID FETCH 2 "])
def test_a_renumbering_that_is_told_in_passing_is_a_changed_mailbox(
    pool: Pool, clock: RealClock, three: ScriptedBridge, command: str
) -> None:
    """RFC 3501 7.1 lets a server tell UIDVALIDITY at any time; its like is no news."""
    three.script.answers["UID FETCH 2 "] = row(2, 2) + b"TAG OK\r\n"

    def list_them(mailbox: Mailbox) -> None:
        mailbox.index()
        mailbox.rows((2,))

    with pool.examine("INBOX", Call(clock, seconds=30)) as mailbox:
        list_them(mailbox)
    three.script.answers[command] = b"* OK [UIDVALIDITY 7]\r\n" + (row(2, 2) if command != "NOOP" else b"") + b"TAG OK\r\n"
    with pool.examine("INBOX", Call(clock, seconds=30)) as mailbox:
        list_them(mailbox)
    three.script.answers[command] = b"* OK [UIDVALIDITY 8]\r\n" + (row(2, 2) if command != "NOOP" else b"") + b"TAG OK\r\n"
    assert code_of(list_them, pool, Call(clock, seconds=30)) is Code.MAILBOX_CHANGED
    assert three.connections == 1
    with pool.examine("INBOX", Call(clock, seconds=30)) as mailbox:
        assert mailbox.index() == INDEX
    assert three.connections == 2


@pytest.mark.parametrize(
    "answer",
    [
        EXAMINE % (3, 0),
        EXAMINE % (3, 2**32),
        EXAMINE % (2_000_000, 7),
        b"* 3 EXISTS\r\nTAG OK\r\n",
        b"* OK [UIDVALIDITY 7]\r\nTAG OK\r\n",
        b"* OK [UIDVALIDITY 7]\r\n* OK [UIDVALIDITY 8]\r\n* 3 EXISTS\r\nTAG OK\r\n",
    ],
)
def test_a_folder_without_a_usable_validity_and_count_is_not_read(pool: Pool, call: Call, three: ScriptedBridge, answer: bytes) -> None:
    """Attack catalogue, imap/uidvalidity-change: 0, missing, 2^32."""
    three.script.answers["EXAMINE"] = answer
    with pytest.raises(Refusal) as raised, pool.examine("INBOX", call):
        pass
    assert raised.value.code is Code.BAD_RESPONSE


def test_a_folder_that_is_refused_leaves_no_other_open(pool: Pool, clock: RealClock, three: ScriptedBridge) -> None:
    """RFC 3501 6.3.1: after a NO nothing is open, on Bridge what was open before (bridge-behaviour 3.1). Neither is relied upon."""
    three.script.answers["LIST"] = b'* LIST () "/" "Away"\r\nTAG OK\r\n'
    three.script.answers['EXAMINE "Away"'] = b"* 9 EXISTS\r\nTAG NO\r\n"
    with pool.examine("INBOX", Call(clock, seconds=30)) as mailbox:
        assert mailbox.index() == INDEX
    with pytest.raises(Refusal), pool.examine("Away", Call(clock, seconds=30)):
        pass
    three.asked()
    with pool.examine("INBOX", Call(clock, seconds=30)) as mailbox:
        assert mailbox.index() == INDEX
    assert three.asked() == ['EXAMINE "INBOX"', "UID FETCH 1:* (UID FLAGS INTERNALDATE)"]


def test_a_folder_that_was_renumbered_when_it_is_opened_again_dates_no_uids(pool: Pool, call: Call, three: ScriptedBridge) -> None:
    """RFC 3501 2.3.1.1: what was found has other numbers now."""
    with pool.examine("INBOX", call) as mailbox:
        mailbox.index()
        three.script.answers["NOOP"] = b"* 9 EXPUNGE\r\nTAG OK\r\n"
        three.script.answers["UID SEARCH"] = b"* SEARCH 1\r\nTAG OK\r\n"
        three.script.answers["EXAMINE"] = EXAMINE % (3, 8)
        found = mailbox.search(search_keys.UNSEEN)
        with pytest.raises(Refusal) as raised:
            mailbox.dated(found)
    assert raised.value.code is Code.MAILBOX_CHANGED


def test_a_cancelled_wait_ends_and_gives_its_connection_up(pool: Pool, clock: RealClock, call: Call, three: ScriptedBridge) -> None:
    """product.md 3: at once, at the socket."""
    three.script.answers["UID SEARCH"] = b""
    waiting = Call(clock, seconds=30)
    threading.Timer(0.1, waiting.cancel).start()
    with pytest.raises(CallCancelled), pool.examine("INBOX", waiting) as mailbox:
        mailbox.search(search_keys.UNSEEN)
    with pool.examine("INBOX", call):
        assert three.connections == 2
