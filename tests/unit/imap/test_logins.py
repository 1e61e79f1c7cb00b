"""Which password is offered when: none that was just refused, none to a Bridge that does not answer, one at a time."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import keyring
import pytest

from proton_safe.call import Call, CallCancelled
from proton_safe.imap.credentials import Credentials
from proton_safe.imap.deadline import Deadline
from proton_safe.imap.logins import Logins
from proton_safe.imap.opening import USUAL_ANSWER_S
from proton_safe.imap.pins import Pins
from proton_safe.imap.pool import Pool
from proton_safe.refusals import Code, Refusal
from tests.unit.imap.conftest import PASSWORD, USER
from tests.unit.imap.memory_keyring import MemoryKeyring
from tests.unit.imap.scripted_bridge import HangUp, ScriptedBridge

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from proton_safe.config import Config
    from tests.unit.imap.conftest import RealClock

LOGIN = f'LOGIN "{USER}" "{PASSWORD.reveal()}"'


@pytest.fixture
def pool_with_keyring(account: Callable[..., Config], clock: RealClock, bridge: ScriptedBridge) -> Iterator[tuple[Pool, MemoryKeyring]]:
    """Connections whose password comes from a keyring in memory."""
    before = keyring.get_keyring()
    backend = MemoryKeyring()
    keyring.set_keyring(backend)
    config = account(bridge.port, None)
    pool = Pool(config, Pins(config.state_dir), Credentials(config), clock)
    yield pool, backend
    pool.close()
    keyring.set_keyring(before)


def _refused(pool: Pool, call: Call) -> Refusal:
    with pytest.raises(Refusal) as raised, pool.connection(call):
        pass
    return raised.value


@pytest.mark.parametrize(
    "answer",
    [
        b"TAG NO no such user\r\n",
        b"TAG BAD [Error offset=8]: no\r\n",
        b'TAG NO bad: LOGIN "' + PASSWORD.reveal().encode() + b'" \x1b]0;title\x07\r\n',
        b" BAD headless\r\n",
    ],
)
def test_a_refused_login_is_not_repeated_and_says_nothing_of_the_peer(
    pool: Pool, call: Call, bridge: ScriptedBridge, answer: bytes
) -> None:
    """Attack catalogue, imap/login-echo and imap/login-jail: the configured password never changes, so one attempt is all."""
    bridge.script.answers["LOGIN"] = answer
    refusal = _refused(pool, call)
    assert refusal.code is Code.LOGIN_FAILED
    assert PASSWORD.reveal() not in f"{refusal!r} {refusal.text} {refusal.__cause__} {refusal.__context__}"
    assert bridge.commands == ["STARTTLS", LOGIN]


@pytest.mark.parametrize(
    "stored, answers, logins, code",
    [
        (["old", "old"], [b"TAG NO\r\n"], ["old"], Code.LOGIN_FAILED),
        (["old", "new"], [b"TAG NO\r\n", b"TAG OK\r\n"], ["old", "new"], None),
        (["old", "new", "newest"], [b"TAG NO\r\n"], ["old", "new"], Code.LOGIN_FAILED),
    ],
)
def test_a_password_stored_meanwhile_is_tried_once(
    pool_with_keyring: tuple[Pool, MemoryKeyring],
    call: Call,
    bridge: ScriptedBridge,
    stored: list[str],
    answers: list[bytes],
    logins: list[str],
    code: Code | None,
) -> None:
    """product.md 9: at most one retry, with another secret, never a loop (Bridge counts failures)."""
    pool, backend = pool_with_keyring
    backend.one_after_the_other = list(stored)
    bridge.script.answers["LOGIN"] = list(answers)
    if code is None:
        with pool.connection(call):
            pass
    else:
        assert _refused(pool, call).code is code
    assert [command for command in bridge.commands if command.startswith("LOGIN")] == [f'LOGIN "{USER}" "{each}"' for each in logins]


def _logins(bridge: ScriptedBridge) -> list[str]:
    return [command for command in bridge.commands if command.startswith("LOGIN")]


def test_a_refused_password_rests_before_it_is_offered_again(pool: Pool, bridge: ScriptedBridge, clock: RealClock) -> None:
    """bridge-behaviour 1.6: the third refusal in a row may lock everybody out; a model that calls again and again must not bring it on."""
    bridge.script.answers["LOGIN"] = b"TAG NO no such user\r\n"
    for logins, ahead in enumerate((0.0, 10.1, 20.1, 40.1, 60.1, 60.1), start=1):
        clock.ahead += ahead
        for _ in range(5):
            assert _refused(pool, Call(clock, seconds=30)).code is Code.LOGIN_FAILED
            assert (bridge.connections, _logins(bridge)) == (logins, [LOGIN] * logins)
    bridge.script.answers["LOGIN"] = b"TAG OK\r\n"
    clock.ahead += 60.1
    with pool.connection(Call(clock, seconds=30)):
        pass
    # What Bridge takes ends the series: the next refusal rests for the shortest time again.
    bridge.script.answers["LOGIN"] = b"TAG NO no such user\r\n"
    bridge.hang_up()
    assert _refused(pool, Call(clock, seconds=30)).code is Code.LOGIN_FAILED
    clock.ahead += 10.1
    assert _refused(pool, Call(clock, seconds=30)).code is Code.LOGIN_FAILED
    assert len(_logins(bridge)) == 9


_NO_ANSWER: dict[str, bytes | HangUp] = {
    "closed": HangUp(),
    "bye": HangUp(b"* BYE go away\r\n"),
    "other-tag": b"other OK done\r\n",
    "garbage": b"\x00\x01\r\n",
    "half": HangUp(b"TAG O"),
    "literal-unasked": b"+ go on\r\n",
}


def test_one_login_without_an_answer_says_nothing_about_the_password(pool: Pool, clock: RealClock, bridge: ScriptedBridge) -> None:
    """Bridge may just be starting anew: the same password is offered again with the next call."""
    bridge.script.answers["LOGIN"] = [HangUp(), b"TAG OK\r\n", HangUp(), b"TAG OK\r\n"]
    for count in (2, 4):
        assert _refused(pool, Call(clock, seconds=30)).code is Code.CONNECTION_LOST
        with pool.connection(Call(clock, seconds=30)):
            pass
        assert _logins(bridge) == [LOGIN] * count
        bridge.hang_up()


@pytest.mark.parametrize("answer", _NO_ANSWER.values(), ids=_NO_ANSWER)
def test_passwords_rest_after_two_logins_without_an_answer(
    pool_with_keyring: tuple[Pool, MemoryKeyring], clock: RealClock, bridge: ScriptedBridge, answer: bytes | HangUp
) -> None:
    """Whoever takes passwords and says nothing gets no more of them, another one neither, and is not even connected to."""
    pool, backend = pool_with_keyring
    bridge.script.answers["LOGIN"] = answer
    for logins, ahead in enumerate((0.0, 0.0, 10.1, 20.1, 40.1, 60.1, 60.1), start=1):
        clock.ahead += ahead
        backend.set_password("proton-safe-mcp", USER, f"number {logins}")
        assert _refused(pool, Call(clock, seconds=30)).code in {Code.CONNECTION_LOST, Code.BAD_RESPONSE}
        assert len(_logins(bridge)) == logins
        backend.set_password("proton-safe-mcp", USER, "another")
        for _ in range(5 if logins > 1 else 0):
            assert _refused(pool, Call(clock, seconds=30)).code is Code.LOGIN_UNANSWERED
            assert (bridge.connections, len(_logins(bridge))) == (logins, logins)
    bridge.script.answers["LOGIN"] = [b"TAG OK\r\n", answer, b"TAG OK\r\n"]
    clock.ahead += 60.1
    with pool.connection(Call(clock, seconds=30)):
        pass
    # What Bridge takes ends the series: the next lost answer costs nothing again.
    bridge.hang_up()
    assert _refused(pool, Call(clock, seconds=30)).code in {Code.CONNECTION_LOST, Code.BAD_RESPONSE}
    with pool.connection(Call(clock, seconds=30)):
        pass
    assert len(_logins(bridge)) == 10


def test_a_login_that_hangs_rests_like_one_that_is_cut_off(
    pool: Pool, clock: RealClock, bridge: ScriptedBridge, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Attack catalogue, imap/login-jail: a Bridge that lets logins wait is not asked again and again, whoever stops waiting."""
    bridge.script.answers["LOGIN"] = b""
    assert _refused(pool, Call(clock, seconds=0.3)).code is Code.DEADLINE
    given_up = Call(clock, seconds=30)
    usual = bridge._answer

    def cancel_the_login(command: str) -> bytes | HangUp:
        if command == LOGIN:
            clock.ahead += USUAL_ANSWER_S
            given_up.cancel()
        return usual(command)

    monkeypatch.setattr(bridge, "_answer", cancel_the_login)
    with pytest.raises(CallCancelled), pool.connection(given_up):
        pass
    assert _refused(pool, Call(clock, seconds=30)).code is Code.LOGIN_UNANSWERED
    assert _logins(bridge) == [LOGIN, LOGIN]


