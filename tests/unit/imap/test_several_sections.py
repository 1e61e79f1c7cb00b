"""Items with the header, and several sections in one question; what a cut answer still tells of a structure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from proton_safe.imap.grammar import parse_cut
from proton_safe.refusals import Code
from tests.unit.imap.scripted_folder import code_of

if TYPE_CHECKING:
    from proton_safe.call import Call
    from proton_safe.imap.pool import Pool
    from tests.unit.imap.scripted_bridge import ScriptedBridge

LEAF = b'("text" "plain" () NIL NIL NIL 1 1 NIL NIL NIL NIL)'
BOTH = "UID FETCH 4 (UID BODY.PEEK[1]<0.5> BODY.PEEK[2.MIME]<0.9>)"


def test_items_and_header_come_in_one_question(pool: Pool, call: Call, three: ScriptedBridge) -> None:
    """product.md 10: a read takes at most three round trips."""
    answer = b"* 3 FETCH (UID 4 FLAGS () BODY[HEADER]<0> {5}\r\nA: b\n BODYSTRUCTURE " + LEAF + b")\r\nTAG OK\r\n"
    three.script.answers["UID FETCH 4 "] = answer
    with pool.examine("INBOX", call) as mailbox:
        items, block = mailbox.message_with_header(4, 99)
    assert (items.uid, block) == (4, b"A: b\n")
    assert items.structure is not None
    assert len(three.asked()) == 2


def test_a_header_that_did_not_come_along_is_asked_for_alone(pool: Pool, call: Call, three: ScriptedBridge) -> None:
    """One that is longer than was asked for is a bad response, as ever."""
    three.script.answers["UID FETCH 4 "] = [
        b"* 3 FETCH (UID 4 FLAGS ())\r\nTAG OK\r\n",
        b"* 3 FETCH (UID 4 BODY[HEADER]<0> {5}\r\nA: b\n)\r\nTAG OK\r\n",
    ]
    with pool.examine("INBOX", call) as mailbox:
        assert mailbox.message_with_header(4, 99)[1] == b"A: b\n"
    long = b"* 3 FETCH (UID 4 FLAGS () BODY[HEADER]<0> {5}\r\nA: b\n)\r\nTAG OK\r\n"
    three.script.answers["UID FETCH 4 "] = [long, long]
    assert code_of(lambda mailbox: mailbox.message_with_header(4, 4), pool, call) is Code.BAD_RESPONSE


def test_several_sections_come_in_one_question(pool: Pool, call: Call, three: ScriptedBridge) -> None:
    """The texts of a message and what their parts say of themselves."""
    three.script.answers["UID FETCH 4 "] = b"* 3 FETCH (UID 4 BODY[1]<0> {3}\r\nabc BODY[2.MIME]<0> NIL)\r\nTAG OK\r\n"
    with pool.examine("INBOX", call) as mailbox:
        assert mailbox.sections(4, {"1": 5, "2.MIME": 9}) == {"1": b"abc", "2.MIME": b""}
        assert mailbox.sections(4, {}) == {}
    assert three.asked() == ['EXAMINE "INBOX"', BOTH]


def test_of_several_sections_those_that_are_not_there_are_left_out(pool: Pool, call: Call, three: ScriptedBridge) -> None:
    """bridge-behaviour 3.5: one that can't be served fails the whole command."""
    three.script.answers["UID FETCH 4 "] = [
        b"TAG NO no such parts exists\r\n",
        b"* 3 FETCH (UID 4 BODY[1]<0> {3}\r\nabc)\r\nTAG OK\r\n",
        b"TAG NO no such parts exists\r\n",
    ]
    with pool.examine("INBOX", call) as mailbox:
        assert mailbox.sections(4, {"1": 5, "2.MIME": 9}) == {"1": b"abc"}
    assert three.connections == 1


@pytest.mark.parametrize(
    "answer",
    [
        b"* 3 FETCH (UID 4 BODY[1]<0> {6}\r\nabcdef BODY[2.MIME]<0> NIL)\r\nTAG OK\r\n",
        b"* 3 FETCH (UID 4 BODY[1]<0> {3}\r\nabc)\r\nTAG OK\r\n",
        b"* 3 FETCH (UID 4 BODY[1]<0> (abc) BODY[2.MIME]<0> NIL)\r\nTAG OK\r\n",
        b"* 3 FETCH (UID 4 BODY[1]<0> {30000000}\r\n",
    ],
)
def test_sections_that_are_not_what_was_asked_for_are_a_bad_response(pool: Pool, call: Call, three: ScriptedBridge, answer: bytes) -> None:
    """Attack catalogue mime/size-lies: the limit counts what arrives, each section's own."""
    three.script.answers["UID FETCH 4 "] = answer
    assert code_of(lambda mailbox: mailbox.sections(4, {"1": 5, "2.MIME": 9}), pool, call) is Code.BAD_RESPONSE


def test_only_sections_are_asked_for(pool: Pool, call: Call, three: ScriptedBridge) -> None:
    """Nothing but numbers and fixed words ever gets between the brackets."""
    with pool.examine("INBOX", call) as mailbox, pytest.raises(ValueError, match="no section"):
        mailbox.sections(4, {"1": 5, "1]": 5})
    assert three.asked() == ['EXAMINE "INBOX"']


def test_a_message_as_it_stands_is_read_from_its_beginning(pool: Pool, call: Call, three: ScriptedBridge) -> None:
    """Where Bridge's reader finds no header, or gives the one of a message inside."""
    three.script.answers["UID FETCH 4 "] = b"* 3 FETCH (UID 4 BODY[]<0> {3}\r\nabc)\r\nTAG OK\r\n"
    with pool.examine("INBOX", call) as mailbox:
        assert mailbox.beginning(4, 9) == b"abc"
    assert three.asked()[-1] == "UID FETCH 4 (UID BODY.PEEK[]<0.9>)"


CUTS = [
    (b"(UID 4 BODYSTRUCTURE (" + LEAF * 3 + b'("text" "pl', 3),
    (b"(UID 4 BODYSTRUCTURE (" + LEAF + b"(" + LEAF * 2 + b'"mixed" ("boundary" "x") NIL NIL NIL)(' + LEAF + b"(", 3),
    (b'(UID 4 BODYSTRUCTURE ("text" "plain" (', None),
    (b"(UID 4 BODYSTRUCTURE ", None),
]


@pytest.mark.parametrize("text, whole", CUTS)
def test_a_structure_that_was_cut_keeps_its_whole_parts(text: bytes, whole: int | None) -> None:
    """Attack catalogue mime/parts-100k: of very many parts the first are known."""
    pairs = parse_cut([text])
    if whole is None:
        assert len(pairs) == 2
        return
    structure = pairs[3]
    assert isinstance(structure, tuple)
    assert len(structure) == whole
    assert all(isinstance(part, tuple) for part in structure)


def test_what_stands_before_and_behind_a_literal_is_kept_when_a_line_is_cut(pool: Pool, call: Call, three: ScriptedBridge) -> None:
    """The header comes along in front of a structure without end."""
    endless = b"* 3 FETCH (UID 4 FLAGS () BODY[HEADER]<0> {5}\r\nA: b\n BODYSTRUCTURE (" + LEAF * 20_000
    three.script.answers["UID FETCH 4 "] = endless + b'"mixed" ("boundary" "b") NIL NIL NIL))\r\nTAG OK\r\n'
    with pool.examine("INBOX", call) as mailbox:
        items, block = mailbox.message_with_header(4)
    assert block == b"A: b\n"
    assert items.structure is not None
    assert 5_000 < len(items.structure) < 20_000
    assert len(three.asked()) == 2
