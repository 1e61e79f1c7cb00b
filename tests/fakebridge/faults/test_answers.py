"""Faults of an answer, on the wire: what was done is done, what is told about it is not true or not whole."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.fakebridge.conftest import Stage, Staging
from tests.fakebridge.talking import C, Closed, Raw, S, Wire, append, talk
from tests.fakebridge.worlds import entry, mail


def octets_until_closed(wire: Wire) -> bytes:
    """Everything up to the end of the connection."""
    while wire._fill():
        pass
    return wire._buffer


def octets_until(wire: Wire, end: bytes) -> bytes:
    """Everything up to these octets."""
    while end not in wire._buffer:
        assert wire._fill(), wire._buffer
    taken, wire._buffer = wire._buffer, b""
    return taken


def faulted(stage: Stage, do: str, *, on: str = "UID FETCH", **fields: object) -> Wire:
    """A connection with INBOX open, and the fault waiting for a command."""
    wire = stage.select()
    stage.bridge.ask("faults", rules=[{"on": on, "do": do, **fields}])
    return wire


def test_drop_in_literal_ends_so_many_octets_into_the_first_literal(stage: Stage) -> None:
    """attack-catalogue imap/literal-short: three octets of six."""
    wire = faulted(stage, "drop-in-literal", octets=3)
    wire.send(b"a1 UID FETCH 1 BODY.PEEK[TEXT]\r\n")
    assert octets_until_closed(wire) == b"* 1 FETCH (BODY[TEXT] {6}\r\nbod"
    assert [entry["do"] for entry in stage.bridge.journal("fault")] == ["drop-in-literal"]


def test_drop_in_literal_without_a_literal_ends_before_the_tagged_line(stage: Stage) -> None:
    """There is always something missing."""
    wire = faulted(stage, "drop-in-literal")
    wire.send(b"a1 UID FETCH 1:2 UID\r\n")
    assert octets_until_closed(wire) == b"* 1 FETCH (UID 1)\r\n* 2 FETCH (UID 2)\r\n"


def test_drip_sends_so_many_octets_a_second(stage: Stage) -> None:
    """The answer begins, is not there at once, and arrives whole."""
    wire = faulted(stage, "drip", octets=60)
    wire.send(b"a1 UID FETCH 1 UID\r\n")
    assert wire._fill()
    assert b"a1 OK" not in wire._buffer
    assert wire.until("a1")[0] == "* 1 FETCH (UID 1)"


@pytest.mark.parametrize("text", ["9999999999999", "-5", "", "5+", "00005", "9" * 40])
def test_literal_length_announces_what_the_rule_says(stage: Stage, text: str) -> None:
    """attack-catalogue imap/literal-huge."""
    wire = faulted(stage, "literal-length", text=text)
    wire.send(b"a1 UID FETCH 1 BODY.PEEK[TEXT]\r\n")
    assert octets_until(wire, b"a1 OK").startswith(b"* 1 FETCH (BODY[TEXT] {" + text.encode() + b"}\r\nbody\r\n UID 1)\r\n")


def test_literal_overflow_sends_more_than_it_announces(stage: Stage) -> None:
    """attack-catalogue imap/partial-overlong."""
    wire = faulted(stage, "literal-overflow", octets=4)
    wire.send(b"a1 UID FETCH 1 BODY.PEEK[TEXT]\r\n")
    assert octets_until(wire, b"a1 OK").startswith(b"* 1 FETCH (BODY[TEXT] {6}\r\nbody\r\nxxxx UID 1)\r\n")


def test_renumbered_uids_are_the_same_shift_everywhere(stage: Stage) -> None:
    """FETCH and UID SEARCH."""
    wire = faulted(stage, "uids-renumbered", on="*", count=70, times=None)
    assert wire.ask("a1 UID FETCH 1:2 UID")[:2] == ["* 1 FETCH (UID 71)", "* 2 FETCH (UID 72)"]
    assert wire.ask("a2 UID SEARCH ALL")[0] == "* SEARCH 71 72 73"
    assert wire.ask("a3 SEARCH ALL")[0] == "* SEARCH 1 2 3"


def test_renumbered_uids_are_also_those_of_append(stage: Stage) -> None:
    """attack-catalogue imap/append-lies: APPENDUID names what is not there."""
    wire = faulted(stage, "uids-renumbered", on="APPEND", count=70)
    talk(wire, *append("a1", "Drafts", mail("draft")), S("a1 OK [APPENDUID 1004 71] …"))


def test_repeated_uids(stage: Stage) -> None:
    """attack-catalogue imap/wrong-uid."""
    assert faulted(stage, "uids-repeated").ask("a1 UID FETCH 2:3 UID")[:2] == ["* 2 FETCH (UID 2)", "* 3 FETCH (UID 2)"]


def test_uid_zero(stage: Stage) -> None:
    """UIDs are from 1 (RFC 3501, 2.3.1.1)."""
    wire = faulted(stage, "uid-zero", on="*", times=None)
    assert wire.ask("a1 UID FETCH 1 UID")[0] == "* 1 FETCH (UID 0)"
    assert wire.ask("a2 UID SEARCH ALL")[0] == "* SEARCH 0 0 0"


def test_answer_lost_does_the_work_first(stage: Stage) -> None:
    """attack-catalogue imap/append-lies: the draft is there and nobody was told."""
    wire = faulted(stage, "answer-lost", on="APPEND")
    talk(wire, *append("a1", "Drafts", "To: bob@example.test\nSubject: kept\n\nx\n"), Closed())
    assert [message["subject"] for message in stage.bridge.ask("messages", mailbox="Drafts")["messages"]] == ["kept"]


def test_answer_twice(stage: Stage) -> None:
    """The whole of it, tagged line included."""
    wire = faulted(stage, "answer-twice")
    talk(wire, C("a1 UID FETCH 1 UID"), *[S("* 1 FETCH (UID 1)"), S("a1 OK …")] * 2, C("a2 UID FETCH 1 UID"), S("* 1 …"), S("a2 OK …"))


def test_other_tag(stage: Stage) -> None:
    """attack-catalogue imap/tag-games."""
    talk(faulted(stage, "other-tag", text="a0"), C("a1 UID FETCH 1 UID"), S("* 1 FETCH (UID 1)"), S("a0 OK …"))


def test_flood_sends_untagged_lines_before_the_answer(stage: Stage) -> None:
    """As many as the rule says."""
    lines = faulted(stage, "flood", on="NOOP", count=2500, text="* 1 RECENT").ask("a1 NOOP")
    assert lines[:-1] == ["* 1 RECENT"] * 2500


def test_fetch_other_adds_messages_that_nobody_asked_for(stage: Stage) -> None:
    """attack-catalogue imap/wrong-uid: unsolicited UIDs with a body."""
    lines = faulted(stage, "fetch-other", count=2).ask("a1 UID FETCH 2 BODY.PEEK[TEXT]")
    assert lines[:3] == [
        f"* {number} FETCH (BODY[TEXT] {{6}}\r\nbody\r\n UID {uid})" for number, uid in ((2, 2), (1003, 1003), (1004, 1004))
    ]
    assert len(lines) == 4


def test_size_lies(stage: Stage) -> None:
    """attack-catalogue mime/size-lies: the literal is as long as ever."""
    line = faulted(stage, "size-lies", count=3).ask("a1 UID FETCH 1 (RFC822.SIZE BODY.PEEK[TEXT])")[0]
    assert line == "* 1 FETCH (RFC822.SIZE 3 BODY[TEXT] {6}\r\nbody\r\n UID 1)"


def test_structure_lies(stage: Stage) -> None:
    """A structure with an attachment for a message of one text."""
    line = faulted(stage, "structure-lies").ask("a1 UID FETCH 1 (BODYSTRUCTURE FLAGS)")[0]
    assert line.startswith('* 1 FETCH (BODYSTRUCTURE (("text" "plain" ("charset" "us-ascii")')
    assert line.endswith('"mixed" ("boundary" "absent") NIL NIL NIL) FLAGS (\\Recent \\Seen) UID 1)')
    assert line.count("BODYSTRUCTURE") == 1


def test_negative_numbers_of_one_item(stage: Stage) -> None:
    """attack-catalogue imap/bad-fetch-items."""
    line = faulted(stage, "negative-number", item="RFC822.SIZE").ask("a1 UID FETCH 1 (UID RFC822.SIZE)")[0]
    assert line == "* 1 FETCH (UID 1 RFC822.SIZE -1)"


def test_negative_numbers_everywhere_outside_strings(stage: Stage) -> None:
    """Dates and names stay: they are strings."""
    line = faulted(stage, "negative-number").ask("a1 UID FETCH 1 (UID INTERNALDATE)")[0]
    assert line == '* -1 FETCH (UID -1 INTERNALDATE "03-Feb-2026 08:00:00 +0000")'


def test_huge_numbers_in_what_select_says(stage: Stage) -> None:
    """Before the name and behind it."""
    lines = faulted(stage, "huge-number", on="EXAMINE", count=12, item="EXISTS").ask("a1 EXAMINE INBOX")
    assert "* 999999999999 EXISTS" in lines
    stage.bridge.ask("clear-faults")
    lines = faulted(stage, "huge-number", on="EXAMINE", count=12, item="UIDNEXT").ask("a1 EXAMINE INBOX")
    assert "* OK [UIDNEXT 999999999999]" in lines
    assert "* 3 EXISTS" in lines


@pytest.mark.parametrize("at", [0, 2, 15])
def test_octets_of_any_value_at_any_place(stage: Stage, at: int) -> None:
    """NUL and octets above 127, one for each character."""
    wire = faulted(stage, "octets", text="\x00\x80\xff", octets=at)
    wire.send(b"a1 UID FETCH 1 UID\r\n")
    answer = b"* 1 FETCH (UID 1)\r\n"
    assert octets_until(wire, b"a1 OK").startswith(answer[:at] + b"\x00\x80\xff" + answer[at:])


def test_nested_lists_ten_thousand_deep(stage: Stage) -> None:
    """attack-catalogue imap/nested-lists."""
    lines = faulted(stage, "nested-list").ask("a1 UID FETCH 2 UID")
    assert lines[0] == "* 2 FETCH (BODYSTRUCTURE " + "(" * 10_000 + ")" * 10_000 + ")"
    assert lines[1] == "* 2 FETCH (UID 2)"


def test_a_fault_of_an_answer_leaves_marks_that_the_work_made(staged: Staging) -> None:
    """AFTER means: carried out. A fetch that marks as read has marked."""
    stage = staged(inbox=[entry(mail("unread"), flags=())])
    faulted(stage, "answer-twice", on="FETCH").ask("a1 FETCH 1 BODY[TEXT]")
    assert [entry["after"] for entry in stage.bridge.journal("flags") if entry["mailbox"] == "INBOX"] == [["\\Seen"]]


def test_a_rule_may_wait_until_so_many_octets_were_sent(stage: Stage) -> None:
    """after_octets: the connection's octets, greeting and all."""
    wire = stage.select()
    stage.bridge.ask("faults", rules=[{"on": "NOOP", "do": "no", "after_octets": 20_000, "times": None}])
    assert wire.ask("a1 NOOP")[-1].startswith("a1 OK")
    stage.bridge.ask("faults", rules=[{"on": "CHECK", "do": "flood", "count": 2000}])
    wire.ask("a2 CHECK")
    assert wire.ask("a3 NOOP")[-1] == "a3 NO fault"
    assert stage.select().ask("a4 NOOP")[-1].startswith("a4 OK")