def test_logins_that_are_cancelled_at_once_say_nothing_about_bridge(
    pool: Pool, clock: RealClock, bridge: ScriptedBridge, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A client that cancels what it has just asked must not be told that Bridge was silent."""
    bridge.script.answers["LOGIN"] = b""
    calls: list[Call] = []
    usual = bridge._answer

    def cancel_the_login(command: str) -> bytes | HangUp:
        if command == LOGIN:
            calls[-1].cancel()
        return usual(command)

    monkeypatch.setattr(bridge, "_answer", cancel_the_login)
    for _ in range(5):
        calls.append(Call(clock, seconds=30))
        with pytest.raises(CallCancelled), pool.connection(calls[-1]):
            pass
    monkeypatch.setattr(bridge, "_answer", usual)
    bridge.script.answers["LOGIN"] = b"TAG OK\r\n"
    with pool.connection(Call(clock, seconds=30)):
        pass
    assert _logins(bridge) == [LOGIN] * 6


def test_a_refusal_does_not_end_a_series_of_lost_answers(pool: Pool, clock: RealClock, bridge: ScriptedBridge) -> None:
    """Whoever refuses one password in two would else get one for each call that comes after the other's rest."""
    bridge.script.answers["LOGIN"] = [HangUp(), b"TAG NO\r\n", HangUp()]
    assert _refused(pool, Call(clock, seconds=30)).code is Code.CONNECTION_LOST
    assert _refused(pool, Call(clock, seconds=30)).code is Code.LOGIN_FAILED
    clock.ahead += 10.1
    assert _refused(pool, Call(clock, seconds=30)).code is Code.CONNECTION_LOST
    assert _refused(pool, Call(clock, seconds=30)).code is Code.LOGIN_UNANSWERED
    assert _logins(bridge) == [LOGIN] * 3


def _refused_at_once(pool: Pool, clock: RealClock) -> list[Code]:
    """How four calls are refused that are made at the same time."""
    codes: list[Code] = []
    threads = [threading.Thread(target=lambda: codes.append(_refused(pool, Call(clock, seconds=30)).code)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return codes


def test_a_bridge_that_goes_away_under_several_logins_has_left_one_without_an_answer(
    pool: Pool, clock: RealClock, bridge: ScriptedBridge, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when it is started anew. Nobody offers a password on a connection from before, and the next call needs no rest."""
    waiting = threading.Semaphore(0)
    turn, usual = Logins.turn, bridge._answer
    asked: list[str] = []

    def counted(logins: Logins, deadline: Deadline) -> AbstractContextManager[None]:
        waiting.release()
        return turn(logins, deadline)

    def go_away_once(command: str) -> bytes | HangUp:
        if command == LOGIN and not asked:
            asked.append(command)
            for _ in range(4):
                assert waiting.acquire(timeout=30)
            bridge.hang_up()
        return usual(command)

    monkeypatch.setattr(Logins, "turn", counted)
    monkeypatch.setattr(bridge, "_answer", go_away_once)
    codes = _refused_at_once(pool, clock)
    assert codes == [Code.CONNECTION_LOST] * 4
    assert _logins(bridge) == [LOGIN]
    with pool.connection(Call(clock, seconds=30)):
        pass
    assert _logins(bridge) == [LOGIN, LOGIN]


def test_a_new_password_is_tried_at_once(
    pool_with_keyring: tuple[Pool, MemoryKeyring], call: Call, clock: RealClock, bridge: ScriptedBridge
) -> None:
    """Peer fault B25: the person stores the renewed password and calls again; nothing has to be started anew."""
    pool, backend = pool_with_keyring
    backend.set_password("proton-safe-mcp", USER, "old")
    bridge.script.answers["LOGIN"] = [b"TAG NO too many login attempts\r\n", b"TAG OK\r\n"]
    assert _refused(pool, Call(clock, seconds=30)).code is Code.LOGIN_FAILED
    assert _refused(pool, Call(clock, seconds=30)).code is Code.LOGIN_FAILED
    backend.set_password("proton-safe-mcp", USER, "new")
    with pool.connection(call):
        pass
    assert _logins(bridge) == [f'LOGIN "{USER}" "old"', f'LOGIN "{USER}" "new"']


def test_calls_made_at_once_offer_a_wrong_password_once(pool: Pool, clock: RealClock, bridge: ScriptedBridge) -> None:
    """Four calls are four connections, but one attempt."""
    bridge.script.answers["LOGIN"] = b"TAG NO no such user\r\n"
    codes = _refused_at_once(pool, clock)
    assert codes == [Code.LOGIN_FAILED] * 4
    assert _logins(bridge) == [LOGIN]


def test_whoever_waits_for_another_login_waits_no_longer_than_its_call(clock: RealClock) -> None:
    """A login that Bridge lets hang does not hold the others for ever."""
    logins = Logins(clock)
    with logins.turn(Deadline(Call(clock, seconds=30))), pytest.raises(Refusal) as raised, logins.turn(Deadline(Call(clock, seconds=0.1))):
        pass
    assert raised.value.code is Code.DEADLINE
    with logins.turn(Deadline(Call(clock, seconds=30))):
        pass
