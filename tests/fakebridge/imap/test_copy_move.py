"""COPY and MOVE under Proton's label rules (bridge-behaviour 6.1 to 6.3; dialogues 25, 27)."""

from __future__ import annotations

import pytest

from tests.fakebridge.conftest import Stage, Staging
from tests.fakebridge.talking import C, S, append, talk
from tests.fakebridge.worlds import VALIDITY, entry, mail


def count(stage: Stage, mailbox: str) -> int:
    """How many messages a mailbox holds."""
    answer = stage.log_in().ask(f'x STATUS "{mailbox}" (MESSAGES)')[0]
    return int(answer.rsplit(" ", 1)[1].rstrip(")"))


def test_copy_to_a_label_is_a_copy(stage: Stage) -> None:
    """Dialogue 27: nothing changes at the poll."""
    wire = stage.select()
    talk(wire, C("a1 UID COPY 1,3 Labels/Work"), S(f"a1 OK [COPYUID {VALIDITY['Labels/Work']} 1,3 1:2] command completed in … microsec."))
    stage.poll()
    talk(wire, C("a2 NOOP"), S("a2 OK command completed in … microsec."))
    assert (count(stage, "INBOX"), count(stage, "Labels/Work")) == (3, 2)


@pytest.mark.parametrize("target", ["Folders/Receipts", "Archive", "Spam", "Trash"])
def test_copy_to_a_folder_is_a_move_that_shows_at_the_next_poll(stage: Stage, target: str) -> None:
    """Dialogue 27: until then both list the message."""
    wire = stage.select()
    talk(wire, C(f"a1 COPY 2 {target}"), S(f"a1 OK [COPYUID {VALIDITY[target]} 2 1] command completed in … microsec."))
    talk(wire, C("a2 NOOP"), S("a2 OK …"))
    assert (count(stage, "INBOX"), count(stage, target)) == (3, 1)
    stage.poll()
    talk(wire, C("a3 NOOP"), S("* 2 EXPUNGE"), S("a3 OK …"))
    assert (count(stage, "INBOX"), count(stage, target), count(stage, "All Mail")) == (2, 1, 3)


def test_copy_of_a_received_message_to_sent_comes_to_nothing(stage: Stage) -> None:
    """Dialogue 27."""
    wire = stage.select()
    talk(wire, C("a1 UID COPY 3 Sent"), S(f"a1 OK [COPYUID {VALIDITY['Sent']} 3 1] command …"))
    stage.poll()
    talk(wire, C("a2 NOOP"), S("a2 OK …"))
    assert (count(stage, "INBOX"), count(stage, "Sent")) == (3, 0)


def test_copy_to_starred_flags_the_message_everywhere(stage: Stage) -> None:
    """Dialogue 27."""
    wire = stage.select()
    talk(wire, C("a1 UID COPY 3 Starred"), S(f"a1 OK [COPYUID {VALIDITY['Starred']} 3 1] command …"))
    stage.poll()
    talk(wire, C("a2 NOOP"), S("* 3 FETCH (FLAGS (\\Flagged \\Recent \\Seen))"), S("a2 OK …"))


def test_copy_out_of_all_mail_moves_from_wherever_it_was(stage: Stage) -> None:
    """bridge-behaviour 6.2."""
    talk(stage.select("All Mail"), C("a1 UID COPY 1 Folders/Receipts"), S("a1 OK [COPYUID …] command …"))
    stage.poll()
    assert (count(stage, "INBOX"), count(stage, "Folders/Receipts"), count(stage, "All Mail")) == (2, 1, 3)


@pytest.mark.parametrize(
    "target, answer",
    [
        ('"All Mail"', "NO operation not allowed"),
        ("Scheduled", "NO operation not allowed"),
        ('"Recovered Messages"', "NO operation not allowed"),
        ("Nothing", "NO [TRYCREATE] no such mailbox"),
    ],
)
def test_copy_and_move_are_refused(stage: Stage, target: str, answer: str) -> None:
    """bridge-behaviour 6.2, 6.3."""
    wire = stage.select()
    talk(wire, C(f"a1 UID COPY 1 {target}"), S(f"a1 {answer}"), C(f"a2 MOVE 1 {target}"), S(f"a2 {answer}"))
    stage.poll()
    assert (count(stage, "INBOX"), count(stage, "All Mail")) == (3, 3)


def test_nothing_copied_gives_no_copyuid(stage: Stage) -> None:
    """Dialogue 27."""
    wire = stage.select()
    talk(
        wire,
        C("a1 UID COPY 999 Archive"),
        S("a1 OK command completed in … microsec."),
        C("a2 COPY 999 Archive"),
        S("a2 BAD no such message"),
    )
    talk(wire, C("a3 UID MOVE 999 Archive"), S("a3 OK command completed in … microsec."))


def test_move_to_a_folder_says_copyuid_then_expunge_then_ok(stage: Stage) -> None:
    """Dialogues 25, 27."""
    talk(
        stage.select(),
        C("a1 UID MOVE 1:2 Archive"),
        S(f"* OK [COPYUID {VALIDITY['Archive']} 1:2 1:2]"),
        S("* 1 EXPUNGE"),
        S("* 1 EXPUNGE"),
        S("a1 OK command completed in … microsec."),
    )
    stage.poll()
    assert (count(stage, "INBOX"), count(stage, "Archive"), count(stage, "All Mail")) == (1, 2, 3)


