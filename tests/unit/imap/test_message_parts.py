"""One message of an examined mailbox: its items, its header, its sections, and answers that are not what was asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from proton_safe.imap.items import MessageItems
from proton_safe.refusals import Code
from tests.unit.imap.scripted_folder import code_of

if TYPE_CHECKING:
    from proton_safe.call import Call
    from proton_safe.imap.pool import Pool
    from tests.unit.imap.scripted_bridge import ScriptedBridge


def test_a_message_brings_its_items(pool: Pool, call: Call, three: ScriptedBridge) -> None:
    """One FETCH from Bridge's database, no body."""
    three.script.answers["UID FETCH 4 "] = b'* 3 FETCH (UID 4 FLAGS () BODYSTRUCTURE ("text" "plain" () NIL NIL NIL 1 1))\r\nTAG OK\r\n'
    with pool.examine("INBOX", call) as mailbox:
        message = mailbox.message(4)
    assert isinstance(message, MessageItems)
    assert message.structure == (b"text", b"plain", (), None, None, None, b"1", b"1")
    assert three.asked() == ['EXAMINE "INBOX"', "UID FETCH 4 (UID FLAGS INTERNALDATE RFC822.SIZE BODYSTRUCTURE ENVELOPE)"]


def test_a_message_that_is_not_there_is_not_found_on_a_fresh_view(pool: Pool, call: Call, three: ScriptedBridge) -> None:
    """A kept connection asks for news before it says no: another one may have shown the message."""
    three.script.answers["UID FETCH 3 "] = b"TAG OK\r\n"
    assert code_of(lambda mailbox: mailbox.message(3), pool, call) is Code.MESSAGE_NOT_FOUND
    assert len(three.asked()) == 2
    three.script.answers["UID FETCH 3 "] = [b"TAG OK\r\n", b"* 3 FETCH (UID 3 FLAGS ())\r\nTAG OK\r\n"]
    with pool.examine("INBOX", call) as mailbox:
        assert mailbox.message(3).uid == 3
    assert [command[:9] for command in three.asked()] == ["UID FETCH", "NOOP", "UID FETCH"]


@pytest.mark.parametrize(
    "answer, octets",
    [
        (b"* 3 FETCH (UID 4 BODY[1]<2> {3}\r\nabc)\r\nTAG OK\r\n", b"abc"),
        (b"* 3 FETCH (BODY[1]<2> {0}\r\n UID 4)\r\nTAG OK\r\n", b""),
        (b'* 3 FETCH (UID 4 BODY[1]<2> "abcde")\r\nTAG OK\r\n', b"abcde"),
        (b"* 3 FETCH (UID 4 BODY[1]<2> NIL)\r\nTAG OK\r\n", b""),
        (b"* 3 FETCH (UID 4 BODY[1]<2> {6}\r\nabcdef)\r\nTAG OK\r\n", None),
        (b'* 3 FETCH (UID 4 BODY[1]<2> "abcdef")\r\nTAG OK\r\n', None),
        (b"* 3 FETCH (UID 4 BODY[1] {3}\r\nabc)\r\nTAG OK\r\n", None),
        (b"* 3 FETCH (UID 4 BODY[1]<500> {3}\r\nabc)\r\nTAG OK\r\n", None),
        (b"* 3 FETCH (UID 4 BODY[2]<2> {3}\r\nabc)\r\nTAG OK\r\n", None),
        (b"* 3 FETCH (UID 4 BODY[1]<2> abc)\r\nTAG OK\r\n", None),
        (b"* 3 FETCH (UID 4 BODY[1]<2> (abc))\r\nTAG OK\r\n", None),
        (b"* 3 FETCH (UID 4 FLAGS ())\r\nTAG OK\r\n", None),
        (b"* 3 FETCH (UID 4 BODY[1]<2> {3}\r\nabc)\r\n* 3 FETCH (UID 4 BODY[1]<2> {4}\r\nevil)\r\nTAG OK\r\n", None),
    ],
)
def test_a_section_is_what_was_asked_for_or_a_bad_response(
    pool: Pool, call: Call, three: ScriptedBridge, answer: bytes, octets: bytes | None
) -> None:
    """Attack catalogue, imap/partial-overlong and wrong-uid."""
    three.script.answers["UID FETCH 4 "] = answer
    if octets is None:
        assert code_of(lambda mailbox: mailbox.section(4, "1", 2, 5), pool, call) is Code.BAD_RESPONSE
        with pool.examine("INBOX", call):
            assert three.connections == 2
    else:
        with pool.examine("INBOX", call) as mailbox:
            assert mailbox.section(4, "1", 2, 5) == octets
        assert three.asked() == ['EXAMINE "INBOX"', "UID FETCH 4 (UID BODY.PEEK[1]<2.5>)"]


def test_a_header_is_cut_at_its_limit(pool: Pool, call: Call, three: ScriptedBridge) -> None:
    """The header block, never the whole message."""
    three.script.answers["UID FETCH 4 "] = b"* 3 FETCH (UID 4 BODY[HEADER]<0> {5}\r\nA: b\n)\r\nTAG OK\r\n"
    with pool.examine("INBOX", call) as mailbox:
        assert mailbox.header(4, 5) == b"A: b\n"
    assert three.asked()[-1] == "UID FETCH 4 (UID BODY.PEEK[HEADER]<0.5>)"


@pytest.mark.parametrize(
    "part, start, length",
    [("", 0, 1), ("1]", 0, 1), ("0", 0, 1), ("1 2", 0, 1), ("HEADER.FIELDS (TO)", 0, 1), ("1", -1, 1), ("1", 0, 0), ("1", 0, 2**31)],
)
def test_what_is_no_section_is_our_bug(pool: Pool, call: Call, three: ScriptedBridge, part: str, start: int, length: int) -> None:
    """Nothing but numbers and fixed words ever gets between the brackets."""
    with pool.examine("INBOX", call) as mailbox, pytest.raises(ValueError, match="no section"):
        mailbox.section(4, part, start, length)
    assert three.asked() == ['EXAMINE "INBOX"']


def test_a_part_that_is_not_there_is_refused(pool: Pool, call: Call, three: ScriptedBridge) -> None:
    """bridge-behaviour 3.5: NO no such parts exists; the connection is good afterwards."""
    three.script.answers["UID FETCH 4 "] = b"TAG NO no such parts exists\r\n"
    assert code_of(lambda mailbox: mailbox.section(4, "9", 0, 5), pool, call) is Code.BRIDGE_REFUSED
    with pool.examine("INBOX", call):
        assert three.connections == 1
