"""What happens behind the client's back: polls, other devices, restarts, outages.

Facts: bridge-behaviour 1.10, 2.4, 3.2, 8.2; dialogues 35 to 38, 44 to 47.
"""

from __future__ import annotations

import pytest

from tests.fakebridge.conftest import Stage, Staging
from tests.fakebridge.talking import C, Closed, S, append, talk
from tests.fakebridge.worlds import PASSWORD, USER, VALIDITY, entry, mail

DRAFT = "To: bob@example.test\nSubject: lives on\nMessage-ID: <lives@client.example.test>\n\nx\n"


def test_new_mail_shows_at_the_poll_and_not_before(stage: Stage) -> None:
    """Dialogue 35: with the next UID, although it is the newest."""
    wire = stage.select()
    stage.bridge.ask("deliver", message=mail("pushed"))
    talk(wire, C("a1 NOOP"), S("a1 OK …"))
    stage.poll()
    talk(wire, C("a2 FETCH 1 UID"), S("* 1 FETCH (UID 1)"), S("* 4 EXISTS"), S("* 4 RECENT"), S("a2 OK …"))
    talk(wire, C("a3 UID FETCH 4:* (UID FLAGS)"), S("* 4 FETCH (UID 4 FLAGS (\\Recent \\Seen))"), S("a3 OK …"))


def test_deleted_trashed_and_starred_elsewhere(stage: Stage) -> None:
    """Dialogue 36: EXPUNGE, EXPUNGE, FETCH without a UID."""
    wire = stage.select()
    stage.bridge.ask("delete", subject="first")
    stage.poll()
    talk(wire, C("a1 FETCH 3 UID"), S("* 3 FETCH (UID 3)"), S("a1 OK [EXPUNGEISSUED] …"), C("a2 NOOP"), S("* 3 EXPUNGE"), S("a2 OK …"))
    stage.bridge.ask("label", mailbox="Trash", subject="second")
    stage.bridge.ask("label", mailbox="Starred", subject="third")
    stage.poll()
    talk(wire, C("a3 NOOP"), S("* 2 EXPUNGE"), S("* 1 FETCH (FLAGS (\\Flagged \\Recent \\Seen))"), S("a3 OK …"))
    talk(wire, C("a4 STATUS Trash (MESSAGES)"), S('* STATUS "Trash" (MESSAGES 1)'), S("a4 OK STATUS"))


def test_a_draft_edited_elsewhere_gets_another_uid_and_keeps_its_message_id(stage: Stage) -> None:
    """Dialogue 37: the old UID answers nothing."""
    wire = stage.log_in()
    talk(wire, *append("a1", "Drafts", DRAFT), S("a1 OK …"))
    wire.ask("a2 SELECT Drafts")
    stage.poll()
    stage.bridge.ask("edit-draft", subject="lives on")
    stage.poll()
    talk(wire, C("a3 NOOP"), S("* 1 EXPUNGE"), S("* 1 EXISTS"), S("* 1 RECENT"), S("a3 OK …"), C("a4 UID FETCH 1 UID"), S("a4 OK …"))
    talk(wire, C("a5 UID FETCH 2 BODY.PEEK[TEXT]"), S("* 1 FETCH (BODY[TEXT] {11}\r\nedited body UID 2)"), S("a5 OK …"))
    talk(wire, C('a6 UID SEARCH HEADER Message-ID "lives@client" SUBJECT "lives on edited"'), S("* SEARCH 2"), S("a6 OK …"))


def test_a_draft_trashed_elsewhere_leaves_drafts(stage: Stage) -> None:
    """bridge-behaviour 5.7."""
    wire = stage.log_in()
    talk(wire, *append("a1", "Drafts", DRAFT), S("a1 OK …"))
    stage.poll()
    stage.bridge.ask("label", mailbox="Trash", subject="lives on")
    stage.poll()
    for mailbox, count in (("Drafts", 0), ("Trash", 1), ("All Mail", 4)):
        talk(wire, C(f'a2 STATUS "{mailbox}" (MESSAGES)'), S(f'* STATUS "{mailbox}" (MESSAGES {count})'), S("a2 OK STATUS"))