def test_pipelined_commands_behind_a_faulty_one_are_answered(stage: Stage) -> None:
    """The gathered answer holds nothing of its neighbours."""
    wire = faulted(stage, "other-tag", text="zz")
    talk(wire, Raw(b"a1 NOOP\r\na2 UID FETCH 1 UID\r\na3 NOOP\r\n"), S("a1 OK …"), S("* 1 FETCH (UID 1)"), S("zz OK …"), S("a3 OK …"))


def test_a_late_answer_comes_after_its_time(stage: Stage) -> None:
    """Nothing, then all of it; other sessions are served meanwhile."""
    wire = faulted(stage, "late", seconds=0.3)
    wire.send(b"a1 UID FETCH 1 UID\r\n")
    assert wire.is_quiet(0.1)
    assert wire.until("a1")[0] == "* 1 FETCH (UID 1)"


def test_bye_inside_an_answer(stage: Stage) -> None:
    """attack-catalogue imap/bye-mid-command: half a line, the BYE, the end."""
    wire = faulted(stage, "bye-inside", text="\x1b[2J down")
    wire.send(b"a1 UID FETCH 1:2 UID\r\n")
    assert octets_until_closed(wire) == b"* 1 FETCH\r\n* BYE \x1b[2J down\r\n"


@pytest.mark.parametrize(
    "text,line",
    [("{tag} MAYBE", b"a1 MAYBE"), ("{TAG} OK", b"A1 OK"), ("{tag} OK [READ-WRITE] \xff", b"a1 OK [READ-WRITE] \xff"), ("€", "€".encode())],
)
def test_completion_is_another_last_line(stage: Stage, text: str, line: bytes) -> None:
    """attack-catalogue imap/tag-games: the data are Bridge's own."""
    wire = faulted(stage, "completion", text=text)
    wire.send(b"a1 UID FETCH 1 UID\r\n")
    assert octets_until(wire, line + b"\r\n") == b"* 1 FETCH (UID 1)\r\n" + line + b"\r\n"


