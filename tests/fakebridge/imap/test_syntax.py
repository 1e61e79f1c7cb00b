"""Malformed input: texts, positions, tags, literals, the twentieth error (bridge-behaviour 1.7, 1.8; dialogues 06 to 08, 16, 17, 30)."""

from __future__ import annotations

import pytest

from tests.fakebridge.conftest import Stage
from tests.fakebridge.talking import C, Closed, Raw, S, talk

SYNTAX = [
    ("a1 ENABLE UTF8=ACCEPT", "a1 BAD [Error offset=4]: unknown command 'enable'"),
    ("longtag XYZZY", "longtag BAD [Error offset=9]: unknown command 'xyzzy'"),
    ("a2 SELECT", "a2 BAD [Error offset=9]: expected space after command"),
    ("a3 STATUS INBOX (HIGHESTMODSEQ)", "a3 BAD [Error offset=18]: unknown status attribute '{highestmodseq 18}'"),
    ("a3 STATUS INBOX ()", "a3 BAD [Error offset=18]: unknown status attribute '{ 18}'"),
    ("a3 STATUS INBOX", "a3 BAD [Error offset=15]: expected space after mailbox"),
    ('a4 LIST "" "*" RETURN (SUBSCRIBED)', " BAD [Error offset=14]: expected CR"),
    ("a5 NOOP junk", " BAD [Error offset=7]: expected CR"),
    ("a6  NOOP", "a6 BAD [Error offset=4]: unknown command ''"),
    ("NOOP", "NOOP BAD [Error offset=4]: Expected space after tag"),
    ("a+7 NOOP", "a BAD [Error offset=1]: Expected space after tag"),
    ("a8 UID NOPE 1", "a8 BAD [Error offset=7]: unknown uid command 'nope'"),
    ("a9 FETCH 1 (NOPE)", "a9 BAD [Error offset=13]: unknown fetch attribute 'nope'"),
    ("a9 FETCH 1 RFC822.NOPE", "a9 BAD [Error offset=19]: unknown fetch attribute 'RFC822.nope"),
    ("a9 FETCH 1 (BODY[NOPE])", "a9 BAD [Error offset=18]: unknown section msg text value 'nope'"),
    ("a9 FETCH 1 (FLAGS", "a9 BAD [Error offset=17]: expected ) for fetch attribute list end"),
    ("a9 FETCH 1 BODY[HEADER.FIELDS From]", "a9 BAD [Error offset=30]: expected ( for header list start"),
    ("a9 FETCH x FLAGS", "a9 BAD [Error offset=9]: expected valid digit for number"),
    ("a9 FETCH 0 FLAGS", "a9 BAD [Error offset=10]: expected non zero number"),
    ("a9 UID FETCH 0 FLAGS", "a9 BAD [Error offset=14]: expected non zero number"),
    ("a9 FETCH 1 BODY[0]", "a9 BAD [Error offset=17]: expected non zero number"),
    ("b1 SELECT INBOX (CONDSTORE)", " BAD [Error offset=15]: expected CR"),
    ("b2 SEARCH RETURN (COUNT) ALL", "b2 BAD [Error offset=11]: unknown search key 'return'"),
    ("b2 UID SEARCH OLDER 100", "b2 BAD [Error offset=15]: unknown search key 'older'"),
    ('b2 UID SEARCH X-GM-RAW "x"', "b2 BAD [Error offset=15]: unknown search key 'x'"),
    ("b2 SEARCH CZ", "b2 BAD [Error offset=11]: expected byte value 48"),
    ("b2 SEARCH SINCE 1-Foo-2020", "b2 BAD [Error offset=21]: invalid date month 'Foo'"),
    ("b3 STORE 1 +FLAGS (\\Recent)", "b3 BAD [Error offset=26]: Recent Flag is not allowed in this context"),
    ("b3 STORE 1 +FLUGS (x)", "b3 BAD [Error offset=14]: expected byte value 41"),
    ("b4 APPEND Drafts (\\Recent) {5}", "b4 BAD [Error offset=25]: Recent Flag is not allowed in this context"),
    ("b4 APPEND Drafts {5+}", "b4 BAD [Error offset=19]: expected '}' for literal end"),
    ("b4 LOGIN {LEN}", "b4 BAD [Error offset=10]: expected valid digit for number"),
    ("b5 CREATE", "b5 BAD [Error offset=9]: expected space after command"),
    ("b6 COPY 1", "b6 BAD [Error offset=9]: expected space after seqset"),
    ("b7 ID x", "b7 BAD [Error offset=6]: expected byte value 4e"),
    ("DONE", " NO bad command"),
    ("* NOOP", "* OK command completed in … microsec."),
]


