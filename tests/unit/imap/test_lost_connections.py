"""Connections that are lost, before a call and in one: replaced, asked again once, counted, and told when it happens again."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from proton_safe.call import Call
from proton_safe.imap.pool import MAX_CONNECTIONS
from proton_safe.refusals import Code, Refusal
from tests.unit.imap.scripted_bridge import HangUp
from tests.unit.imap.scripted_folder import EXAMINE, LIST, code_of, line, status

if TYPE_CHECKING:
    from proton_safe.imap.pool import Pool
    from tests.unit.imap.conftest import RealClock
    from tests.unit.imap.scripted_bridge import ScriptedBridge


def test_a_question_is_asked_again_once_when_its_connection_breaks(pool: Pool, clock: RealClock, three: ScriptedBridge) -> None:
    """product.md 9: re-opened once on a drop for reads, in the middle of an answer too."""
    three.script.answers["STATUS"] = [HangUp(b'* STATUS "INBOX" (MESSAGES 3'), b'* STATUS "INBOX" (MESSAGES 3 UNSEEN 1)\r\nTAG OK\r\n']
    assert status(pool, Call(clock, seconds=30)) == {b"MESSAGES": 3, b"UNSEEN": 1}
    assert three.connections == 2
    three.script.answers["STATUS"] = HangUp()
    with pytest.raises(Refusal) as raised:
        status(pool, Call(clock, seconds=30))
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


def test_many_lost_connections_leave_no_place_behind(pool: Pool, clock: RealClock, three: ScriptedBridge) -> None:
    """Attack catalogue, imap/reconnect-storm: whatever goes wrong, the four places stay four."""
    three.script.greeting = b"* BYE\r\n"
    for _ in range(3 * MAX_CONNECTIONS):
        with pytest.raises(Refusal) as raised, pool.connection(Call(clock, seconds=30)):
            pass
        assert raised.value.code is Code.CONNECTION_LOST
    assert pool._open == 0
    assert three.connections == 3 * MAX_CONNECTIONS


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
            status(pool, one)
        assert raised.value.code is Code.CONNECTION_LOST
        assert (three.connections, pool._open) == (connections, 0)
    three.script.answers["STATUS"] = b"TAG OK\r\n"
    assert status(pool, Call(clock, seconds=30)) == {}


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