def test_unsolicited_lines_stand_before_the_end(stage: Stage) -> None:
    """attack-catalogue imap/seen-flag, imap/expunge-race."""
    wire = faulted(stage, "unsolicited", text="* 1 FETCH (FLAGS (\\Seen))\n* 2 EXISTS")
    assert wire.ask("a1 UID FETCH 1 UID")[:3] == ["* 1 FETCH (UID 1)", "* 1 FETCH (FLAGS (\\Seen))", "* 2 EXISTS"]


@pytest.mark.parametrize("text,lines", [("0", ["* OK [UIDVALIDITY 0]"]), ("4294967296", ["* OK [UIDVALIDITY 4294967296]"]), ("", [])])
def test_validity_lies_of_every_sort(stage: Stage, text: str, lines: list[str]) -> None:
    """attack-catalogue imap/uidvalidity-change: 0, 2^32, missing."""
    wire = faulted(stage, "validity-lies", on="EXAMINE", text=text)
    told = wire.ask("a1 EXAMINE INBOX")
    assert [line for line in told if "UIDVALIDITY" in line] == lines
    assert told[-1].startswith("a1 OK")


def test_uid_absent_wherever_it_stood(stage: Stage) -> None:
    """attack-catalogue imap/wrong-uid: UID missing."""
    wire = faulted(stage, "uid-absent", times=None)
    assert wire.ask("a1 UID FETCH 1 (UID RFC822.SIZE)")[0].startswith("* 1 FETCH (RFC822.SIZE ")
    assert " UID " not in wire.ask("a2 UID FETCH 1 (RFC822.SIZE UID FLAGS)")[0]


