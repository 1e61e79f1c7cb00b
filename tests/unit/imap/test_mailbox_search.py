"""Searches of an examined mailbox, and the dates of what they found."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from proton_safe.call import Call
from proton_safe.imap import search_keys
from proton_safe.refusals import Code
from tests.unit.imap.scripted_bridge import HangUp, ScriptedBridge
from tests.unit.imap.scripted_folder import EXAMINE, INDEX, ROW, code_of, line, row

if TYPE_CHECKING:
    from proton_safe.imap.pool import Pool
    from tests.unit.imap.conftest import RealClock


def test_a_search_sends_literals_and_drops_doubles(pool: Pool, call: Call, three: ScriptedBridge) -> None:
    """Results never contain duplicates, whatever Bridge says (bridge-behaviour 3.4)."""
    three.script.answers["UID SEARCH"] = b"* SEARCH 4 2 4\r\n* SEARCH 2 1\r\nTAG OK\r\n"
    with pool.examine("INBOX", call) as mailbox:
        assert mailbox.search(search_keys.phrase("né").criteria) == (1, 2, 4)
        assert mailbox.search(search_keys.UNSEEN) == (1, 2, 4)
    keys = '<né> OR TEXT "n=C3=A9" OR TEXT "ne=CC=81" OR TEXT "n&eacute;" OR TEXT "N=C3=89" TEXT <ne\u0301>'
    assert three.asked() == ['EXAMINE "INBOX"', f"UID SEARCH CHARSET UTF-8 OR TEXT {keys}", "NOOP", "UID SEARCH UNSEEN"]


@pytest.mark.parametrize(
    "answer, code",
    [
        (b"TAG NO [BADCHARSET]\r\n", Code.BRIDGE_REFUSED),
        (b"TAG BAD [Error offset=9]\r\n", Code.BRIDGE_REFUSED),
        (b" BAD [Error offset=9]: expected CR\r\n", Code.BRIDGE_REFUSED),
        (b"TAG OK but where\r\n", Code.BAD_RESPONSE),
        (b"* SEARCH 0\r\nTAG OK\r\n", Code.BAD_RESPONSE),
        (b"* SEARCH 1 x\r\nTAG OK\r\n", Code.BAD_RESPONSE),
        (b"* SEARCH" + b" 1" * 1_004 + b"\r\nTAG OK\r\n", Code.BAD_RESPONSE),
        (b"* SEARCH " + b"1 " * 600_000 + b"\r\nTAG OK\r\n", Code.BAD_RESPONSE),
        (b"* BYE \x1b[2J down\r\n", Code.CONNECTION_LOST),
        (HangUp(b"* SEARCH 1"), Code.CONNECTION_LOST),
    ],
)
def test_a_search_without_a_result_is_a_failure_and_not_nothing_found(
    pool: Pool, call: Call, three: ScriptedBridge, answer: bytes | HangUp, code: Code
) -> None:
    """product.md 3; attack catalogue, imap/long-line, bye-mid-command, search-charset."""
    three.script.answers["UID SEARCH"] = answer
    assert code_of(lambda mailbox: mailbox.search(search_keys.UNSEEN), pool, call) is code
    assert three.connections == (2 if code is Code.CONNECTION_LOST else 1)


def test_a_continuation_that_never_comes_ends_at_the_deadline(pool: Pool, clock: RealClock, three: ScriptedBridge) -> None:
    """Attack catalogue, imap/continuation-odd."""
    three.script.continuation = b""
    with pool.examine("INBOX", Call(clock, seconds=30)):
        pass
    assert code_of(lambda mailbox: mailbox.search(search_keys.phrase("né").criteria), pool, Call(clock, seconds=0.3)) is Code.DEADLINE


@pytest.mark.parametrize("continuation", [b"+\r\n", b"+ \r\n", b"* 4 EXISTS\r\n+ go\r\n"])
def test_any_continuation_will_do(pool: Pool, call: Call, three: ScriptedBridge, continuation: bytes) -> None:
    """bridge-behaviour 1.6: `+` without a blank."""
    three.script.continuation = continuation
    three.script.answers["UID SEARCH"] = b"* SEARCH\r\nTAG OK\r\n"
    with pool.examine("INBOX", call) as mailbox:
        assert mailbox.search(search_keys.phrase("né").criteria) == ()


def test_dates_of_some_in_a_large_folder_cost_no_index(pool: Pool, call: Call, three: ScriptedBridge) -> None:
    """A search in a folder that was never listed, with more hits than a page holds."""
    three.script.answers["EXAMINE"] = EXAMINE % (60_000, 7)
    three.script.answers["UID FETCH 2,4,5"] = line(50_000, 4, 9, b"\\Seen") + line(7, 2, 9) + b"TAG OK\r\n"
    with pool.examine("INBOX", call) as mailbox:
        assert mailbox.dated([5, 4, 2, *range(10, 110)]) == INDEX[:2]
        assert mailbox.dated([]) == ()
    uids = ",".join(map(str, (2, 4, 5, *range(10, 110))))
    assert three.asked() == ['EXAMINE "INBOX"', f"UID FETCH {uids} (UID FLAGS INTERNALDATE)"]


def test_hits_that_fit_on_a_page_are_dated_by_their_rows(pool: Pool, call: Call, three: ScriptedBridge) -> None:
    """One FETCH gives the order and the rows."""
    three.script.answers["UID FETCH 2,4,5"] = row(3, 4) + row(2, 2) + b"TAG OK\r\n"
    with pool.examine("INBOX", call) as mailbox:
        assert [entry.uid for entry in mailbox.dated([5, 4, 2])] == [4, 2]
        assert sorted(mailbox.rows([4, 2])) == [2, 4]
    assert three.asked() == ['EXAMINE "INBOX"', f"UID FETCH 2,4,5 {ROW}"]


def test_hits_of_which_one_cannot_be_served_are_dated_without_their_rows(pool: Pool, call: Call, three: ScriptedBridge) -> None:
    """bridge-behaviour 3.5: one bad message makes the whole FETCH fail; its date may be had all the same."""
    three.script.answers["UID FETCH 2,4"] = b"TAG NO failed to load\r\n"
    three.script.answers["UID FETCH 2,4 (UID FLAGS INTERNALDATE)"] = line(3, 4, 9) + line(2, 2, 8) + b"TAG OK\r\n"
    with pool.examine("INBOX", call) as mailbox:
        assert [entry.uid for entry in mailbox.dated([4, 2])] == [4, 2]
