"""Connections between calls: kept, reused, replaced once when dead, never more than four, closed when idle."""

from __future__ import annotations

import contextlib
import threading
from functools import partial
from typing import TYPE_CHECKING

import pytest

from proton_safe.call import Call, CallCancelled
from proton_safe.imap import pool as pool_module
from proton_safe.imap import questions
from proton_safe.imap.pool import IDLE_S, MAX_CONNECTIONS
from proton_safe.refusals import Code, Refusal
from tests.unit.imap.scripted_bridge import WAIT_S, HangUp
from tests.unit.imap.scripted_folder import EXAMINE, code_of, line

if TYPE_CHECKING:
    from proton_safe.imap.pool import Pool
    from tests.unit.imap.conftest import RealClock
    from tests.unit.imap.scripted_bridge import ScriptedBridge

LIST = (
    b'* LIST (\\Drafts) "/" "Entw&APw-rfe"\r\n* LIST () "/" "A"\r\n* LIST () "/" "B"\r\n* LIST (\\Noselect) "/" "Groups"\r\nTAG OK LIST\r\n'
)


def _status(pool: Pool, call: Call) -> dict[bytes, int]:
    return pool.ask(partial(questions.status, raw_name="INBOX"), call)


def test_calls_share_one_connection(pool: Pool, call: Call, three: ScriptedBridge) -> None:
    """Peer fault A17: no TCP, TLS and LOGIN per call; before a write a kept one is asked for a sign of life."""
    assert (_status(pool, call), _status(pool, call)) == ({}, {})
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
    assert _status(pool, call) == {b"MESSAGES": 3, b"UNSEEN": 1}


def test_a_question_is_asked_again_once_when_its_connection_breaks(pool: Pool, clock: RealClock, three: ScriptedBridge) -> None:
    """product.md 9: re-opened once on a drop for reads, in the middle of an answer too."""
    three.script.answers["STATUS"] = [HangUp(b'* STATUS "INBOX" (MESSAGES 3'), b'* STATUS "INBOX" (MESSAGES 3 UNSEEN 1)\r\nTAG OK\r\n']
    assert _status(pool, Call(clock, seconds=30)) == {b"MESSAGES": 3, b"UNSEEN": 1}
    assert three.connections == 2
    three.script.answers["STATUS"] = HangUp()
    with pytest.raises(Refusal) as raised:
        _status(pool, Call(clock, seconds=30))
    assert raised.value.code is Code.CONNECTION_LOST
    assert three.connections == 3


def test_before_a_write_a_dead_connection_is_replaced(pool: Pool, call: Call, three: ScriptedBridge) -> None:
    """APPEND itself is never repeated, so the connection must be alive when it begins."""
    with pool.connection(call):
        pass
    three.script.answers["NOOP"] = HangUp(b"* BYE\r\n")
    with pool.connection(call) as connection:
        assert connection.usable
    assert three.connections == 2


@pytest.mark.parametrize("how", ["closed", "bye", "noise"])
def test_a_kept_connection_that_died_is_replaced_once(pool: Pool, call: Call, three: ScriptedBridge, how: str) -> None:
    """product.md 9: re-opened once on a drop for reads; bridge-behaviour 1.10 for the BYE to the next command."""
    three.script.answers["UID FETCH 1:*"] = [line(1, 1) + line(2, 2) + line(3, 4) + b"TAG OK\r\n", line(1, 1) + b"TAG OK\r\n"]
    with pool.examine("INBOX", call) as mailbox:
        assert len(mailbox.index()) == 3
    if how == "closed":
        three.hang_up()
    elif how == "bye":
        three.script.answers["NOOP"] = HangUp(b"* BYE IMAP session state is inconsistent, please re-login.\r\n")
    else:
        three.script.answers["NOOP"] = HangUp(b"")
    with pool.examine("INBOX", call) as mailbox:
        assert [entry.uid for entry in mailbox.index()] == [1]
    assert three.connections == 2


