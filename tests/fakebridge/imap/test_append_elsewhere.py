"""APPEND to other mailboxes: imports, checks, moving by APPEND (bridge-behaviour 5.1, 5.8; dialogue 26)."""

from __future__ import annotations

import pytest

from tests.fakebridge.conftest import Stage
from tests.fakebridge.talking import C, S, append, talk
from tests.fakebridge.worlds import VALIDITY, mail


def count(stage: Stage, mailbox: str) -> int:
    """How many messages a mailbox holds."""
    return int(stage.log_in().ask(f'x STATUS "{mailbox}" (MESSAGES)')[0].rsplit(" ", 1)[1].rstrip(")"))


@pytest.mark.parametrize("target", ["INBOX", "Sent", "Archive", "Spam", "Trash", "Folders/Receipts", "Labels/Work", "Starred"])
def test_an_import_is_in_its_target_and_in_all_mail_after_the_poll(stage: Stage, target: str) -> None:
    """Dialogue 26: nowhere else; flags count, the date does not."""
    wire, before = stage.log_in(), count(stage, target)
    arguments = f'"{target}" (\\Seen $Forwarded \\Deleted) "01-Jan-2020 00:00:00 +0000"'
    talk(wire, *append("a1", arguments, mail("imported")), S(f"a1 OK [APPENDUID {VALIDITY[target]} {before + 1}] APPEND"))
    assert count(stage, "All Mail") == 3
    stage.poll()
    assert (count(stage, target), count(stage, "All Mail")) == (before + 1, 4)
    others = {"INBOX", "Sent", "Archive", "Spam", "Trash", "Folders/Receipts", "Labels/Work", "Starred"} - {target}
    assert sum(count(stage, name) for name in others) == (0 if target == "INBOX" else 3)
    wire = stage.select(target, verb="EXAMINE")
    flags = "\\Flagged \\Recent \\Seen" if target == "Starred" else "\\Recent \\Seen"
    item = f'* {before + 1} FETCH (FLAGS ({flags}) INTERNALDATE "03-Feb-2026 09:11:12 +0000")'
    talk(wire, C(f"b1 FETCH {before + 1} (FLAGS INTERNALDATE)"), S(item), S("b1 OK …"))


def test_without_seen_it_is_unread_and_with_flagged_it_is_starred(stage: Stage) -> None:
    """Dialogue 26; an answered one becomes replied."""
    talk(stage.log_in(), *append("a1", "Archive (\\Flagged \\Answered)", mail("imported")), S("a1 OK …"))
    stage.poll()
    wire = stage.select("Archive", verb="EXAMINE")
    talk(wire, C("a2 FETCH 1 FLAGS"), S("* 1 FETCH (FLAGS (\\Answered \\Flagged \\Recent))"), S("a2 OK …"))
    assert count(stage, "Starred") == 1


@pytest.mark.parametrize(
    "literal, answer",
    [
        ("Subject: x\n\nx\n", "BAD invalid rfc5322 message: Required header field 'Date' not found or empty"),
        ("Date: x\n\nx\n", "BAD invalid rfc5322 message: Required header field 'From' not found or empty"),
        ("Date: x\nFrom: a@x.test, b@x.test\n\nx\n", "BAD invalid rfc5322 message: Required header field 'Sender' not found or empty"),
    ],
)
def test_a_message_without_from_or_date_is_bad_and_kept_nowhere(stage: Stage, literal: str, answer: str) -> None:
    """Dialogue 26: in Drafts it is fine."""
    wire = stage.log_in()
    talk(wire, *append("a1", "INBOX", literal), S(f"a1 {answer}"), C('a2 LIST "" Rec*'), S("a2 OK LIST"))


@pytest.mark.parametrize(
    "target, answer",
    [
        ('"All Mail"', "NO operation not allowed"),
        (
            "Folders",
            "NO failed to import message: failed to import message: failed to import: invalid label ID: Folders (Code=2001, Status=0)",
        ),
    ],
)
def test_all_mail_and_placeholders_refuse_and_a_copy_is_kept(stage: Stage, target: str, answer: str) -> None:
    """Dialogue 26."""
    wire = stage.log_in()
    talk(wire, *append("a1", target, mail("x")), S(f"a1 {answer}"))
    assert count(stage, "Recovered Messages") == 1


def test_a_missing_mailbox_is_told_with_trycreate_behind_the_literal(stage: Stage) -> None:
    """Dialogue 26: nothing is kept."""
    wire = stage.log_in()
    talk(wire, *append("a1", "Nothing", mail("x")), S("a1 NO [TRYCREATE] no such mailbox"), C('a2 LIST "" Rec*'), S("a2 OK LIST"))


def test_scheduled_accepts_and_the_message_turns_up_in_sent(stage: Stage) -> None:
    """Dialogue 26."""
    talk(stage.log_in(), *append("a1", "Scheduled", mail("later")), S(f"a1 OK [APPENDUID {VALIDITY['Scheduled']} 1] APPEND"))
    stage.poll()
    assert (count(stage, "Scheduled"), count(stage, "Sent")) == (0, 1)


