"""A search whose time runs out answers with what it has, marked as such; it never says that nothing was found."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from proton_safe.call import Call
from proton_safe.refusals import Code, Refusal
from proton_safe.serving import assemble
from proton_safe.tools import search_messages as tool
from proton_safe.tools.list_messages import ListMessagesArguments, list_messages
from tests.unit.imap.scripted_folder import row

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from proton_safe.config import Config
    from proton_safe.engine import Engine
    from proton_safe.tools.rows import SearchPage
    from tests.unit.imap.conftest import RealClock
    from tests.unit.imap.scripted_bridge import ScriptedBridge

SHORT_S = 2.0


@pytest.fixture
def engine(three: ScriptedBridge, account: Callable[..., Config], clock: RealClock, monkeypatch: pytest.MonkeyPatch) -> Iterator[Engine]:
    """A server of the peer with three messages; half of a short time is for rows."""
    monkeypatch.setattr(tool, "SEARCH_SHARE", 0.5)
    whole = assemble(account(three.port))
    with whole.pool.examine("INBOX", Call(clock, seconds=30)):
        pass  # a kept connection: what connecting costs is not what is tested
    yield whole
    whole.close()


@pytest.fixture
def told() -> list[tuple[float, float | None, str]]:
    """The progress that a client would see."""
    return []


def _search(engine: Engine, clock: RealClock, told: list[tuple[float, float | None, str]], seconds: float = SHORT_S) -> SearchPage:
    call = Call(clock, seconds=seconds, progress=lambda *news: told.append(news))
    return tool.search_messages(engine, call, tool.SearchMessagesArguments(query="lantern", limit=2))


def test_a_search_that_bridge_does_not_finish_has_no_total(
    engine: Engine, clock: RealClock, three: ScriptedBridge, told: list[tuple[float, float | None, str]]
) -> None:
    """Not even how many there are is known; the next search is served, on another connection."""
    three.script.answers["UID SEARCH"] = [b"* SEARCH 4", b"* SEARCH 4\r\nTAG OK\r\n"]
    three.script.answers["UID FETCH 4"] = row(3, 4) + b"TAG OK\r\n"
    page = _search(engine, clock, told)
    assert (page.messages, page.total, page.partial, page.next_cursor, page.uid_validity) == ([], None, True, None, 7)
    assert page.warnings == ["search-unfinished"]
    page = _search(engine, clock, told, seconds=30)
    assert ([each.uid for each in page.messages], page.total, page.partial, page.warnings) == (["4"], 1, False, [])
    assert three.connections == 2


def test_hits_that_cannot_be_dated_in_time_are_counted(
    engine: Engine, clock: RealClock, three: ScriptedBridge, told: list[tuple[float, float | None, str]]
) -> None:
    """Without dates there is no order, so there are no rows; the number is known."""
    three.script.answers["UID SEARCH"] = b"* SEARCH 1 2 4\r\nTAG OK\r\n"
    three.script.answers["UID FETCH 1,2,4"] = row(3, 4)
    page = _search(engine, clock, told)
    assert (page.messages, page.total, page.partial, page.next_cursor) == ([], 3, True, None)


def test_a_folder_that_is_not_opened_again_in_time_costs_the_rows_and_not_the_answer(
    engine: Engine, clock: RealClock, three: ScriptedBridge, told: list[tuple[float, float | None, str]]
) -> None:
    """News that did not fit has it opened anew before anything is dated; whose numbering was searched is still told."""
    with engine.pool.examine("INBOX", Call(clock, seconds=30)) as mailbox:
        mailbox.index()
    three.script.answers["UID SEARCH"] = b"* SEARCH 1 2 4\r\n* 9 EXPUNGE\r\nTAG OK\r\n"
    three.script.answers["EXAMINE"] = b"* 3 EXISTS\r\n"
    page = _search(engine, clock, told)
    assert (page.messages, page.total, page.partial, page.uid_validity) == ([], 3, True, 7)


@pytest.mark.parametrize("indexed", [False, True])
def test_hits_that_vanish_before_they_are_dated_are_counted(
    engine: Engine, clock: RealClock, three: ScriptedBridge, told: list[tuple[float, float | None, str]], indexed: bool
) -> None:
    """Something was found, so that nothing to show is not shown as nothing found."""
    if indexed:
        with engine.pool.examine("INBOX", Call(clock, seconds=30)) as mailbox:
            mailbox.index()
    three.script.answers["UID SEARCH"] = b"* SEARCH 5 6\r\nTAG OK\r\n"
    page = _search(engine, clock, told, seconds=30)
    assert (page.messages, page.total, page.skipped, page.partial) == ([], 0, 2, False)


def test_rows_that_do_not_come_in_time_are_shown_by_their_uid_and_date(
    engine: Engine, clock: RealClock, three: ScriptedBridge, told: list[tuple[float, float | None, str]]
) -> None:
    """What the folder's index knows is told, and a cursor leads to the rest."""
    with engine.pool.examine("INBOX", Call(clock, seconds=30)) as mailbox:
        mailbox.index()
    three.script.answers["UID SEARCH"] = b"* SEARCH 1 2 4\r\nTAG OK\r\n"
    three.script.answers["UID FETCH 2,4"] = row(3, 4)
    page = _search(engine, clock, told)
    assert [(each.uid, each.subject, each.unread, each.received[:10]) for each in page.messages] == [
        ("4", "subject", True, "2026-01-01"),
        ("2", "", True, "2026-01-09"),
    ]
    assert [each.parse_warnings for each in page.messages] == [["address-unreadable"], ["item-missing"]]  # a scripted row names no sender
    assert (page.total, page.partial, page.skipped, page.next_cursor is not None) == (3, True, 0, True)


def test_a_search_tells_how_far_it_is(
    engine: Engine, clock: RealClock, three: ScriptedBridge, told: list[tuple[float, float | None, str]]
) -> None:
    """For clients that asked; the words are ours."""
    three.script.answers["UID SEARCH"] = b"* SEARCH\r\nTAG OK\r\n"
    page = _search(engine, clock, told, seconds=30)
    assert (page.messages, page.total, page.partial) == ([], 0, False)
    assert [done for done, _, _ in told] == [1, 2, 3]


def test_a_list_tells_how_far_it_is(engine: Engine, clock: RealClock, three: ScriptedBridge) -> None:
    """The first look at a long folder takes a while."""
    told: list[tuple[float, float | None, str]] = []
    three.script.answers["UID FETCH 2,4"] = row(3, 4) + row(2, 2) + b"TAG OK\r\n"
    call = Call(clock, seconds=30, progress=lambda *news: told.append(news))
    page = list_messages(engine, call, ListMessagesArguments(limit=2))
    assert [each.uid for each in page.messages] == ["4", "2"]
    assert [done for done, _, _ in told] == [1, 2]


def test_a_list_that_is_late_is_refused(engine: Engine, clock: RealClock, three: ScriptedBridge) -> None:
    """A list has an order and a total or it is none."""
    three.script.answers["UID FETCH 1,2,4"] = row(1, 1)
    with pytest.raises(Refusal) as raised:
        list_messages(engine, Call(clock, seconds=SHORT_S), ListMessagesArguments())
    assert raised.value.code is Code.DEADLINE