def test_move_from_inbox_to_a_label_keeps_the_source(stage: Stage) -> None:
    """Dialogue 27."""
    wire = stage.select()
    talk(wire, C("a1 MOVE 1 Labels/Work"), S(f"* OK [COPYUID {VALIDITY['Labels/Work']} 1 1]"), S("a1 OK command …"))
    stage.poll()
    talk(wire, C("a2 NOOP"), S("a2 OK …"))
    assert (count(stage, "INBOX"), count(stage, "Labels/Work")) == (3, 1)


def test_move_out_of_a_label_leaves_it(staged: Staging) -> None:
    """bridge-behaviour 6.3: a label as source is always left."""
    stage = staged(labels=["Work", "Other"], inbox=[entry(mail("one"), labels=("Work",))])
    talk(stage.select("Labels/Work"), C("a1 MOVE 1 Labels/Other"), S("* OK [COPYUID …]"), S("* 1 EXPUNGE"), S("a1 OK …"))
    stage.poll()
    assert [count(stage, name) for name in ("INBOX", "Labels/Work", "Labels/Other")] == [1, 0, 1]


def test_move_to_starred_takes_the_message_out_of_inbox(stage: Stage) -> None:
    """bridge-behaviour 6.3."""
    talk(stage.select(), C("a1 MOVE 1 Starred"), S("* OK [COPYUID …]"), S("* 1 EXPUNGE"), S("a1 OK …"))
    stage.poll()
    assert [count(stage, name) for name in ("INBOX", "Starred", "All Mail")] == [2, 1, 3]


@pytest.mark.parametrize("source, target", [("INBOX", "Sent"), ("Sent", "INBOX"), ("All Mail", "Archive")])
def test_move_between_inbox_and_sent_and_out_of_all_mail_is_refused(staged: Staging, source: str, target: str) -> None:
    """bridge-behaviour 6.3; dialogue 27."""
    stage = staged(mailboxes={"INBOX": [entry(mail("in"))], "Sent": [entry(mail("out"))]})
    talk(stage.select(source), C(f"a1 MOVE 1 {target}"), S("a1 NO operation not allowed"))
    stage.poll()
    assert (count(stage, "INBOX"), count(stage, "Sent")) == (1, 1)


def test_move_to_the_same_mailbox_gives_a_new_uid(stage: Stage) -> None:
    """Dialogue 27."""
    talk(
        stage.select(),
        C("a1 UID MOVE 2 INBOX"),
        S(f"* OK [COPYUID {VALIDITY['INBOX']} 2 4]"),
        S("* 2 EXPUNGE"),
        S("* 3 EXISTS"),
        S("* 3 RECENT"),
        S("a1 OK command …"),
    )


def test_the_same_message_has_a_uid_of_its_own_in_every_mailbox(staged: Staging) -> None:
    """bridge-behaviour 0.4: only Message-ID and X-Pm-Internal-Id tell that it is the same."""
    inbox = [entry(mail("older"), day=1), entry(mail("both"), day=2, flags=("\\Seen", "\\Flagged"), labels=("Work",))]
    stage = staged(inbox=inbox)
    found = {}
    for mailbox in ("INBOX", "Labels/Work", "Starred", "All Mail"):
        wire = stage.select(mailbox)
        uid = wire.ask('a1 UID SEARCH HEADER Message-ID "<both@example.test>"')[0].removeprefix("* SEARCH ")
        found[mailbox] = uid, wire.ask(f"a2 UID FETCH {uid} BODY.PEEK[HEADER.FIELDS (X-Pm-Internal-Id)]")[0].split("\r\n")[1]
    assert [uid for uid, _ in found.values()] == ["2", "1", "1", "2"]
    assert len({header for _, header in found.values()}) == 1


def test_moving_a_draft_to_trash_and_back_keeps_it_a_draft_with_a_new_uid(stage: Stage) -> None:
    """bridge-behaviour 5.7; dialogue 25."""
    wire = stage.log_in()
    talk(wire, *append("a1", "Drafts", "To: bob@example.test\nMessage-ID: <d@example.test>\n\nx\n"), S("a1 OK …"))
    stage.poll()
    talk(stage.select("Drafts"), C("b1 UID MOVE 1 Trash"), S("* OK …"), S("* 1 EXPUNGE"), S("b1 OK …"))
    stage.poll()
    trash = stage.select("Trash")
    talk(trash, C("c1 FETCH 1 FLAGS"), S("* 1 FETCH (FLAGS (\\Draft \\Recent \\Seen))"), S("c1 OK …"))
    talk(trash, C("c2 MOVE 1 Drafts"), S(f"* OK [COPYUID {VALIDITY['Drafts']} 1 2]"), S("* 1 EXPUNGE"), S("c2 OK …"))
    stage.poll()
    assert (count(stage, "Drafts"), count(stage, "Trash"), count(stage, "All Mail")) == (1, 0, 4)


def test_copy_of_a_draft_to_a_folder_takes_it_out_of_drafts_and_to_a_label_does_not(stage: Stage) -> None:
    """bridge-behaviour 5.7."""
    wire = stage.log_in()
    talk(wire, *append("a1", "Drafts", "To: bob@example.test\n\none\n"), S("a1 OK …"), *append("a2", "Drafts", "\ntwo\n"), S("a2 OK …"))
    stage.poll()
    drafts = stage.select("Drafts")
    talk(drafts, C("b1 COPY 1 Labels/Work"), S("b1 OK [COPYUID …"), C("b2 COPY 2 Folders/Receipts"), S("b2 OK [COPYUID …"))
    stage.poll()
    talk(drafts, C("b3 NOOP"), S("* 2 EXPUNGE"), S("b3 OK …"))
