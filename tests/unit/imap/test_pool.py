"""Connections between calls: kept, reused, never more than four, closed when idle; and the folders they are asked for."""

from __future__ import annotations

import contextlib
import threading
from typing import TYPE_CHECKING

import pytest

from proton_safe.call import Call, CallCancelled
from proton_safe.imap import pool as pool_module
from proton_safe.imap.pool import IDLE_S, MAX_CONNECTIONS
from proton_safe.refusals import Code, Refusal
from tests.unit.imap.scripted_bridge import WAIT_S, HangUp
from tests.unit.imap.scripted_folder import EXAMINE, LIST, code_of, line, status

if TYPE_CHECKING:
    from proton_safe.imap.pool import Pool
    from tests.unit.imap.conftest import RealClock
    from tests.unit.imap.scripted_bridge import ScriptedBridge


def test_calls_share_one_connection(pool: Pool, call: Call, three: ScriptedBridge) -> None:
    """Peer fault A17: no TCP, TLS and LOGIN per call; before a write a kept one is asked for a sign of life."""
    assert (status(pool, call), status(pool, call)) == ({}, {})
    with pool.connection(call):
        pass
    assert three.connections == 1
    assert three.asked() == ['STATUS "INBOX" (MESSAGES UNSEEN)', 'STATUS "INBOX" (MESSAGES UNSEEN)', "NOOP"]


@pytest.mark.parametrize(
    "answer",
    [
        b'* STATUS "Other" (MESSAGES 99 UNSEEN 9)\r\n* STATUS "INBOX" (MESSAGES 3 UNSEEN 1)\r\n',
        b"* STATUS inbox (MESSAGES 3 UNSEEN 1)\r\n* STATUS Other (MESSAGES 99 UNSEEN 9)\r\n",
    ],
)
def test_what_is_told_of_another_mailbox_is_no_answer(pool: Pool, call: Call, three: ScriptedBridge, answer: bytes) -> None:
    """RFC 3501 7.2.4: a STATUS response names its mailbox."""
    three.script.answers["STATUS"] = answer + b"TAG OK\r\n"
    assert status(pool, call) == {b"MESSAGES": 3, b"UNSEEN": 1}


def test_folders_are_resolved_by_the_last_list_or_one_more(pool: Pool, call: Call, bridge: ScriptedBridge) -> None:
    """product.md 4; INBOX needs no LIST."""
    bridge.script.answers["LIST"] = LIST
    assert pool.resolve("inbox", call).raw_name == "INBOX"
    assert bridge.asked() == []
    assert pool.resolve("A", call).raw_name == "A"
    assert pool.resolve("Entwürfe", call) == pool.drafts(call)
    assert bridge.asked() == ['LIST "" "*"']
    with pytest.raises(Refusal) as raised:
        pool.resolve("C", call)
    assert raised.value.code is Code.MAILBOX_NOT_FOUND
    with pytest.raises(Refusal) as raised:
        pool.resolve("Groups", call)
    assert raised.value.code is Code.MAILBOX_NOT_FOUND
    assert bridge.asked() == ['LIST "" "*"']


def test_no_drafts_mailbox_is_its_own_refusal(pool: Pool, call: Call, bridge: ScriptedBridge) -> None:
    """A write has nowhere to go; nothing was created."""
    bridge.script.answers["LIST"] = b'* LIST () "/" "Drafts"\r\nTAG OK\r\n'
    with pytest.raises(Refusal) as raised:
        pool.drafts(call)
    assert raised.value.code is Code.DRAFTS_UNAVAILABLE


@pytest.mark.parametrize("listed, code", [(True, Code.BRIDGE_REFUSED), (False, Code.MAILBOX_NOT_FOUND)])
def test_a_refused_examine_is_looked_at_once_more(pool: Pool, call: Call, bridge: ScriptedBridge, listed: bool, code: Code) -> None:
    """The folder went away since the last LIST, or Bridge refuses what it lists."""
    bridge.script.answers["LIST"] = [LIST, LIST if listed else b"TAG OK\r\n"]
    bridge.script.answers["EXAMINE"] = b"TAG NO no such mailbox\r\n"
    with pytest.raises(Refusal) as raised, pool.examine("A", call):
        pass
    assert raised.value.code is code
    assert bridge.asked() == ['LIST "" "*"', 'EXAMINE "A"', 'LIST "" "*"'] or bridge.connections == 1


@pytest.mark.parametrize("answer", [b"TAG NO\r\n", b"TAG BAD\r\n"])
def test_a_refused_list_or_status_is_bridge_refused(pool: Pool, call: Call, bridge: ScriptedBridge, answer: bytes) -> None:
    """Constant sentences, whatever Bridge wrote."""
    bridge.script.answers.update({"LIST": answer, "STATUS": answer})
    with pytest.raises(Refusal) as listed:
        pool.mailboxes(call)
    with pytest.raises(Refusal) as counted:
        status(pool, call)
    assert listed.value.code is counted.value.code is Code.BRIDGE_REFUSED


def test_a_large_index_keeps_its_connection_while_another_folder_gets_its_own(pool: Pool, call: Call, bridge: ScriptedBridge) -> None:
    """An index is worth more than a connection; small ones are not."""
    bridge.script.answers["LIST"] = LIST
    bridge.script.answers["EXAMINE"] = EXAMINE % (3_000, 7)
    bridge.script.answers["UID FETCH 1:*"] = b"".join(line(place, place) for place in range(1, 3_001)) + b"TAG OK\r\n"
    for folder in ("A", "B", "A", "B"):
        with pool.examine(folder, call) as mailbox:
            assert len(mailbox.index()) == 3_000
    assert bridge.connections == 2
    assert [command for command in bridge.asked() if command.startswith("EXAMINE")] == ['EXAMINE "A"', 'EXAMINE "B"']


