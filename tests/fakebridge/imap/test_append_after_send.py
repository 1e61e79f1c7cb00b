"""APPEND of what was just sent by SMTP (bridge-behaviour 5.5; dialogue 33)."""

from __future__ import annotations

from tests.fakebridge.conftest import Stage
from tests.fakebridge.talking import C, S, append, talk
from tests.fakebridge.worlds import USER, VALIDITY

LITERAL = (
    f"From: <{USER}>\nTo: <bob@example.test>\nSubject: sent one\nMessage-ID: <s@client.example.test>\n"
    "Date: Tue, 03 Feb 2026 10:11:12 +0100\n\nsent body\n"
)


def sent(stage: Stage) -> None:
    """The message goes out; its Sent copy is there after the poll."""
    stage.submit(LITERAL.replace("\n", "\r\n"))
    stage.poll()


def test_append_to_sent_gives_the_sent_copy_a_new_uid(stage: Stage) -> None:
    """Dialogue 33: Sent still holds one message."""
    sent(stage)
    wire = stage.select("Sent", verb="EXAMINE")
    rows = S("* 1 EXPUNGE"), S("* 1 EXISTS"), S("* 1 RECENT"), S(f"a1 OK [APPENDUID {VALIDITY['Sent']} 2] APPEND")
    talk(wire, *append("a1", "Sent (\\Seen)", LITERAL), *rows)


def test_append_to_drafts_is_refused_whatever_the_message_id(stage: Stage) -> None:
    """Dialogue 33: content and recipients count; a raw copy is kept."""
    sent(stage)
    wire = stage.log_in()
    other = LITERAL.replace("<s@client", "<another@client")
    talk(wire, *append("a1", "Drafts", other), S("a1 NO append to drafts returned an existing remote ID"))
    talk(wire, C('a2 STATUS "Recovered Messages" (MESSAGES)'), S('* STATUS "Recovered Messages" (MESSAGES 1)'), S("a2 OK STATUS"))


def test_another_text_or_half_an_hour_makes_it_a_draft_of_its_own(stage: Stage) -> None:
    """bridge-behaviour 5.5: the window is 30 minutes."""
    sent(stage)
    wire = stage.log_in()
    talk(wire, *append("a1", "Drafts", LITERAL.replace("sent body", "other body")), S(f"a1 OK [APPENDUID {VALIDITY['Drafts']} 1] APPEND"))
    stage.bridge.ask("advance", seconds=1801)
    talk(wire, *append("a2", "Drafts", LITERAL), S(f"a2 OK [APPENDUID {VALIDITY['Drafts']} 2] APPEND"))
