"""Faults of the SMTP side, on the wire."""

from __future__ import annotations

import base64

import pytest

from tests.fakebridge.conftest import Stage
from tests.fakebridge.faults.test_connecting import planned
from tests.fakebridge.talking import C, Closed, S, Wire, talk
from tests.fakebridge.worlds import PASSWORD, USER


def greeted(stage: Stage) -> Wire:
    """A connection that has said EHLO and logged in."""
    wire = stage.connect("smtp")
    talk(wire, S("220 …"), C("EHLO probe"))
    while not str(wire.line()).startswith("250 "):
        pass
    login = base64.b64encode(f"\0{USER}\0{PASSWORD}".encode()).decode()
    talk(wire, C(f"AUTH PLAIN {login}"), S("235 …"))
    return wire


@pytest.mark.parametrize("do,answer", [("no", "554 5.0.0 Error: fault"), ("bad", "500 5.5.2 fault"), ("garbage", "…no IMAP…")])
def test_a_command_may_be_answered_otherwise(stage: Stage, do: str, answer: str) -> None:
    """And is not carried out."""
    wire = greeted(planned(stage, {"on": "SMTP MAIL", "do": do}))
    talk(wire, C(f"MAIL FROM:<{USER}>"), S(answer), C("RCPT TO:<b@example.test>"), S("502 5.5.1 Missing MAIL FROM command."))


@pytest.mark.parametrize("do", ["drop", "answer-lost"])
def test_a_connection_may_end(stage: Stage, do: str) -> None:
    """Instead of an answer."""
    talk(greeted(planned(stage, {"on": "SMTP NOOP", "do": do})), C("NOOP"), Closed())


def test_an_answer_may_be_lost_after_the_message_was_taken(stage: Stage) -> None:
    """The sender doesn't know that it went out."""
    wire = greeted(planned(stage, {"on": "SMTP DATA", "do": "answer-lost"}))
    talk(wire, C(f"MAIL FROM:<{USER}>"), S("250 …"), C("RCPT TO:<b@example.test>"), S("250 …"), C("DATA"), S("354 …"))
    talk(wire, C(f"From: {USER}\r\nTo: b@example.test\r\nSubject: s\r\n\r\nx\r\n."), Closed())
    assert len(stage.bridge.ask("sink")["messages"]) == 1


def test_a_command_may_never_be_answered(stage: Stage) -> None:
    """The next one is."""
    talk(greeted(planned(stage, {"on": "SMTP NOOP", "do": "stall"})), C("NOOP"), C("RSET"), S("250 2.0.0 Session reset"))


def test_greetings_may_be_late_or_absent_and_starttls_unknown(stage: Stage) -> None:
    """`on` is SMTP CONNECT; IMAP greets as ever."""
    planned(stage, *({"on": "SMTP CONNECT", **rule} for rule in ({"do": "greeting-late", "seconds": 0.3}, {"do": "starttls-not-offered"})))
    wire = stage.connect("smtp")
    talk(stage.connect(), S("* OK [CAPABILITY … STARTTLS …"))
    assert wire.is_quiet(0.05)
    talk(wire, S("220 …"), C("EHLO probe"))
    lines = [str(wire.line())]
    while not lines[-1].startswith("250 "):
        lines.append(str(wire.line()))
    assert "250-STARTTLS" not in lines
    talk(wire, C("STARTTLS"), S("500 5.5.2 Syntax errors, STARTTLS command unrecognized"))
    planned(stage, {"on": "SMTP CONNECT", "do": "greeting-absent"})
    talk(stage.connect("smtp"), C("NOOP"), S("250 …"))
