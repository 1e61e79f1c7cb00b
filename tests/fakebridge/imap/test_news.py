"""When a session is told of what happens (bridge-behaviour 3.2, 3.3; dialogues 25, 27, 31, 33, 35 to 37)."""

from __future__ import annotations

import pytest

from tests.fakebridge.conftest import Stage, Staging
from tests.fakebridge.talking import C, S, append, talk
from tests.fakebridge.worlds import mail


def test_nothing_is_told_between_commands(stage: Stage) -> None:
    """bridge-behaviour 3.2."""
    watching, other = stage.select(), stage.select()
    talk(other, C("b1 STORE 1 +FLAGS (\\Flagged)"), S("* 1 FETCH (FLAGS (\\Flagged \\Seen))"), S("b1 OK …"))
    assert watching.is_quiet(0.2)
    talk(watching, C('a1 LIST "" Drafts'), S("* LIST …"), S("a1 OK LIST"))
    talk(watching, C("a2 NOOP"), S("* 1 FETCH (FLAGS (\\Flagged \\Recent \\Seen))"), S("a2 OK …"))


def test_expunge_is_held_back_in_fetch_search_and_store_and_announced_by_a_code(stage: Stage) -> None:
    """Dialogues 31, 36: the message can still be read until it is told."""
    watching, other = stage.select(), stage.select()
    talk(other, C("b1 MOVE 2 Archive"), S("* OK …"), S("* 2 EXPUNGE"), S("b1 OK …"))
    talk(watching, C("a1 FETCH 2 UID"), S("* 2 FETCH (UID 2)"), S("a1 OK [EXPUNGEISSUED] command completed in … microsec."))
    talk(watching, C("a2 UID SEARCH ALL"), S("* SEARCH 1 2 3"), S("a2 OK [EXPUNGEISSUED] command completed in … microsec."))
    talk(watching, C("a3 STORE 3 +FLAGS.SILENT (\\Flagged)"), S("a3 OK [EXPUNGEISSUED] command completed in … microsec."))
    talk(watching, C("a4 COPY 1 Labels/Work"), S("a4 OK [COPYUID …] command …"))
    talk(
        watching, C("a5 NOOP"), S("* 2 EXPUNGE"), S("a5 OK command completed in … microsec."), C("a6 UID FETCH 2 UID"), S("a6 OK command …")
    )


@pytest.mark.parametrize(
    "command, last",
    [
        ("CHECK", ["a1 OK CHECK"]),
        ("EXPUNGE", ["a1 OK EXPUNGE"]),
        ("UID EXPUNGE 999", ["a1 OK EXPUNGE"]),
        ("UID MOVE 999 Archive", ["a1 OK command …"]),
        ("STATUS INBOX (MESSAGES)", ['* STATUS "INBOX" (MESSAGES 2)', "a1 OK STATUS"]),
    ],
)
def test_check_expunge_move_and_status_of_the_selected_mailbox_tell_expunges(stage: Stage, command: str, last: list[str]) -> None:
    """bridge-behaviour 3.2."""
    watching, other = stage.select(), stage.select()
    talk(other, C("b1 MOVE 2 Archive"), S("* OK …"), S("* 2 EXPUNGE"), S("b1 OK …"))
    talk(watching, C(f"a1 {command}"), S("* 2 EXPUNGE"), *map(S, last))


def test_append_into_the_selected_mailbox_tells_expunges(stage: Stage) -> None:
    """Dialogue 33."""
    watching, other = stage.select(verb="EXAMINE"), stage.select()
    talk(other, C("b1 MOVE 2 Archive"), S("* OK …"), S("* 2 EXPUNGE"), S("b1 OK …"))
    talk(watching, *append("a1", "INBOX", mail("x")), S("* 2 EXPUNGE"), S("* 3 EXISTS"), S("* 3 RECENT"), S("a1 OK [APPENDUID …] APPEND"))


def test_close_tells_other_news_but_no_expunge(stage: Stage) -> None:
    """bridge-behaviour 3.2."""
    watching, other = stage.select(), stage.select()
    talk(other, C("b1 MOVE 1 Archive"), S("* OK …"), S("* 1 EXPUNGE"), S("b1 OK …"))
    talk(watching, C("a1 STORE 3 +FLAGS.SILENT (\\Deleted)"), S("a1 OK [EXPUNGEISSUED] …"), C("a2 CLOSE"), S("a2 OK CLOSE"))
    assert stage.log_in().ask("c1 SELECT INBOX")[1] == "* 1 EXISTS"


