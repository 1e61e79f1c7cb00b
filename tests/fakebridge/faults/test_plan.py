"""Faults on purpose: rules as data, counted, and told in the journal."""

from __future__ import annotations

import hashlib

import pytest

from tests.fakebridge.conftest import Stage
from tests.fakebridge.talking import C, Closed, S, talk
from tests.fakebridge.worlds import VALIDITY


def validity(lines: list[str]) -> int:
    """UIDVALIDITY out of SELECT's lines."""
    return next(int(line.split("UIDVALIDITY ")[1].split("]")[0]) for line in lines if "UIDVALIDITY" in line)


def test_drop_closes_instead_of_answering(stage: Stage) -> None:
    """And the journal says which rule it was."""
    wire = stage.select()
    stage.bridge.ask("fault", on="UID FETCH", fault="drop")
    talk(wire, C("a1 FETCH 1 UID"), S("* 1 FETCH (UID 1)"), S("a1 OK …"), C("a2 UID FETCH 1 UID"), Closed())
    (entry,) = stage.bridge.journal("fault")
    assert (entry["verb"], entry["do"], entry["tag"]) == ("UID FETCH", "drop", "a2")
    assert [entry["verb"] for entry in stage.bridge.journal("command")][-2:] == ["FETCH", "UID FETCH"]


def test_stall_never_answers_this_command_and_the_session_goes_on(stage: Stage) -> None:
    """A client's time limit is what ends it."""
    wire = stage.select()
    stage.bridge.ask("fault", on="SEARCH", fault="stall")
    talk(wire, C("a1 SEARCH ALL"), C("a2 NOOP"), S("a2 OK …"), C("a3 SEARCH ALL"), S("* SEARCH 1 2 3"), S("a3 OK …"))


def test_no_answers_with_its_text_and_does_nothing(stage: Stage) -> None:
    """From the nth on, as often as wanted."""
    wire = stage.select()
    stage.bridge.ask("faults", rules=[{"on": "STORE", "do": "no", "text": "not today", "nth": 2, "times": 2}])
    answers = [wire.ask("a1 STORE 1 +FLAGS.SILENT (x)")[-1] for _ in range(4)]
    assert [answer.split(" in ")[0] for answer in answers] == [
        "a1 OK command completed",
        "a1 NO not today",
        "a1 NO not today",
        "a1 OK command completed",
    ]


def test_a_rule_may_name_a_mailbox(stage: Stage) -> None:
    """Commands elsewhere are not counted."""
    stage.bridge.ask("fault", rule={"on": "NOOP", "do": "no", "mailbox": "Archive", "times": None})
    talk(stage.select(), C("a1 NOOP"), S("a1 OK …"))
    talk(stage.select("Archive"), C("a1 NOOP"), S("a1 NO fault"), C("a2 NOOP"), S("a2 NO fault"))
    stage.bridge.ask("clear-faults")
    talk(stage.select("Archive"), C("a1 NOOP"), S("a1 OK …"))


def test_uidvalidity_shows_another_value_from_then_on(stage: Stage) -> None:
    """UIDs stay."""
    wire = stage.log_in()
    stage.bridge.ask("fault", on="EXAMINE", fault="uidvalidity", nth=2)
    assert [validity(wire.ask("a1 EXAMINE INBOX")) for _ in range(3)] == [VALIDITY["INBOX"], VALIDITY["INBOX"] + 1, VALIDITY["INBOX"] + 1]


def test_certificate_shows_another_one_to_new_connections(stage: Stage) -> None:
    """As after a reinstallation."""

    def fingerprint() -> str:
        wire = stage.connect()
        talk(wire, S("* OK …"), C("a1 STARTTLS"), S("a1 OK …"))
        wire.start_tls()
        assert wire.certificate is not None
        return hashlib.sha256(wire.certificate).hexdigest()

    stage.bridge.ask("fault", fault="certificate", nth=2)
    shown = [fingerprint() for _ in range(3)]
    assert shown[0] == shown[2] == stage.bridge.ready["certificate_sha256"]
    assert shown[1] != shown[0]
    assert [entry["do"] for entry in stage.bridge.journal("fault")] == ["certificate"]


def test_garbage_is_a_line_that_is_no_imap(stage: Stage) -> None:
    """A client must give up in order."""
    wire = stage.select()
    stage.bridge.ask("fault", on="NOOP", fault="garbage")
    talk(wire, C("a1 NOOP"), S('* ((( "no IMAP at all'), C("a2 NOOP"), S("a2 OK …"))


@pytest.mark.parametrize(
    "rule",
    [
        {"on": "NOOP", "do": "explode"},
        {"on": 1, "do": "drop"},
        {"on": "NOOP", "do": "drop", "nth": 0},
        {"on": "NOOP", "do": "drop", "times": "x"},
        {"on": "NOOP", "do": "no", "text": 1},
        {"on": "NOOP", "do": "drop", "canary-field": 1},
        "drop",
    ],
)
def test_a_rule_that_cannot_be_used_is_an_answer_not_the_end(stage: Stage, rule: object) -> None:
    """The process goes on; the error names fields, not values."""
    answer = stage.bridge.send({"do": "fault", "rule": rule})
    assert answer["ok"] is False
    assert "canary" not in str(answer["error"])
    stage.poll()