def test_body_twice_with_another_body(stage: Stage) -> None:
    """attack-catalogue imap/wrong-uid: the same UID with different bodies."""
    wire = faulted(stage, "body-twice", text="evil")
    wire.send(b"a1 UID FETCH 1 (UID BODY.PEEK[TEXT])\r\n")
    assert octets_until(wire, b"a1 OK").startswith(
        b"* 1 FETCH (UID 1 BODY[TEXT] {6}\r\nbody\r\n)\r\n* 1 FETCH (UID 1 BODY[TEXT] {4}\r\nevil)\r\n"
    )


@pytest.mark.parametrize(
    "fields,answer",
    [
        ({"octets": 8}, b"BODY[TEXT] {8}\r\nbodyxxxx)"),
        ({"text": "<500>", "octets": 0}, b"BODY[TEXT]<500> {4}\r\nbody)"),
        ({"text": "<0>", "octets": 3}, b"BODY[TEXT]<0> {3}\r\nbod)"),
    ],
)
def test_partial_lies_about_origin_and_length(stage: Stage, fields: dict[str, Any], answer: bytes) -> None:
    """attack-catalogue imap/partial-overlong."""
    wire = faulted(stage, "partial-lies", **fields)
    wire.send(b"a1 UID FETCH 1 (UID BODY.PEEK[TEXT]<0.4>)\r\n")
    assert answer in octets_until(wire, b"a1 OK")


@pytest.mark.parametrize(
    "fields,line",
    [
        ({"item": "ENVELOPE", "text": "()"}, "* 1 FETCH (UID 1 FLAGS (\\Recent \\Seen) ENVELOPE () RFC822.SIZE 234)"),
        ({"item": "flags", "text": ""}, "* 1 FETCH (UID 1 FLAGS  ENVELOPE ("),
        ({"item": "RFC822.SIZE", "text": "abc"}, "RFC822.SIZE abc)"),
        ({"item": "UID"}, "* 1 FETCH (UID NIL FLAGS"),
        ({"text": "7"}, "* 1 FETCH (UID 7 FLAGS 7 ENVELOPE 7 RFC822.SIZE "),
    ],
)
def test_item_lies_about_what_it_is_told(stage: Stage, fields: dict[str, Any], line: str) -> None:
    """attack-catalogue imap/bad-fetch-items."""
    wire = faulted(stage, "item-lies", **fields)
    assert line in re.sub(r"SIZE \d+\)", "SIZE 234)", wire.ask("a1 UID FETCH 1 (UID FLAGS ENVELOPE RFC822.SIZE)")[0])


def test_item_lies_behind_a_literal_too(stage: Stage) -> None:
    """The literal is left alone."""
    wire = faulted(stage, "item-lies", item="RFC822.SIZE", text="-5")
    wire.send(b"a1 UID FETCH 1 (UID BODY.PEEK[TEXT] RFC822.SIZE)\r\n")
    assert octets_until(wire, b"a1 OK").startswith(b"* 1 FETCH (UID 1 BODY[TEXT] {6}\r\nbody\r\n RFC822.SIZE -5)\r\n")


@pytest.mark.parametrize("text", ["", "+", "+ \xff", "* OK one\r\n+ go"])
def test_a_literal_is_asked_for_in_another_way_or_never(stage: Stage, text: str) -> None:
    """attack-catalogue imap/continuation-odd."""
    wire = faulted(stage, "continuation", on="UID SEARCH", text=text)
    wire.send(b"a1 UID SEARCH SUBJECT {5}\r\n")
    if text:
        assert octets_until(wire, b"\r\n").startswith(text.encode("latin-1"))
    else:
        assert wire.is_quiet(0.1)
    wire.send(b"hello\r\n")
    assert b"* SEARCH" in octets_until(wire, b"a1 OK")
    assert [entry["verb"] for entry in stage.bridge.journal("fault")] == ["UID SEARCH"]