@pytest.mark.parametrize("command", ["UID FETCH 4 ", "EXAMINE"])
def test_a_read_on_a_dead_connection_is_asked_again_on_a_new_one(pool: Pool, call: Call, three: ScriptedBridge, command: str) -> None:
    """The first command that meets the dead connection is repeated, whichever it is."""
    found = b"* 3 FETCH (UID 4 FLAGS ())\r\nTAG OK\r\n"
    three.script.answers["LIST"] = LIST
    three.script.answers["UID FETCH 4 "] = found
    with pool.examine("A", call):
        pass
    three.script.answers["EXAMINE"] = [HangUp(), EXAMINE % (3, 7)] if command == "EXAMINE" else EXAMINE % (3, 7)
    three.script.answers["UID FETCH 4 "] = [HangUp(), found] if command != "EXAMINE" else found
    with pool.examine("INBOX" if command == "EXAMINE" else "A", call) as mailbox:
        assert mailbox.message(4).uid == 4
    assert three.connections == 2


def test_a_second_loss_is_told_and_not_repeated(pool: Pool, clock: RealClock, three: ScriptedBridge) -> None:
    """Attack catalogue, imap/reconnect-storm: at most two connects per call."""
    with pool.examine("INBOX", Call(clock, seconds=30)):
        pass
    three.script.answers["UID FETCH"] = HangUp()
    assert code_of(lambda mailbox: mailbox.message(4), pool, Call(clock, seconds=30)) is Code.CONNECTION_LOST
    assert three.connections == 2
    assert code_of(lambda mailbox: mailbox.message(4), pool, Call(clock, seconds=30)) is Code.CONNECTION_LOST
    assert three.connections == 4


def test_a_folder_renumbered_under_a_read_is_said_so_and_a_list_starts_anew(pool: Pool, clock: RealClock, three: ScriptedBridge) -> None:
    """bridge-behaviour 2.4: after a repair an old uid names another mail."""
    gone = HangUp(b"* BYE IMAP session state is inconsistent, please re-login.\r\n")
    three.script.answers["EXAMINE"] = [EXAMINE % (3, 7), EXAMINE % (3, 8), EXAMINE % (0, 9)]
    three.script.answers["UID FETCH 4 "] = gone
    with pool.examine("INBOX", Call(clock, seconds=30)):
        pass
    assert code_of(lambda mailbox: mailbox.message(4), pool, Call(clock, seconds=30)) is Code.MAILBOX_CHANGED
    three.script.answers["NOOP"] = gone
    with pool.examine("INBOX", Call(clock, seconds=30)) as mailbox:
        assert (mailbox.index(), mailbox.uid_validity) == ((), 9)


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
    with pytest.raises(Refusal) as status:
        _status(pool, call)
    assert listed.value.code is status.value.code is Code.BRIDGE_REFUSED


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


def test_many_lost_connections_leave_no_place_behind(pool: Pool, clock: RealClock, three: ScriptedBridge) -> None:
    """Attack catalogue, imap/reconnect-storm: whatever goes wrong, the four places stay four."""
    three.script.greeting = b"* BYE\r\n"
    for _ in range(3 * MAX_CONNECTIONS):
        with pytest.raises(Refusal) as raised, pool.connection(Call(clock, seconds=30)):
            pass
        assert raised.value.code is Code.CONNECTION_LOST
    assert pool._open == 0
    assert three.connections == 3 * MAX_CONNECTIONS