@pytest.mark.parametrize("order", ["append first", "append last"])
def test_moving_by_append_labels_the_message_that_its_own_header_names(stage: Stage, order: str) -> None:
    """bridge-behaviour 5.1, step 6: nothing is uploaded; it works in both orders."""
    wire = stage.select()
    octets = wire.ask("f FETCH 1 BODY.PEEK[]")[0].split("}\r\n", 1)[1].removesuffix(")")

    def take_out() -> None:
        talk(wire, C("d1 STORE 1 +FLAGS.SILENT (\\Deleted)"), S("d1 OK …"), C("d2 EXPUNGE"), S("* 1 EXPUNGE"), S("d2 OK EXPUNGE"))

    if order == "append last":
        take_out()
    talk(wire, *append("a1", "Folders/Receipts", octets), S(f"a1 OK [APPENDUID {VALIDITY['Folders/Receipts']} 1] APPEND"))
    if order == "append first":
        take_out()
    stage.poll()
    assert [count(stage, name) for name in ("INBOX", "Folders/Receipts", "All Mail")] == [2, 1, 3]


def test_a_broken_identity_header_is_refused(stage: Stage) -> None:
    """bridge-behaviour 5.1, step 6; an unknown one is a new message."""
    wire = stage.log_in()
    talk(wire, *append("a1", "Archive", "X-Pm-Gluon-Id: nonsense\n" + mail("x")), S("a1 NO …"))
    unknown = "X-Pm-Gluon-Id: 00000000-0000-4000-8000-000000000000\n" + mail("x")
    talk(wire, *append("a2", "Archive", unknown), S(f"a2 OK [APPENDUID {VALIDITY['Archive']} 1] APPEND"))


def test_two_appends_of_one_message_make_two(stage: Stage) -> None:
    """bridge-behaviour 5.8."""
    wire = stage.log_in()
    talk(wire, *append("a1", "INBOX", mail("twice")), S("a1 OK …"), *append("a2", "INBOX", mail("twice")), S("a2 OK …"))
    stage.poll()
    assert count(stage, "INBOX") == 5


@pytest.mark.parametrize("received, home", [("Received: from a by b; Tue, 03 Feb 2026 10:11:12 +0100\n", "INBOX"), ("", "Sent")])
def test_a_received_field_decides_where_an_import_goes_back_to(stage: Stage, received: str, home: str) -> None:
    """bridge-behaviour 5.8, 6.1: without one it counts as sent; moving it "home" shows which."""
    talk(stage.log_in(), *append("a1", "Archive (\\Seen)", received + mail("imported")), S("a1 OK …"))
    before = count(stage, home)
    talk(stage.select("Archive"), C(f"a2 MOVE 1 {home}"), S("* OK [COPYUID …]"), S("* 1 EXPUNGE"), S("a2 OK …"))
    stage.poll()
    assert count(stage, home) == before + 1


def test_latin_1_and_inline_images_come_back_as_bridge_builds_them(stage: Stage) -> None:
    """bridge-behaviour 5.8, 8.1: text in UTF-8, an inline part beside its text, an empty text where there is none."""
    latin = mail("latin").replace("\n\n", "\nContent-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: 8bit\n\n", 1)
    wire = stage.log_in()
    talk(wire, *append("a1", "Archive", latin.replace("body", "caf\u00e9").encode("latin-1")), S("a1 OK …"))
    image = (
        "Content-Type: multipart/mixed; boundary=r\n\n--r\nContent-Type: text/html\n\n<img src=cid:i>\n--r\nContent-Type: image/png\n"
        "Content-Disposition: inline; filename=i.png\nContent-ID: <i>\nContent-Transfer-Encoding: base64\n\niVBORw==\n--r--\n"
    )
    talk(wire, *append("a2", "Archive", mail("image").split("\n\n")[0] + "\n" + image), S("a2 OK …"))
    pdf = "Content-Type: application/pdf; name=a.pdf\nContent-Transfer-Encoding: base64\n\nJVBERg==\n"
    talk(wire, *append("a3", "Archive", mail("no text").split("\n\n")[0] + "\n" + pdf), S("a3 OK …"))
    wire.ask("a4 EXAMINE Archive")
    talk(wire, C("a5 FETCH 1 BODY.PEEK[TEXT]"), S("* 1 FETCH (BODY[TEXT] {11}\r\ncaf=C3=A9\r\n)"), S("a5 OK …"))
    html = '("text" "html" ("charset" "utf-8") NIL NIL "quoted-printable" 17 1 NIL NIL NIL NIL)'
    answer = wire.ask("a6 FETCH 2 BODYSTRUCTURE")[0]
    assert answer.startswith(f"* 2 FETCH (BODYSTRUCTURE (({html}(")
    assert '"related"' in answer
    assert (
        '("text" "plain" ("charset" "utf-8") NIL NIL "quoted-printable" 0 0 NIL NIL NIL NIL)("application" "pdf"'
        in wire.ask("a7 FETCH 3 BODYSTRUCTURE")[0]
    )