def prepared(stage: Stage) -> None:
    """Something of everything that may or may not survive: flags, a move, a draft."""
    wire = stage.select()
    talk(
        wire,
        C("a1 UID STORE 2 FLAGS.SILENT (\\Flagged)"),
        S("a1 OK …"),
        C("a2 UID MOVE 1 Archive"),
        S("* OK …"),
        S("* 1 EXPUNGE"),
        S("a2 OK …"),
    )
    talk(wire, *append("a3", "Drafts", DRAFT), S("a3 OK …"))
    stage.poll()


def test_a_restart_keeps_everything_but_recent(stage: Stage) -> None:
    """Dialogue 44: sessions are counted anew; UIDs, flags and drafts stay."""
    prepared(stage)
    stage.bridge.ask("restart")
    wire = stage.connect()
    talk(wire, S("* OK … - gluon session ID 1"), C(f"l LOGIN {USER} {PASSWORD}"), S("l OK …"))
    lines = wire.ask("a1 SELECT INBOX")
    assert lines[1:3] == ["* 2 EXISTS", "* 0 RECENT"]
    assert lines[4:7] == [
        "* OK [UIDNEXT 4] Predicted next UID",
        f"* OK [UIDVALIDITY {VALIDITY['INBOX']}] UIDs valid",
        "* OK [UNSEEN 1] Unseen messages",
    ]
    talk(wire, C("a2 FETCH 1:2 (UID FLAGS)"), S("* 1 FETCH (UID 2 FLAGS (\\Flagged))"), S("* 2 FETCH (UID 3 FLAGS (\\Seen))"), S("a2 OK …"))
    talk(wire, C("a3 STATUS Drafts (MESSAGES UIDNEXT)"), S('* STATUS "Drafts" (MESSAGES 1 UIDNEXT 2)'), S("a3 OK STATUS"))


@pytest.mark.parametrize("how", [{"do": "repair"}, {"do": "mode", "to": "split"}])
def test_repair_and_mode_switch_close_and_count_everything_anew(stage: Stage, how: dict[str, str]) -> None:
    """Dialogues 45, 46: no BYE; new UIDVALIDITYs, UIDs from 1 (the newest first), all recent again; drafts and Message-IDs stay."""
    prepared(stage)
    wire = stage.select()
    answer = stage.bridge.send(how)
    assert answer["ok"]
    talk(wire, Closed())
    wire = stage.log_in()
    lines = wire.ask("a1 SELECT INBOX")
    assert lines[1:3] == ["* 2 EXISTS", "* 2 RECENT"]
    assert lines[4] == "* OK [UIDNEXT 3] Predicted next UID"
    assert int(lines[5].split("UIDVALIDITY ")[1].split("]")[0]) > max(VALIDITY.values())
    talk(wire, C("a2 UID SEARCH SUBJECT second"), S("* SEARCH 1"), S("a2 OK …"))
    wire.ask('a3 SELECT "All Mail"')
    talk(wire, C('a4 UID SEARCH HEADER Message-ID "lives@client"'), S("* SEARCH 1"), S("a4 OK …"))


def test_ids_of_the_store_differ_after_a_repair_and_those_of_the_account_stay(stage: Stage) -> None:
    """bridge-behaviour 4.2."""
    item = "FETCH 1 BODY.PEEK[HEADER.FIELDS (X-Pm-Gluon-Id X-Pm-Internal-Id)]"
    before = stage.select().ask(f"a1 {item}")[0].split("\r\n")
    stage.bridge.ask("repair")
    after = stage.select().ask(f"a1 {item}")[0].split("\r\n")
    assert before[1] != after[1]
    assert before[2] == after[2]


def test_a_logged_out_account_answers_like_a_wrong_password(stage: Stage) -> None:
    """Dialogue 47: connections are closed without BYE."""
    wire = stage.select()
    stage.bridge.ask("logout")
    talk(wire, Closed())
    talk(stage.connect(), S("* OK …"), C(f"a1 LOGIN {USER} {PASSWORD}"), S("a1 NO no such user"))


