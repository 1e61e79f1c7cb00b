"""The index of an examined mailbox: built once, kept true by news, and built again where an answer doesn't fit it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from proton_safe.call import Call
from proton_safe.imap import search_keys
from proton_safe.refusals import Code
from tests.unit.imap.scripted_folder import EXAMINE, INDEX, SEEN, code_of, line, row

if TYPE_CHECKING:
    from proton_safe.imap.pool import Pool
    from tests.unit.imap.conftest import RealClock
    from tests.unit.imap.scripted_bridge import ScriptedBridge


def test_the_index_is_built_once_and_kept_true_by_news(pool: Pool, call: Call, three: ScriptedBridge) -> None:
    """product.md 10: EXISTS, EXPUNGE and FETCH news; rows come in any order (bridge-behaviour 3.2, 3.5)."""
    with pool.examine("inbox", call) as mailbox:
        assert (mailbox.uid_validity, mailbox.exists, mailbox.index()) == (7, 3, INDEX)
    assert three.asked() == ['EXAMINE "INBOX"', "UID FETCH 1:* (UID FLAGS INTERNALDATE)"]
    three.script.answers["NOOP"] = b"* 1 EXPUNGE\r\n* 4 EXISTS\r\n* 1 RECENT\r\n* 1 FETCH (FLAGS (\\Flagged))\r\nTAG OK\r\n"
    three.script.answers["UID FETCH 5:*"] = line(4, 9, 31) + line(3, 8, 2) + b"TAG OK\r\n"
    with pool.examine("INBOX", call) as mailbox:
        newest = mailbox.index()
    assert [(entry.uid, entry.flags) for entry in newest] == [(9, frozenset()), (4, SEEN), (2, frozenset({"\\flagged"})), (8, frozenset())]
    assert three.asked() == ["NOOP", "UID FETCH 5:* (UID FLAGS INTERNALDATE)"]
    three.script.answers["NOOP"] = b"TAG OK\r\n"
    with pool.examine("INBOX", call) as mailbox:
        assert mailbox.index() == newest
    assert three.asked() == ["NOOP"]
    assert three.connections == 1


@pytest.mark.parametrize("news", [b"* 2 EXISTS\r\n", b"* 9 EXPUNGE\r\n", b"* 0 EXPUNGE\r\n"])
def test_news_that_does_not_fit_has_the_index_built_again(pool: Pool, call: Call, three: ScriptedBridge, news: bytes) -> None:
    """Never a guess: neither the index nor the count of messages is believed any more."""
    with pool.examine("INBOX", call) as mailbox:
        mailbox.index()
    three.asked()
    three.script.answers["NOOP"] = news + b"TAG OK\r\n"
    three.script.answers["EXAMINE"] = EXAMINE % (2, 7)
    three.script.answers["UID FETCH 1:*"] = line(1, 2, 9) + line(2, 4, 9) + b"TAG OK\r\n"
    with pool.examine("INBOX", call) as mailbox:
        assert [entry.uid for entry in mailbox.index()] == [4, 2]
    assert three.asked() == ["NOOP", 'EXAMINE "INBOX"', "UID FETCH 1:* (UID FLAGS INTERNALDATE)"]


def test_a_folder_of_which_nothing_is_described_is_not_shown_as_empty(pool: Pool, clock: RealClock, three: ScriptedBridge) -> None:
    """product.md 3: failure is never shown as nothing found."""
    three.script.answers["UID FETCH 1:*"] = b"TAG OK\r\n"
    assert code_of(lambda mailbox: mailbox.index(), pool, Call(clock, seconds=30)) is Code.BAD_RESPONSE
    assert three.asked() == ['EXAMINE "INBOX"', "UID FETCH 1:* (UID FLAGS INTERNALDATE)", "NOOP"]
    three.script.answers["NOOP"] = b"* 1 EXPUNGE\r\n* 1 EXPUNGE\r\n* 1 EXPUNGE\r\nTAG OK\r\n"
    with pool.examine("INBOX", Call(clock, seconds=30)) as mailbox:
        assert mailbox.index() == ()  # gone in the moment between EXAMINE and FETCH
    assert three.connections == 2


@pytest.mark.parametrize("told", [b"UID 4 ", b"UID 9 ", b"UID 0 ", b"UID x "])
def test_flags_of_a_message_that_stands_elsewhere_are_nobody_s(pool: Pool, clock: RealClock, three: ScriptedBridge, told: bytes) -> None:
    """A place and a uid that don't belong together: the index is built again, and no other message gets the flags."""
    with pool.examine("INBOX", Call(clock, seconds=30)) as mailbox:
        mailbox.index()
    three.script.answers["NOOP"] = [b"* 1 FETCH (%sFLAGS (\\Flagged))\r\nTAG OK\r\n" % told, b"TAG OK\r\n"]
    if told in {b"UID 0 ", b"UID x "}:
        assert code_of(lambda mailbox: mailbox.index(), pool, Call(clock, seconds=30)) is Code.BAD_RESPONSE
        return
    three.asked()
    with pool.examine("INBOX", Call(clock, seconds=30)) as mailbox:
        assert mailbox.index() == INDEX
    assert three.asked() == ["NOOP", 'EXAMINE "INBOX"', "UID FETCH 1:* (UID FLAGS INTERNALDATE)"]


