r"""STORE, EXPUNGE and what flags survive (bridge-behaviour 6.4, 6.5; dialogues 24, 25, 28 to 30)."""

from __future__ import annotations

import pytest

from tests.fakebridge.conftest import Stage, Staging
from tests.fakebridge.talking import C, S, append, talk
from tests.fakebridge.worlds import entry, mail

STEPS = [
    ("STORE 1 +FLAGS (\\Seen)", None),
    ("STORE 1 +FLAGS (\\Flagged)", "(\\Flagged \\Recent \\Seen)"),
    ("STORE 1 +FLAGS (\\flagged)", None),
    ("STORE 1 FLAGS (\\Seen)", "(\\Recent \\Seen)"),
    ("STORE 1 +FLAGS ($Forwarded)", "($Forwarded Forwarded \\Recent \\Seen)"),
    ("STORE 1 +FLAGS (\\Answered custom)", "($Forwarded Forwarded \\Answered \\Recent \\Seen custom)"),
    ("STORE 1 +FLAGS (CUSTOM)", None),
    ("STORE 1 -FLAGS (forwarded)", "(\\Answered \\Recent \\Seen custom)"),
    ("STORE 1 +FLAGS.SILENT (\\Flagged)", None),
    ("STORE 1 -FLAGS (\\Flagged CUSTOM \\Answered)", "(\\Recent \\Seen)"),
    ("STORE 1 +FLAGS \\Deleted keyword", "(\\Deleted \\Recent \\Seen keyword)"),
    ("STORE 1 FLAGS ()", "(\\Recent)"),
]


def test_store_says_what_changed_and_nothing_else(stage: Stage) -> None:
    """Dialogue 30: letter case is ignored and kept, the forward pair goes together, unchanged and silent give no FETCH."""
    wire = stage.select()
    for command, flags in STEPS:
        rows = [S(f"* 1 FETCH (FLAGS {flags})")] if flags else []
        talk(wire, C(f"a1 {command}"), *rows, S("a1 OK command completed in … microsec."))


def test_uid_store_adds_the_uid_and_passes_over_missing_ones(stage: Stage) -> None:
    """Dialogue 30."""
    wire = stage.select()
    talk(wire, C("a1 UID STORE 2,99 +FLAGS (\\Flagged)"), S("* 2 FETCH (FLAGS (\\Flagged \\Recent \\Seen) UID 2)"), S("a1 OK …"))
    talk(wire, C("a2 STORE 99 +FLAGS (\\Seen)"), S("a2 BAD no such message"))


def test_flagged_and_starred_are_one_thing_seen_at_the_next_poll(stage: Stage) -> None:
    """bridge-behaviour 6.4: in both directions."""
    wire = stage.select()
    talk(wire, C("a1 STORE 2 +FLAGS (\\Flagged)"), S("* 2 FETCH (FLAGS (\\Flagged \\Recent \\Seen))"), S("a1 OK …"))
    talk(wire, C("a2 STATUS Starred (MESSAGES)"), S('* STATUS "Starred" (MESSAGES 0)'), S("a2 OK STATUS"))
    stage.poll()
    talk(wire, C("a3 STATUS Starred (MESSAGES)"), S('* STATUS "Starred" (MESSAGES 1)'), S("a3 OK STATUS"))
    starred = stage.select("Starred")
    talk(starred, C("b1 STORE 1 +FLAGS.SILENT (\\Deleted)"), S("b1 OK …"), C("b2 EXPUNGE"), S("* 1 EXPUNGE"), S("b2 OK EXPUNGE"))
    stage.poll()
    talk(wire, C("a4 NOOP"), S("* 2 FETCH (FLAGS (\\Recent \\Seen))"), S("a4 OK …"))


def test_keywords_and_answered_are_lost_at_the_next_event_about_the_message(stage: Stage) -> None:
    """Dialogues 25, 30: an event of the client's own making is enough; others keep theirs."""
    wire = stage.select()
    talk(wire, C("a1 STORE 1:2 +FLAGS.SILENT (\\Answered custom)"), S("a1 OK …"), C("a2 STORE 1 +FLAGS.SILENT (\\Flagged)"), S("a2 OK …"))
    stage.poll()
    talk(wire, C("a3 NOOP"), S("* 1 FETCH (FLAGS (\\Flagged \\Recent \\Seen))"), S("a3 OK …"))
    talk(wire, C("a4 FETCH 2 FLAGS"), S("* 2 FETCH (FLAGS (\\Answered \\Recent \\Seen custom))"), S("a4 OK …"))


def test_deleted_belongs_to_one_mailbox_and_seen_to_all(stage: Stage) -> None:
    """bridge-behaviour 6.4."""
    wire, everything = stage.select(), stage.select("All Mail")
    talk(wire, C("a1 STORE 1 FLAGS.SILENT (\\Deleted)"), S("a1 OK …"))
    talk(everything, C("b1 NOOP"), S("* 1 FETCH (FLAGS (\\Recent))"), S("b1 OK …"))