def test_never_more_than_four_and_the_fifth_waits(pool: Pool, clock: RealClock, three: ScriptedBridge) -> None:
    """A call that finds all in use waits for one, to its own deadline."""
    inside = threading.Barrier(MAX_CONNECTIONS + 1)
    leave = threading.Event()

    def hold() -> None:
        with pool.examine("INBOX", Call(clock, seconds=30)):
            inside.wait(30)
            leave.wait(30)

    holders = [threading.Thread(target=hold) for _ in range(MAX_CONNECTIONS)]
    for holder in holders:
        holder.start()
    inside.wait(30)
    with pytest.raises(Refusal) as raised, pool.connection(Call(clock, seconds=0.2)):
        pass
    assert raised.value.code is Code.DEADLINE
    cancelled = Call(clock, seconds=30)
    threading.Timer(0.05, cancelled.cancel).start()
    with pytest.raises(CallCancelled), pool.connection(cancelled):
        pass
    threading.Timer(0.05, leave.set).start()
    with pool.connection(Call(clock, seconds=30)):
        pass
    for holder in holders:
        holder.join(30)
    assert three.connections == MAX_CONNECTIONS


def test_an_idle_connection_is_logged_out_on_the_next_use(pool: Pool, call: Call, clock: RealClock, three: ScriptedBridge) -> None:
    """Five minutes without use."""
    with pool.connection(call):
        pass
    clock.ahead = IDLE_S + 1
    with pool.connection(Call(clock, seconds=30)):
        pass
    assert three.connections == 2
    assert "LOGOUT" in three.commands
    assert pool._open == 1  # its place is free again: without it, nothing could be opened after four of them


def test_a_closed_pool_logs_out_and_lends_nothing(pool: Pool, clock: RealClock, call: Call, three: ScriptedBridge) -> None:
    """End of the process; what is in use is closed when it comes back."""
    with pool.connection(call), pool.connection(call):
        pass
    with pool.connection(call) as connection:
        pool.close()
        pool.close()
        assert three.commands.count("LOGOUT") == 1
    assert not connection.usable
    opened = three.connections
    with pytest.raises(Refusal) as raised, pool.connection(Call(clock, seconds=30)):
        pass
    assert raised.value.code is Code.CONNECTION_LOST
    assert three.connections == opened


def test_all_idle_connections_are_told_before_anybody_is_waited_for(
    pool: Pool, clock: RealClock, three: ScriptedBridge, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Peers that don't answer LOGOUT cost the end one wait and not one wait for each: here nobody answers before all were told."""
    with contextlib.ExitStack() as held:
        for _ in range(MAX_CONNECTIONS):
            held.enter_context(pool.connection(Call(clock, seconds=30)))
    all_told = threading.Barrier(MAX_CONNECTIONS)
    usual = three._answer

    def together(command: str) -> bytes | HangUp:
        if command == "LOGOUT":
            all_told.wait(WAIT_S)
        return usual(command)

    monkeypatch.setattr(three, "_answer", together)
    monkeypatch.setattr(pool_module, "LOGOUT_S", WAIT_S)
    pool.close()
    assert not all_told.broken
    assert three.commands.count("LOGOUT") == MAX_CONNECTIONS


def test_idle_connections_are_closed_though_nobody_calls(
    pool: Pool, call: Call, three: ScriptedBridge, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Peer fault A17: closed when idle; one timer for all, none once nothing is open."""
    monkeypatch.setattr(pool_module, "IDLE_S", 0.0)
    status(pool, call)
    sweeper = pool._sweeper
    assert sweeper is not None
    sweeper.join()
    assert (pool._idle, pool._sweeper) == ([], None)
    assert three.commands[-1] == "LOGOUT"
    status(pool, call)
    assert three.connections == 2


def test_what_is_used_meanwhile_is_looked_at_again_later(pool: Pool, call: Call, three: ScriptedBridge) -> None:
    """The timer of an older use finds nothing to close and sets another."""
    status(pool, call)
    first = pool._sweeper
    assert first is not None
    first.cancel()
    pool._sweep()
    assert len(pool._idle) == 1
    assert pool._sweeper not in {None, first}
    pool.close()
    assert three.commands[-1] == "LOGOUT"


@pytest.mark.parametrize("rest, code", [(b"TAG OK again\r\n", Code.BAD_RESPONSE), (b"* 9 EXISTS\r\n", Code.BAD_RESPONSE), (b"\r\n", None)])
def test_what_comes_behind_an_answer_is_no_answer_to_the_next_question(
    pool: Pool, clock: RealClock, three: ScriptedBridge, rest: bytes, code: Code | None
) -> None:
    """bridge-behaviour 3.2: nothing between commands, but for the empty line of 1.7; no further command goes out in doubt."""
    three.script.answers["EXAMINE"] = EXAMINE % (3, 7) + rest
    if code is None:
        with pool.examine("INBOX", Call(clock, seconds=30)) as mailbox:
            assert len(mailbox.index()) == 3
    else:
        assert code_of(lambda mailbox: mailbox.index(), pool, Call(clock, seconds=30)) is code
        assert three.asked() == ['EXAMINE "INBOX"']