def test_idle_connections_are_closed_though_nobody_calls(
    pool: Pool, call: Call, three: ScriptedBridge, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Peer fault A17: closed when idle; one timer for all, none once nothing is open."""
    monkeypatch.setattr(pool_module, "IDLE_S", 0.0)
    _status(pool, call)
    sweeper = pool._sweeper
    assert sweeper is not None
    sweeper.join()
    assert (pool._idle, pool._sweeper) == ([], None)
    assert three.commands[-1] == "LOGOUT"
    _status(pool, call)
    assert three.connections == 2


def test_what_is_used_meanwhile_is_looked_at_again_later(pool: Pool, call: Call, three: ScriptedBridge) -> None:
    """The timer of an older use finds nothing to close and sets another."""
    _status(pool, call)
    first = pool._sweeper
    assert first is not None
    first.cancel()
    pool._sweep()
    assert len(pool._idle) == 1
    assert pool._sweeper not in {None, first}
    pool.close()
    assert three.commands[-1] == "LOGOUT"


def test_a_call_opens_two_connections_at_most(pool: Pool, clock: RealClock, three: ScriptedBridge) -> None:
    """Attack catalogue, imap/reconnect-storm: a peer that hangs up at each command, in a call that asks several questions."""
    three.script.answers["LIST"] = [HangUp(), LIST]
    three.script.answers["EXAMINE"] = HangUp()
    with pytest.raises(Refusal) as raised, pool.examine("A", Call(clock, seconds=30)):
        pass
    assert raised.value.code is Code.CONNECTION_LOST
    assert three.connections == 2
    three.script.answers["EXAMINE"] = EXAMINE % (3, 7)
    with pool.examine("A", Call(clock, seconds=30)) as mailbox:
        assert mailbox.exists == 3
    assert three.connections == 3


def test_a_call_that_has_opened_two_gets_no_third(pool: Pool, clock: RealClock, three: ScriptedBridge) -> None:
    """Also when nothing is left to be replaced: the next question of this call has no connection, the next call has."""
    one = Call(clock, seconds=30)
    three.script.answers["STATUS"] = HangUp()
    for connections in (2, 2):
        with pytest.raises(Refusal) as raised:
            _status(pool, one)
        assert raised.value.code is Code.CONNECTION_LOST
        assert (three.connections, pool._open) == (connections, 0)
    three.script.answers["STATUS"] = b"TAG OK\r\n"
    assert _status(pool, Call(clock, seconds=30)) == {}


@pytest.mark.parametrize("goodbye", [b"* BYE\r\n", b"\r\n* BYE shutting down\r\n", b"* B", b"*"])
def test_a_goodbye_behind_an_answer_is_a_lost_connection_whatever_packet_it_came_in(
    pool: Pool, call: Call, three: ScriptedBridge, goodbye: bytes
) -> None:
    """Peer fault A25's kind: what a call is told must not depend on how the stream was cut into packets."""
    three.script.answers["EXAMINE"] = [HangUp(EXAMINE % (3, 7) + goodbye), EXAMINE % (3, 7)]
    with pool.examine("INBOX", call) as mailbox:
        assert len(mailbox.index()) == 3
    assert three.connections == 2


def test_what_came_behind_a_call_s_last_answer_costs_the_next_call_nothing(pool: Pool, clock: RealClock, three: ScriptedBridge) -> None:
    """It is in the buffer already, so that the socket has nothing to tell: such a connection is replaced, too."""
    three.script.answers["EXAMINE"] = [EXAMINE % (3, 7) + b"* 4 EXISTS\r\n", EXAMINE % (3, 7)]
    for connections in (1, 2):
        with pool.examine("INBOX", Call(clock, seconds=30)) as mailbox:
            assert mailbox.exists == 3
        assert three.connections == connections


def test_one_call_goes_on_in_several_folders_when_all_kept_connections_died(
    pool: Pool, clock: RealClock, call: Call, three: ScriptedBridge
) -> None:
    """As when Bridge is started anew: the call's two opens are not used up by connections that nobody has looked at."""
    folders = ("INBOX", "A", "B", "C")
    three.script.answers["LIST"] = b"".join(b'* LIST () "/" "%s"\r\n' % name.encode() for name in folders[1:]) + b"TAG OK\r\n"
    together = threading.Barrier(len(folders))

    def hold(folder: str) -> None:
        with pool.examine(folder, Call(clock, seconds=30)):
            together.wait(30)

    threads = [threading.Thread(target=hold, args=(folder,)) for folder in folders]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    before = three.connections
    three.hang_up()
    for folder in folders:
        with pool.examine(folder, call) as mailbox:
            assert mailbox.exists == 3
    assert three.connections == before + 1
    assert pool._open == 1


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