def test_expunge_numbers_shift_and_uid_expunge_takes_only_its_set(stage: Stage) -> None:
    """bridge-behaviour 6.5."""
    wire = stage.select()
    talk(wire, C("a1 STORE 1:3 +FLAGS.SILENT (\\Deleted)"), S("a1 OK …"), C("a2 UID EXPUNGE 2,99"), S("* 2 EXPUNGE"), S("a2 OK EXPUNGE"))
    talk(wire, C("a3 EXPUNGE"), S("* 1 EXPUNGE"), S("* 1 EXPUNGE"), S("a3 OK EXPUNGE"), C("a4 UID EXPUNGE 1:*"), S("a4 OK EXPUNGE"))


def status(stage: Stage, **counts: int) -> None:
    """Check how many messages mailboxes hold."""
    wire = stage.log_in()
    for name, count in counts.items():
        mailbox = {"all_mail": "All Mail", "work": "Labels/Work"}.get(name, name)
        talk(wire, C(f'x STATUS "{mailbox}" (MESSAGES)'), S(f'* STATUS "{mailbox}" (MESSAGES {count})'), S("x OK STATUS"))


def expunge(stage: Stage, mailbox: str) -> None:
    """Delete and expunge all of a mailbox, then let the events come."""
    wire = stage.select(mailbox)
    wire.ask("a1 STORE 1:* +FLAGS.SILENT (\\Deleted)")
    assert wire.ask("a2 EXPUNGE")[-1] == "a2 OK EXPUNGE"
    stage.poll()


@pytest.mark.parametrize("mailbox", ["INBOX", "Sent", "Archive", "Spam", "Folders/Receipts", "Labels/Work"])
def test_expunge_outside_trash_and_drafts_leaves_the_message_in_all_mail(staged: Staging, mailbox: str) -> None:
    """Dialogue 29: it is in no Trash either."""
    stage = staged(mailboxes={mailbox: [entry(mail("kept"))]})
    expunge(stage, mailbox)
    status(stage, **{mailbox: 0, "all_mail": 1, "Trash": 0})


@pytest.mark.parametrize("mailbox", ["Trash", "Drafts"])
def test_expunge_in_trash_and_drafts_destroys_unless_starred_or_labelled(staged: Staging, mailbox: str) -> None:
    """bridge-behaviour 6.5; dialogue 24."""
    mails = [entry(mail("gone"), day=3), entry(mail("star"), day=2, flags=("\\Flagged",)), entry(mail("label"), day=1, labels=("Work",))]
    stage = staged(mailboxes={mailbox: mails})
    expunge(stage, mailbox)
    status(stage, **{mailbox: 0, "all_mail": 2, "Starred": 1, "work": 1})


def test_all_mail_lets_mark_but_neither_expunge_nor_close(stage: Stage) -> None:
    """Dialogue 28: UNSELECT works."""
    wire = stage.select("All Mail")
    talk(wire, C("a1 STORE 1 +FLAGS (\\Deleted)"), S("* 1 FETCH (FLAGS (\\Deleted \\Recent \\Seen))"), S("a1 OK …"))
    talk(wire, C("a2 EXPUNGE"), S("a2 NO operation not allowed"), C("a3 CLOSE"), S("a3 NO operation not allowed"))
    talk(
        wire,
        C("a4 STORE 1 -FLAGS (\\Seen)"),
        S("* 1 FETCH (FLAGS (\\Deleted \\Recent))"),
        S("a4 OK …"),
        C("a5 UNSELECT"),
        S("a5 OK UNSELECT"),
    )
    status(stage, all_mail=3, INBOX=3)


def test_scheduled_refuses_expunge(stage: Stage) -> None:
    """bridge-behaviour 6.5."""
    wire = stage.log_in()
    talk(wire, *append("a1", "Scheduled", mail("later")), S("a1 OK …"), C("a2 SELECT Scheduled"))
    wire.until("a2")
    talk(wire, C("a3 STORE 1 +FLAGS.SILENT (\\Deleted)"), S("a3 OK …"), C("a4 EXPUNGE"), S("a4 NO operation not allowed"))


def test_the_fetch_lines_of_one_store_come_in_no_order(staged: Staging) -> None:
    """bridge-behaviour 6.4."""
    inbox = [entry(mail(f"number {number}"), day=20 - number) for number in range(12)]
    lines = staged(inbox=inbox, profile={"response_order": "random"}).select().ask("a1 STORE 1:* +FLAGS (one)")[:-1]
    numbers = [int(line.split(" ")[1]) for line in lines]
    assert sorted(numbers) == list(range(1, 13))
    assert numbers != sorted(numbers)