def test_a_row_at_another_place_has_the_index_built_again(pool: Pool, clock: RealClock, three: ScriptedBridge) -> None:
    """The row is shown, since its uid was asked for; the places of the index are not believed any more."""
    three.script.answers["UID FETCH 2 "] = row(3, 2) + b"TAG OK\r\n"
    with pool.examine("INBOX", Call(clock, seconds=30)) as mailbox:
        mailbox.index()
        assert set(mailbox.rows((2,))) == {2}
    three.asked()
    with pool.examine("INBOX", Call(clock, seconds=30)) as mailbox:
        mailbox.index()
    assert three.asked() == ["NOOP", 'EXAMINE "INBOX"', "UID FETCH 1:* (UID FLAGS INTERNALDATE)"]


def test_a_known_message_that_is_told_at_another_place_has_the_index_built_again(pool: Pool, call: Call, three: ScriptedBridge) -> None:
    """Other servers show the last message for a range beyond it (RFC 3501 6.4.8): where it stands is looked at, too."""
    with pool.examine("INBOX", call) as mailbox:
        mailbox.index()
        three.asked()
        three.script.answers["NOOP"] = b"* 4 EXISTS\r\nTAG OK\r\n"
        three.script.answers["UID FETCH 5:*"] = line(4, 6, 9) + line(1, 4, 9) + b"TAG OK\r\n"
        mailbox.index()
    assert three.asked()[2:] == ['EXAMINE "INBOX"', "UID FETCH 1:* (UID FLAGS INTERNALDATE)"]


def test_odd_rows_of_an_index_take_the_slow_path(pool: Pool, call: Call, three: ScriptedBridge) -> None:
    """Other item orders, literals, unsolicited flags, a missing date, a place that is never described."""
    three.script.answers["EXAMINE"] = EXAMINE % (5, 7)
    three.script.answers["UID FETCH 1:*"] = (
        b'* 1 FETCH (INTERNALDATE "05-Jan-2026 01:00:00 +0100" UID 1 FLAGS ())\r\n'
        b"* 2 FETCH (FLAGS (\\Seen))\r\n"
        b"* 3 FETCH (UID 4 INTERNALDATE {26}\r\n09-Jan-2026 00:00:00 +0000 FLAGS (\\Seen))\r\n" + line(2, 2, 9) + b"* 4 FETCH (UID 6)\r\n"
        b"* OK [ALERT] \x1b[2J\r\n* X-UNKNOWN (a b)\r\nTAG OK\r\n"
    )
    with pool.examine("INBOX", call) as mailbox:
        newest = mailbox.index()
        assert mailbox.index() == newest
    assert newest[:3] == INDEX
    assert [entry.uid for entry in newest] == [4, 2, 1, 6]


@pytest.mark.parametrize(
    "answer",
    [
        line(1, 1) + line(1, 1),
        line(1, 1) + line(2, 1),
        line(1, 1) + b"* 1 FETCH (UID 5 FLAGS ())\r\n",
        line(9, 1),
        line(1, 1).replace(b"UID 1", b"UID NIL"),
        line(1, 1).replace(b"UID 1", b"UID 1 UID 1"),
        b"* 1 FETCH\r\n",
        b"* 1 FETCH NIL\r\n",
        b"* 2000000 EXISTS\r\n",
        b"* 1 FETCH (BODY[] {300000}\r\n",
        b"garbage\r\n",
        b"+ what\r\n",
        b"p999 OK other tag\r\n",
        b"P3 OK tag in another letter case\r\n",
    ],
)
def test_lies_about_the_index_are_bad_responses(pool: Pool, call: Call, three: ScriptedBridge, answer: bytes) -> None:
    """Attack catalogue, imap/wrong-uid, bad-fetch-items, literal-2g, tag-games."""
    three.script.answers["UID FETCH 1:*"] = line(3, 4) + answer + b"TAG OK\r\n"
    assert code_of(lambda mailbox: mailbox.index(), pool, call) is Code.BAD_RESPONSE
    assert three.asked()[-1].startswith("UID FETCH 1:*")
    with pool.examine("INBOX", call):
        assert three.connections == 2


