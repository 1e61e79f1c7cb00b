"""The one command that changes anything: what is known after each way in which it can end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from proton_safe.call import Call
from proton_safe.imap.append import AppendUid, append
from proton_safe.refusals import Code, Refusal
from tests.unit.imap.scripted_bridge import HangUp

if TYPE_CHECKING:
    from proton_safe.imap.pool import Pool
    from tests.unit.imap.conftest import RealClock
    from tests.unit.imap.scripted_bridge import ScriptedBridge

OCTETS = b"Subject: x\r\n\r\nbody\r\n"
ASKED = f'APPEND "Drafts" (\\Draft \\Seen) <{OCTETS.decode()}>'


def _append(pool: Pool, call: Call, octets: bytes = OCTETS) -> AppendUid | None:
    with pool.connection(call) as connection:
        return append(connection, raw_name="Drafts", octets=octets, flags=("\\Draft", "\\Seen"), call=call)


def _code(pool: Pool, call: Call) -> Code:
    with pytest.raises(Refusal) as raised:
        _append(pool, call)
    return raised.value.code


@pytest.mark.parametrize(
    "answer, told",
    [
        (b"TAG OK [APPENDUID 7 31] APPEND\r\n", AppendUid(7, 31)),
        (b"* 4 EXISTS\r\n* 4 RECENT\r\nTAG OK [APPENDUID 7 31] APPEND\r\n", AppendUid(7, 31)),
        (b"TAG OK APPEND\r\n", None),
        (b"TAG OK [APPENDUID 7 x]\r\n", None),
        (b"TAG OK [APPENDUID 7 1:99]\r\n", None),
        (b"TAG OK [APPENDUID 0 1]\r\n", None),
        (b"TAG OK [APPENDUID 7 4294967296]\r\n", None),
    ],
)
def test_a_stored_message_has_a_place_if_bridge_says_one(
    pool: Pool, call: Call, bridge: ScriptedBridge, answer: bytes, told: AppendUid | None
) -> None:
    """RFC 4315 3; attack catalogue, imap/append-lies."""
    bridge.script.answers["APPEND"] = answer
    assert _append(pool, call) == told
    assert bridge.asked() == [ASKED]


@pytest.mark.parametrize(
    "answer, code",
    [
        (b"TAG NO failed to create draft\r\n\r\n", Code.DRAFT_REFUSED),
        (b"TAG BAD header key contains invalid characters\r\n", Code.DRAFT_REFUSED),
        (b" BAD [Error offset=3]: expected CR\r\n", Code.DRAFT_REFUSED),
        (HangUp(), Code.DRAFT_UNKNOWN),
        (HangUp(b"* BYE\r\n"), Code.DRAFT_UNKNOWN),
        (b"garbage\r\n", Code.DRAFT_UNKNOWN),
    ],
)
def test_an_append_that_failed_is_refused_or_unknown_and_never_repeated(
    pool: Pool, call: Call, bridge: ScriptedBridge, answer: bytes | HangUp, code: Code
) -> None:
    """product.md 6: a lost answer must not double, nor be told as a failure."""
    bridge.script.answers["APPEND"] = answer
    assert _code(pool, call) is code
    assert bridge.asked() == [ASKED]
    assert bridge.connections == 1


def test_an_answer_that_does_not_come_is_unknown(pool: Pool, clock: RealClock, bridge: ScriptedBridge) -> None:
    """The draft's deadline passed after the literal was sent."""
    bridge.script.answers["APPEND"] = b""
    assert _code(pool, Call(clock, seconds=0.5)) is Code.DRAFT_UNKNOWN


@pytest.mark.parametrize(
    "continuation, code",
    [
        (b"p3 NO no such mailbox\r\n", Code.DRAFT_REFUSED),
        (b"* BYE\r\n", Code.CONNECTION_LOST),
        (b"what\r\n", Code.BAD_RESPONSE),
        (b"p3 OK\r\n", Code.BAD_RESPONSE),
    ],
)
def test_before_the_literal_nothing_can_have_been_stored(
    pool: Pool, call: Call, bridge: ScriptedBridge, continuation: bytes, code: Code
) -> None:
    """Then the plain failure is true."""
    bridge.script.continuation = continuation
    assert _code(pool, call) is code


def test_a_large_message_arrives_whole(pool: Pool, call: Call, bridge: ScriptedBridge) -> None:
    """Literals beyond one packet."""
    octets = b"Subject: x\r\n\r\n" + b"0123456789abcde\n" * 100_000
    assert _append(pool, call, octets) is None
    assert bridge.asked() == [f'APPEND "Drafts" (\\Draft \\Seen) <{octets.decode()}>']
