r"""SELECT, EXAMINE, what closes a mailbox, and who sees \\Recent (bridge-behaviour 3.1; dialogues 12, 13, 26, 31)."""

from __future__ import annotations

import pytest

from tests.fakebridge.conftest import Stage, Staging
from tests.fakebridge.talking import C, S, talk
from tests.fakebridge.worlds import ALL_FLAGS, VALIDITY, entry, mail


def opened(verb: str, *, exists: int, recent: int, validity: int, unseen: int | None = None, flags: str = ALL_FLAGS) -> tuple[S, ...]:
    """What SELECT or EXAMINE says, but for the tagged line."""
    is_select = verb == "SELECT"
    rows = [
        f"* FLAGS {flags}",
        f"* {exists} EXISTS",
        f"* {recent} RECENT",
        f"* OK [PERMANENTFLAGS {flags}]" + (" Flags permitted" if is_select else ""),
        f"* OK [UIDNEXT {exists + 1}]" + (" Predicted next UID" if is_select else ""),
        f"* OK [UIDVALIDITY {validity}]" + (" UIDs valid" if is_select else ""),
    ]
    if unseen is not None:
        rows.append(f"* OK [UNSEEN {unseen}]" + (" Unseen messages" if is_select else ""))
    return tuple(S(row) for row in rows)


def test_select_shape(stage: Stage) -> None:
    """Dialogue 12: the order of the lines; UNSEEN is left out when all is seen."""
    rows = opened("SELECT", exists=3, recent=3, validity=VALIDITY["INBOX"])
    talk(stage.log_in(), C("a1 SELECT inbox"), *rows, S("a1 OK [READ-WRITE] SELECT"))


def test_examine_shape_and_the_first_unseen(staged: Staging) -> None:
    """Dialogue 26: response codes without a text; PERMANENTFLAGS in full although it is read-only."""
    inbox = [entry(mail("seen"), day=3), entry(mail("new"), day=2, flags=()), entry(mail("new too"), day=1, flags=())]
    rows = opened("EXAMINE", exists=3, recent=3, validity=VALIDITY["INBOX"], unseen=2)
    talk(staged(inbox=inbox).log_in(), C("a1 EXAMINE INBOX"), *rows, S("a1 OK [READ-ONLY] EXAMINE"))


def test_all_mail_permits_two_flags_until_a_restart_adds_the_forward_keywords(stage: Stage) -> None:
    """Dialogues 12, 44: the second start of the account."""
    rows = opened("EXAMINE", exists=3, recent=3, validity=VALIDITY["All Mail"], flags="(\\Flagged \\Seen)")
    talk(stage.log_in(), C('a1 EXAMINE "All Mail"'), *rows, S("a1 OK …"))
    stage.bridge.ask("restart")
    rows = opened("EXAMINE", exists=3, recent=3, validity=VALIDITY["All Mail"], flags="($Forwarded Forwarded \\Flagged \\Seen)")
    talk(stage.log_in(), C('a1 EXAMINE "All Mail"'), *rows, S("a1 OK …"))
    stage.bridge.ask("repair")
    assert stage.log_in().ask('a1 EXAMINE "All Mail"')[0] == "* FLAGS (\\Flagged \\Seen)"


def test_a_missing_mailbox_leaves_the_old_one_selected(stage: Stage) -> None:
    """Dialogue 12, against RFC 3501."""
    talk(stage.select(), C("a1 SELECT Nothing"), S("a1 NO no such mailbox"), C("a2 FETCH 1 UID"), S("* 1 FETCH (UID 1)"), S("a2 OK …"))


@pytest.mark.parametrize("name", ["Folders", "Labels", '"Labels/Re&AOc-us"', "Sent"])
def test_noselect_is_not_enforced_and_empty_mailboxes_open(stage: Stage, name: str) -> None:
    """Dialogue 12."""
    lines = stage.log_in().ask(f"a1 SELECT {name}")
    assert (lines[1], lines[-1]) == ("* 0 EXISTS", "a1 OK [READ-WRITE] SELECT")


def test_select_takes_recent_away_from_others_and_examine_does_not(stage: Stage) -> None:
    """Dialogues 12, 13, 31."""
    for verb, recent in (("EXAMINE", 3), ("EXAMINE", 3), ("SELECT", 3), ("SELECT", 0), ("EXAMINE", 0)):
        assert stage.log_in().ask(f"a1 {verb} INBOX")[2] == f"* {recent} RECENT"


def test_a_read_only_mailbox_refuses_what_writes(stage: Stage) -> None:
    """Dialogue 12: each with the same text; APPEND works."""
    wire = stage.select(verb="EXAMINE")
    for command in ("STORE 1 +FLAGS (\\Seen)", "UID COPY 1 Archive", "MOVE 1 Archive", "EXPUNGE", "UID EXPUNGE 1"):
        talk(wire, C(f"a1 {command}"), S("a1 NO the mailbox is read-only"))
    talk(wire, C("a2 CLOSE"), S("a2 OK CLOSE"), C("a3 CHECK"), S("a3 NO session is not selected"))


def test_unselect_keeps_deleted_messages_and_close_removes_them_silently(stage: Stage) -> None:
    """bridge-behaviour 6.5, 3.2."""
    wire = stage.select()
    talk(wire, C("a1 STORE 2 +FLAGS.SILENT (\\Deleted)"), S("a1 OK …"), C("a2 UNSELECT"), S("a2 OK UNSELECT"))
    assert wire.ask("a3 SELECT INBOX")[1] == "* 3 EXISTS"
    talk(wire, C("a4 CLOSE"), S("a4 OK CLOSE"))
    assert wire.ask("a5 SELECT INBOX")[1] == "* 2 EXISTS"