def test_news_behind_a_row_are_newer_than_the_row(pool: Pool, call: Call, three: ScriptedBridge) -> None:
    """bridge-behaviour 3.2: what has changed meanwhile is told behind the rows of the same answer."""
    three.script.answers["UID FETCH 1"] = row(1, 1) + b"* 1 FETCH (FLAGS (\\Seen))\r\nTAG OK\r\n"
    with pool.examine("INBOX", call) as mailbox:
        assert [entry.uid for entry in mailbox.index(unread_only=True)] == [2, 1]
        mailbox.rows([1])
        assert [entry.uid for entry in mailbox.index(unread_only=True)] == [2]


def test_mail_that_comes_while_the_index_is_built_is_listed(pool: Pool, call: Call, three: ScriptedBridge) -> None:
    """What is told behind the last row isn't among what Bridge left out."""
    three.script.answers["UID FETCH 1:*"] = line(1, 1, 5) + line(3, 4, 9) + line(2, 2, 9) + b"* 4 EXISTS\r\nTAG OK\r\n"
    three.script.answers["UID FETCH 5:*"] = line(4, 6, 20) + b"TAG OK\r\n"
    with pool.examine("INBOX", call) as mailbox:
        mailbox.index()
        assert [entry.uid for entry in mailbox.index()] == [6, 4, 2, 1]


@pytest.mark.parametrize("news", [b"* 9 EXPUNGE\r\n", b"* 2 EXISTS\r\n"])
def test_news_that_does_not_fit_before_an_index_is_there_spoils_none(pool: Pool, call: Call, three: ScriptedBridge, news: bytes) -> None:
    """The count that the index is built by comes from an EXAMINE that was not contradicted."""
    three.script.answers["UID SEARCH"] = news + b"* SEARCH\r\nTAG OK\r\n"
    with pool.examine("INBOX", call) as mailbox:
        mailbox.search(search_keys.UNSEEN)
        assert mailbox.index() == INDEX


def test_a_message_that_bridge_leaves_out_does_not_hide_a_later_one(pool: Pool, call: Call, three: ScriptedBridge) -> None:
    """A place that was never described goes; the next that comes is asked for all the same."""
    three.script.answers["UID FETCH 1:*"] = line(1, 1, 5) + line(3, 4, 9) + b"TAG OK\r\n"
    three.script.answers["UID FETCH 5:*"] = line(3, 6, 20) + b"TAG OK\r\n"
    with pool.examine("INBOX", call) as mailbox:
        assert [entry.uid for entry in mailbox.index()] == [4, 1]
        three.script.answers["NOOP"] = b"* 2 EXPUNGE\r\n* 3 EXISTS\r\nTAG OK\r\n"
        assert [entry.uid for entry in mailbox.index()] == [6, 4, 1]


def test_new_mail_that_is_not_described_has_the_index_built_again(pool: Pool, call: Call, three: ScriptedBridge) -> None:
    """When one of two places gets its message, the other may be that of the new mail: it is not left out for good."""
    three.script.answers["UID FETCH 1:*"] = line(1, 1, 5) + line(2, 2, 9) + b"TAG OK\r\n"
    three.script.answers["UID FETCH 3:*"] = line(3, 4, 9) + b"TAG OK\r\n"
    with pool.examine("INBOX", call) as mailbox:
        assert [entry.uid for entry in mailbox.index()] == [2, 1]
        three.script.answers["NOOP"] = [b"* 4 EXISTS\r\nTAG OK\r\n", b"TAG OK\r\n"]
        three.script.answers["EXAMINE"] = EXAMINE % (4, 7)
        three.script.answers["UID FETCH 1:*"] = line(1, 1, 5) + line(2, 2, 9) + line(3, 4, 9) + line(4, 6, 9) + b"TAG OK\r\n"
        assert [entry.uid for entry in mailbox.index()] == [6, 4, 2, 1]