def test_news_of_one_kind_are_told_once(stage: Stage) -> None:
    """bridge-behaviour 3.2: EXISTS and RECENT as a pair, flags of one message in one line."""
    watching, other = stage.select(), stage.select()
    for flag in ("\\Flagged", "one", "two"):
        talk(other, C(f"b1 STORE 1 +FLAGS.SILENT ({flag})"), S("b1 OK …"))
    talk(other, *append("b2", "INBOX", mail("x")), S("* 4 EXISTS"), S("* 1 RECENT"), S("b2 OK …"))
    talk(other, *append("b3", "INBOX", mail("y")), S("* 5 EXISTS"), S("* 2 RECENT"), S("b3 OK …"))
    talk(watching, C("a1 NOOP"), S("* 1 FETCH (FLAGS (\\Flagged \\Recent \\Seen one two))"), S("* 5 EXISTS"), S("* 3 RECENT"), S("a1 OK …"))


def test_recent_is_given_to_one_session_only(stage: Stage) -> None:
    """bridge-behaviour 3.1: to the one that appends into its own mailbox; of two watchers to one."""
    first, second = stage.select(), stage.select()
    stage.bridge.ask("deliver", message=mail("new"))
    stage.poll()
    talk(first, C("a1 NOOP"), S("* 4 EXISTS"), S("* 4 RECENT"), S("a1 OK …"))
    talk(second, C("b1 NOOP"), S("* 4 EXISTS"), S("b1 OK …"))


def test_idle_tells_what_waits_and_what_comes(stage: Stage) -> None:
    """Dialogues 31, 35: gathered for half a second; DONE in any letter case."""
    watching, other = stage.select(), stage.select()
    talk(other, C("b1 STORE 1 +FLAGS.SILENT (\\Flagged)"), S("b1 OK …"))
    talk(watching, C("a1 IDLE"), S("+ Ready"), S("* 1 FETCH (FLAGS (\\Flagged \\Recent \\Seen))"))
    talk(other, C("b2 MOVE 2:3 Archive"), S("* OK …"), S("* 2 EXPUNGE"), S("* 2 EXPUNGE"), S("b2 OK …"))
    talk(watching, S("* 2 EXPUNGE"), S("* 2 EXPUNGE"), C("dOnE"), S("a1 OK IDLE"))
    stage.bridge.ask("deliver", message=mail("new"))
    stage.poll()
    talk(watching, C("a2 IDLE"), S("+ Ready"), S("* 2 EXISTS"), S("* 2 RECENT"), C("DONE"), S("a2 OK IDLE"))


def test_idle_without_a_mailbox_never_reports(stage: Stage) -> None:
    """bridge-behaviour 3.3."""
    wire = stage.log_in()
    talk(wire, C("a1 IDLE"), S("+ Ready"))
    stage.bridge.ask("deliver", message=mail("new"))
    stage.poll()
    talk(wire, C("DONE"), S("a1 OK IDLE"))


def test_another_command_ends_idle_with_a_bare_bad_and_is_lost(stage: Stage) -> None:
    """Dialogue 31; a syntax error ends it with NO."""
    wire = stage.select()
    talk(wire, C("a1 IDLE"), S("+ Ready"), C("a2 NOOP"), S("a1 BAD"), C("a3 NOOP"), S("a3 OK …"))
    talk(wire, C("a4 IDLE"), S("+ Ready"), C("a5 XYZZY"), S("a4 NO [Error offset=4]: unknown command 'xyzzy'"), C("a6 NOOP"), S("a6 OK …"))


def test_idle_can_be_switched_off(staged: Staging) -> None:
    """bridge-behaviour 0.3."""
    wire = staged(profile={"idle": False}).connect()
    talk(wire, S("* OK [CAPABILITY AUTH=PLAIN ID IMAP4rev1 MOVE STARTTLS UIDPLUS UNSELECT] …"))
    talk(wire, C("a1 IDLE"), S("a1 BAD [Error offset=4]: unknown command 'idle'"))


def test_messages_copied_into_a_watched_mailbox_are_told_without_recent(stage: Stage) -> None:
    """The copying session keeps the claim on them (bridge-behaviour 3.1)."""
    watching, other = stage.select("Labels/Work"), stage.select()
    talk(other, C("b1 COPY 1 Labels/Work"), S("b1 OK …"))
    talk(watching, C("a1 NOOP"), S("* 1 EXISTS"), S("a1 OK …"))
