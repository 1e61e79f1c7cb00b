"""Faults in place of a command, on the wire: it is not carried out. `drop`, `stall`, `no` and `garbage` are in test_plan."""

from __future__ import annotations

import pytest

from tests.fakebridge.conftest import Stage
from tests.fakebridge.faults.test_answers import faulted, octets_until
from tests.fakebridge.talking import C, Closed, Raw, S, append, talk
from tests.fakebridge.worlds import PASSWORD, USER, mail

LITERAL = mail("gone").replace("\n", "\r\n").encode()


def test_endless_line_has_no_end(stage: Stage) -> None:
    """attack-catalogue imap/long-line: it stops when its octets are used up, and the connection with it."""
    wire = faulted(stage, "endless-line", on="NOOP", octets=3_000_000)
    wire.send(b"a1 NOOP\r\n")
    while wire._fill():
        pass
    assert wire._buffer == b"* OK " + b"x" * 3_000_000


def test_endless_line_waits_for_a_client_that_does_not_read(stage: Stage) -> None:
    """Nothing piles up in fakebridge: another session is served, and the journal goes on."""
    wire = faulted(stage, "endless-line", on="NOOP", octets=1 << 40)
    wire.send(b"a1 NOOP\r\n")
    wire._fill()
    assert stage.select().ask("a1 NOOP")[-1].startswith("a1 OK")
    wire.close()
    assert stage.log_in().ask("a2 NOOP")[-1].startswith("a2 OK")


def test_bye_says_so_and_closes(stage: Stage) -> None:
    """attack-catalogue imap/bye-mid-command: with an escape sequence in its text."""
    talk(faulted(stage, "bye", on="NOOP", text="\x1b[2J down"), C("a1 NOOP"), S("* BYE \x1b[2J down"), Closed())


def test_bad_answers_with_its_text(stage: Stage) -> None:
    """And the session goes on."""
    talk(faulted(stage, "bad", on="STORE", text="no idea"), C("a1 STORE 1 FLAGS ()"), S("a1 BAD no idea"), C("a2 NOOP"), S("a2 OK …"))
    assert stage.bridge.journal("flags") == []


def test_answer_gives_lines_of_its_own_then_ok(stage: Stage) -> None:
    """For what no other kind covers: bodies under a wrong UID, ranges that nobody asked for, OK to a command that was not carried out."""
    wire = faulted(stage, "answer", text="* 1 FETCH (UID 999 FLAGS ())\n* 2 EXPUNGE")
    talk(wire, C("a1 UID FETCH 1 UID"), S("* 1 FETCH (UID 999 FLAGS ())"), S("* 2 EXPUNGE"), S("a1 OK done"))


@pytest.mark.parametrize("command", ["SELECT INBOX", "EXAMINE INBOX", "STATUS INBOX (MESSAGES)"])
def test_a_mailbox_that_is_gone_is_refused_where_it_is_named(stage: Stage, command: str) -> None:
    """Dialogue 12: `no such mailbox`."""
    wire = faulted(stage, "mailbox-gone", on=command.split(" ", maxsplit=1)[0])
    talk(wire, C(f"a1 {command}"), S("a1 NO no such mailbox"), C("a2 NOOP"), S("a2 OK …"))


def test_a_mailbox_that_is_gone_is_not_appended_to(stage: Stage) -> None:
    """Dialogue 26: TRYCREATE."""
    wire = faulted(stage, "mailbox-gone", on="APPEND")
    talk(wire, *append("a1", "INBOX", LITERAL), S("a1 NO [TRYCREATE] no such mailbox"))


def test_an_open_mailbox_that_is_gone_ends_the_session(stage: Stage) -> None:
    """As a session whose mailbox was deleted (bridge-behaviour 2.6; test_outside)."""
    wire = faulted(stage, "mailbox-gone", on="UID FETCH")
    talk(wire, C("a1 UID FETCH 1 UID"), S("* BYE IMAP session state is inconsistent, please re-login."), Closed())


def test_login_refused_so_many_times(stage: Stage) -> None:
    """LOGIN and AUTHENTICATE are counted together; then the password is right again."""
    stage.bridge.ask("faults", rules=[{"do": "login-refused", "times": 2, "text": "not now"}])
    wire = stage.connect()
    login = f"LOGIN {USER} {PASSWORD}"
    talk(wire, S("* OK …"), C(f"a1 {login}"), S("a1 NO not now"), C("a2 AUTHENTICATE PLAIN"), S("+"))
    talk(wire, Raw(b"AGFkYQB4\r\n"), S("a2 NO not now"), C(f"a3 {login}"), S("a3 OK …"))
    assert [entry["do"] for entry in stage.bridge.journal("fault")] == ["login-refused"] * 2


def test_any_imap_command_may_be_meant(stage: Stage) -> None:
    """`*`: of any verb, but no greeting and nothing of SMTP."""
    stage.bridge.ask("faults", rules=[{"on": "*", "do": "no"}])
    talk(stage.connect("smtp"), S("220 …"), C("NOOP"), S("250 …"))
    talk(stage.connect(), S("* OK …"), C("a1 CAPABILITY"), S("a1 NO fault"), C("a2 CAPABILITY"), S("* CAPABILITY …"), S("a2 OK …"))


def test_verbatim_says_what_it_is_told(stage: Stage) -> None:
    """Octet by octet, the tag in its places; the command is not carried out."""
    wire = stage.select()
    stage.bridge.ask("faults", rules=[{"on": "UID STORE", "do": "verbatim", "text": "* X \x00\xff\r\n{TAG} {tag} OK\r\n"}])
    wire.send(b"a1 UID STORE 1 FLAGS (\\Seen)\r\n")
    assert octets_until(wire, b"OK\r\n") == b"* X \x00\xff\r\nA1 a1 OK\r\n"
    assert stage.bridge.journal("flags") == []