@pytest.mark.parametrize("line, answer", SYNTAX, ids=[line for line, _ in SYNTAX])
def test_an_error_names_its_place_and_keeps_its_tag_or_not(stage: Stage, line: str, answer: str) -> None:
    """Dialogues 06, 08, 16, 17, 30: positions count from 1; behind a complete command the tag is lost."""
    wire = stage.log_in()
    talk(wire, C(line), S(answer), C("z NOOP"), S("z OK command completed in … microsec."))


def test_an_empty_line_is_reported_where_the_command_before_it_ended(stage: Stage) -> None:
    """Dialogue 06: the position is that of the last octet read before."""
    wire = stage.log_in()
    talk(
        wire,
        C("a+7 NOOP"),
        S("a BAD [Error offset=1]: Expected space after tag"),
        C(""),
        S(" BAD [Error offset=2]: Invalid tag char detected"),
    )


def test_an_open_quote_is_never_answered_and_swallows_the_next_line(stage: Stage) -> None:
    """Dialogue 06: line ends belong to the string until it is closed."""
    wire = stage.log_in()
    wire.send(b'b7 SELECT "unterminated\r\nb8 NOOP\r\n')
    talk(wire, Raw(b'"\r\n'), S("b7 NO utf7: invalid UTF-7"))


def test_a_bare_lf_costs_the_next_line(stage: Stage) -> None:
    """bridge-behaviour 1.7: the LF is the bad octet, and what follows up to the next LF is dropped."""
    wire = stage.log_in()
    wire.send(b"a1 NOOP\n")
    talk(wire, Raw(b"a2 NOOP\r\n"), S(" BAD [Error offset=7]: expected CR"), C("a3 NOOP"), S("a3 OK command completed in … microsec."))


def test_the_twentieth_error_in_a_row_is_the_last_answer(stage: Stage) -> None:
    """Dialogue 07: no BYE; a good command resets the count."""
    wire = stage.connect()
    talk(wire, S("* OK …"))
    for _ in range(19):
        talk(wire, C("a1 XYZZY"), S("a1 BAD [Error offset=4]: unknown command 'xyzzy'"))
    talk(wire, C("a2 NOOP"), S("a2 OK command completed in … microsec."))
    for _ in range(19):
        talk(wire, C("a1 XYZZY"), S("a1 BAD [Error offset=4]: unknown command 'xyzzy'"))
    talk(wire, C("a1 XYZZY"), S("a1 BAD [Error offset=4]: unknown command 'xyzzy'"), Closed())


@pytest.mark.parametrize("size", ["0", "31457280", "99999999999"])
def test_an_empty_or_too_large_literal_ends_the_session_without_a_word(stage: Stage, size: str) -> None:
    """Dialogue 08: nothing, no continuation and no BYE."""
    talk(stage.log_in(), C(f"a1 APPEND Drafts {{{size}}}"), Closed())


def test_the_octets_of_a_non_synchronising_literal_are_read_as_commands(stage: Stage) -> None:
    """Dialogue 08: LITERAL+ is not known, so the client's literal becomes a burst of errors."""
    talk(
        stage.log_in(),
        Raw(b"a1 APPEND Drafts {5+}\r\nhello\r\na2 NOOP\r\n"),
        S("a1 BAD [Error offset=19]: expected '}' for literal end"),
        S("hello BAD [Error offset=5]: Expected space after tag"),
        S("a2 OK command completed in … microsec."),
    )


def test_a_mailbox_name_may_be_a_literal_and_text_behind_it_is_an_error(stage: Stage) -> None:
    """Dialogue 08; any string may be a literal."""
    wire = stage.log_in()
    talk(wire, C("a1 STATUS {5}"), S("+ Ready"), C("INBOX (MESSAGES)"), S('* STATUS "INBOX" (MESSAGES 3)'), S("a1 OK STATUS"))
    talk(
        wire,
        Raw(b"a2 APPEND Drafts {5}\r\nhello world\r\na3 NOOP\r\n"),
        S("+ Ready"),
        S(" BAD [Error offset=23]: expected CR"),
        S("a3 OK …"),
    )


def test_a_command_may_come_octet_by_octet(stage: Stage) -> None:
    """The reader finds the end of a command wherever the network cuts it."""
    wire = stage.log_in()
    for octet in b"a1 STATUS {5}\r\n":
        wire.send(bytes((octet,)))
    talk(wire, S("+ Ready"))
    for octet in b"INBOX (MESSAGES)\r\n":
        wire.send(bytes((octet,)))
    talk(wire, S('* STATUS "INBOX" (MESSAGES 3)'), S("a1 OK STATUS"))


def test_an_unknown_word_is_echoed_whole_however_long(stage: Stage) -> None:
    """bridge-behaviour 1.8: there is no limit on the length of a line."""
    word = "x" * 100_000
    talk(stage.log_in(), C(f"a1 {word}"), S(f"a1 BAD [Error offset=4]: unknown command '{word}'"))