def test_while_the_account_is_away_reading_goes_on_and_writing_hangs_and_fails(staged: Staging) -> None:
    """Dialogue 38: the flag is unchanged, the draft is kept and not stored later."""
    stage = staged(profile={"offline_hang_seconds": 0.4})
    wire = stage.select()
    stage.bridge.ask("offline")
    stage.bridge.ask("deliver", message=mail("waits"))
    stage.poll()
    talk(wire, C("a1 NOOP"), S("a1 OK …"), C("a2 SEARCH TEXT body"), S("* SEARCH 1 2 3"), S("a2 OK …"))
    wire.send(b"a3 STORE 1 +FLAGS (\\Flagged)\r\n")
    assert wire.is_quiet(0.2)
    talk(wire, S("a3 NO 503 PUT https://…/mail/v4/messages/label: 503 Service Unavailable (Code=0, Status=503)"))
    refusal = (
        "failed to create draft: failed to create draft: 503 POST https://…/mail/v4/messages: 503 Service Unavailable (Code=0, Status=503)"
    )
    talk(wire, *append("a4", "Drafts", DRAFT), S(f"a4 NO {refusal}"))
    stage.bridge.ask("online")
    stage.poll()
    talk(
        wire,
        C("a5 NOOP"),
        S("* 4 EXISTS"),
        S("* 4 RECENT"),
        S("a5 OK …"),
        C("a6 FETCH 1 FLAGS"),
        S("* 1 FETCH (FLAGS (\\Recent \\Seen))"),
        S("a6 OK …"),
    )
    talk(wire, C("a7 STATUS Drafts (MESSAGES)"), S('* STATUS "Drafts" (MESSAGES 0)'), S("a7 OK STATUS"))
    talk(wire, C('a8 STATUS "Recovered Messages" (MESSAGES)'), S('* STATUS "Recovered Messages" (MESSAGES 1)'), S("a8 OK STATUS"))


def test_while_one_session_hangs_others_are_served_and_its_own_commands_wait(staged: Staging) -> None:
    """bridge-behaviour 8.2: the reader already asks for the next literal."""
    stage = staged(profile={"offline_hang_seconds": 1.5})
    hanging, other = stage.select(), stage.select()
    stage.bridge.ask("offline")
    hanging.send(b"a1 STORE 1 +FLAGS (\\Flagged)\r\na2 APPEND Drafts {4}\r\n")
    talk(hanging, S("+ Ready"))
    talk(other, C("b1 UID SEARCH ALL"), S("* SEARCH 1 2 3"), S("b1 OK …"))
    talk(hanging, S("a1 NO 503 …"))


def test_the_first_sync_gives_the_newest_message_uid_one_in_all_mail_too(staged: Staging) -> None:
    """bridge-behaviour 1.11; dialogues 13, 35: All Mail is in the order of time, whatever the mailbox."""
    mailboxes = {
        "INBOX": [entry(mail("in new"), day=4), entry(mail("in old"), day=2)],
        "Archive": [entry(mail("kept new"), day=3), entry(mail("kept old"), day=1)],
    }
    wire = staged(mailboxes=mailboxes).select("All Mail", verb="EXAMINE")
    for uid, subject in enumerate(("in new", "kept new", "in old", "kept old"), start=1):
        talk(wire, C(f'a1 UID SEARCH SUBJECT "{subject}"'), S(f"* SEARCH {uid}"), S("a1 OK …"))


def test_a_period_polls_without_being_asked(staged: Staging) -> None:
    """bridge-behaviour 3.2: the real one takes 20 to 40 s."""
    stage = staged(profile={"poll_seconds": 0.05})
    wire = stage.select()
    stage.bridge.ask("deliver", message=mail("pushed"))
    talk(wire, C("a1 IDLE"), S("+ Ready"), S("* 4 EXISTS"), S("* 4 RECENT"), C("DONE"), S("a1 OK IDLE"))
