"""APPEND to Drafts: what is kept, what is replaced, what is refused (bridge-behaviour 5.1 to 5.7; dialogues 20 to 25, 41 to 43)."""

from __future__ import annotations

import pytest

from tests.fakebridge.conftest import Stage, Staging
from tests.fakebridge.talking import C, S, Wire, append, talk
from tests.fakebridge.worlds import USER, VALIDITY

ALTERNATIVE = (
    "To: bob@example.test\nSubject: both\nMIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=b\n\n"
    '--b\nContent-Type: text/plain\n\nplain words\n--b\nContent-Type: text/html\n\n<p class="x">rich words</p>\n--b--\n'
)
TWO_TEXTS = (
    "To: bob@example.test\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n"
    "--b\nContent-Type: text/plain\n\nfirst\n--b\nContent-Type: text/plain\n\nsecond\n--b--\n"
)
ATTACHED = (
    "To: bob@example.test\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nsee\n"
    "--b\nContent-Type: application/pdf; name=a.pdf\nContent-Disposition: attachment; filename=a.pdf\n"
    "Content-Transfer-Encoding: base64\n\nJVBERg==\n--b--\n"
)
REPLY = (
    f'From: "Somebody Else" <{USER}>\nTo: "Bob Example" <bob@example.test>, carol@example.test\n'
    "Cc: dave@example.test\nBcc: hidden@example.test\n"
    "Subject: Re: =?utf-8?q?R=C3=A9union?=\nDate: Tue, 03 Feb 2026 10:11:12 +0100\nMessage-ID: <MiXed.Case+1@client.example.test>\n"
    "In-Reply-To: <parent@example.test>\nReferences: <root@example.test> <parent@example.test>\n"
    "Reply-To: other@example.test\nX-Custom: kept?\n"
    "Importance: high\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8; format=flowed\n\nDear Bob, \n-- \nAda\n"
)
DRAFTS = VALIDITY["Drafts"]


def fetched(wire: Wire, uid: int = 1, item: str = "BODY.PEEK[]") -> str:
    """The octets of a draft, as text."""
    assert wire.ask("s SELECT Drafts")[-1].startswith("s OK")
    answer = wire.ask(f"f UID FETCH {uid} {item}")
    assert len(answer) == 2, answer
    return answer[0].split("}\r\n", 1)[1].rsplit(f" UID {uid})", 1)[0]


def appended(stage: Stage, literal: str, arguments: str = "Drafts") -> Wire:
    """A session that has appended a draft."""
    wire = stage.log_in()
    talk(wire, *append("a1", arguments, literal), S(f"a1 OK [APPENDUID {DRAFTS} 1] APPEND"))
    return wire


def header(text: str, name: str) -> list[str]:
    """The values of a header field."""
    lines = text.split("\r\n\r\n", maxsplit=1)[0].split("\r\n")
    return [line.split(": ", 1)[1] for line in lines if line.lower().startswith(name.lower() + ": ")]


def test_a_draft_comes_back_rebuilt(stage: Stage) -> None:
    """Dialogue 20: whole, so that nothing else is in it. Threading, Reply-To and the client's own headers are gone."""
    octets = fetched(appended(stage, REPLY, 'Drafts (\\Draft \\Flagged) "01-Jan-2020 00:00:00 +0000"'))
    internal = header(octets, "X-Pm-Internal-Id")[0]
    gluon = header(octets, "X-Pm-Gluon-Id")[0]
    assert octets.split("\r\n") == [
        f"X-Pm-Gluon-Id: {gluon}",
        "Mime-Version: 1.0",
        "Content-Transfer-Encoding: quoted-printable",
        "Content-Type: text/plain; charset=utf-8",
        f"References: <{internal}@protonmail.internalid>",
        "X-Pm-Date: Sun, 01 Mar 2026 12:00:00 +0000",
        "X-Pm-External-Id: <MiXed.Case+1@client.example.test>",
        f"X-Pm-Internal-Id: {internal}",
        "Message-Id: <MiXed.Case+1@client.example.test>",
        "Subject: =?utf-8?q?Re:_R=C3=A9union?=",
        'From: "Ada Example" <ada@proton.local>',
        'To: "Bob Example" <bob@example.test>, <carol@example.test>',
        "Cc: <dave@example.test>",
        "Bcc: <hidden@example.test>",
        "Date: Sun, 01 Mar 2026 12:00:00 +0000",
        "",
        "Dear Bob,=20",
        "--=20",
        "Ada",
        "",
    ]


def test_flags_and_date_of_the_append_are_ignored(stage: Stage) -> None:
    """Dialogue 20: always a read draft, dated by the account."""
    wire = appended(stage, REPLY, 'Drafts (\\Flagged \\Answered custom) "01-Jan-2020 00:00:00 +0000"')
    wire.ask("s SELECT Drafts")
    talk(
        wire,
        C("a2 FETCH 1 (FLAGS INTERNALDATE)"),
        S('* 1 FETCH (FLAGS (\\Draft \\Recent \\Seen) INTERNALDATE "01-Mar-2026 12:00:00 +0000")'),
        S("a2 OK …"),
    )
    stage.poll()
    talk(wire, C("a3 NOOP"), S("a3 OK …"), C("a4 STATUS Starred (MESSAGES)"), S('* STATUS "Starred" (MESSAGES 0)'), S("a4 OK STATUS"))


def test_of_alternatives_only_the_html_is_kept(stage: Stage) -> None:
    """Dialogue 21: unchanged, as a single part."""
    octets = fetched(appended(stage, ALTERNATIVE))
    assert header(octets, "Content-Type") == ["text/html; charset=utf-8"]
    assert octets.split("\r\n\r\n", 1)[1] == '<p class=3D"x">rich words</p>'


def test_several_plain_parts_run_together(stage: Stage) -> None:
    """Dialogue 43: nothing stands between them."""
    assert fetched(appended(stage, TWO_TEXTS)).split("\r\n\r\n", 1)[1] == "firstsecond"


def test_lines_that_begin_with_from_vanish(stage: Stage) -> None:
    """Dialogue 43: before the first empty line of the body."""
    octets = fetched(appended(stage, "To: bob@example.test\n\nFrom here on\nstays\n\nFrom there\n"))
    assert octets.split("\r\n\r\n", 1)[1] == "stays\r\n\r\nFrom there\r\n"


def test_plain_text_survives_otherwise(stage: Stage) -> None:
    """Dialogues 20, 23, 43: blanks, dots, long lines, a missing final line end, control characters."""
    body = "blank  \n.\n\t tab\n" + "x" * 200 + "\n\n\nno end\x01"
    octets = fetched(appended(stage, f"To: bob@example.test\n\n{body}")).split("\r\n\r\n", 1)[1]
    assert octets.startswith("blank =20\r\n.\r\n\t tab\r\n" + "x" * 75 + "=\r\n")
    assert octets.endswith("x\r\n\r\n\r\nno end=01")


def test_an_attachment_gets_bridges_headers_and_boundary(stage: Stage) -> None:
    """Dialogue 21: the boundary is the hash of the internal id, so that building again gives the same octets."""
    wire = appended(stage, ATTACHED)
    octets = fetched(wire)
    boundary = octets.split("boundary=")[1].split("\r\n")[0]
    assert len(boundary) == 64
    assert octets.split(f"--{boundary}\r\n")[2] == (
        "Content-Transfer-Encoding: base64\r\nContent-Disposition: attachment; filename=a.pdf\r\n"
        f"Content-Type: application/pdf; filename=a.pdf; name=a.pdf\r\n\r\nJVBERg==\r\n--{boundary}--\r\n"
    )
    stage.poll()
    talk(wire, C("a2 NOOP"), S("a2 OK …"))
    assert fetched(wire) == octets


@pytest.mark.parametrize("literal", ["Subject: only a header", "Subject: only a header\n\n", "Subject: blank body\n\n   \n"])
def test_a_draft_without_body_sender_or_date_is_fine(stage: Stage, literal: str) -> None:
    """Dialogue 23."""
    octets = fetched(appended(stage, literal))
    assert header(octets, "From") == ['"Ada Example" <ada@proton.local>']
    assert octets.split("\r\n\r\n", 1)[1].strip(" =20\r\n") == ""


SENDERS = [
    ("From: <ada.alias@proton.local>\n", '"Ada Alias" <ada.alias@proton.local>'),
    ("From: ADA.ALIAS@PROTON.LOCAL\n", '"Ada Alias" <ada.alias@proton.local>'),
    ("From: ada.alias+tag@proton.local\n", '"Ada Alias" <ada.alias@proton.local>'),
    ("From: Mallory <mallory@example.test>\n", '"Ada Example" <ada@proton.local>'),
    ("From: <ada.off@proton.local>\n", '"Ada Example" <ada@proton.local>'),
    ("From: not an address\n", '"Ada Example" <ada@proton.local>'),
    ("", '"Ada Example" <ada@proton.local>'),
    ("Sender: <ada.alias@proton.local>\n", '"Ada Alias" <ada.alias@proton.local>'),
    ("From: <ada@proton.local>, <ada.alias@proton.local>\n", '"Ada Example" <ada@proton.local>'),
]


@pytest.mark.parametrize("given, shown", SENDERS, ids=[given.strip() or "none" for given, _ in SENDERS])
def test_the_sender_is_an_own_address_and_never_refused(stage: Stage, given: str, shown: str) -> None:
    """Dialogue 22: the account's own display name, whatever was written."""
    assert header(fetched(appended(stage, f"{given}To: bob@example.test\n\nx\n")), "From") == [shown]


def test_in_split_mode_the_mailbox_decides_the_sender(staged: Staging) -> None:
    """Dialogue 41: one password opens every address; each has its own mailboxes."""
    stage = staged(split_mode=True)
    wire = stage.log_in("ada.alias@proton.local")
    talk(wire, C("a1 STATUS INBOX (MESSAGES)"), S('* STATUS "INBOX" (MESSAGES 0)'), S("a1 OK STATUS"))
    talk(wire, *append("a2", "Drafts", f"From: <{USER}>\nTo: bob@example.test\n\nx\n"), S("a2 OK [APPENDUID …] APPEND"))
    assert header(fetched(wire), "From") == ['"Ada Alias" <ada.alias@proton.local>']
    other = stage.log_in()
    talk(other, C("b1 STATUS INBOX (MESSAGES)"), S('* STATUS "INBOX" (MESSAGES 3)'), S("b1 OK STATUS"))
    talk(other, C("b2 STATUS Drafts (MESSAGES)"), S('* STATUS "Drafts" (MESSAGES 0)'), S("b2 OK STATUS"))


RECIPIENTS = [
    ('"Bob" <>', ['"Bob" <@>']),
    ("a@b c@d", ["<a@b>"]),
    ("a@x.test; b@x.test", ["<a@x.test>, <b@x.test>"]),
    ("undisclosed-recipients:;", []),
    ("", []),
    ("René <r@x.test>", ["=?utf-8?q?Ren=C3=A9?= <r@x.test>"]),
    ("a@x.test\nTo: b@x.test", ["<b@x.test>"]),
]


@pytest.mark.parametrize("given, shown", RECIPIENTS, ids=[given or "empty" for given, _ in RECIPIENTS])
def test_recipients_that_pass(stage: Stage, given: str, shown: list[str]) -> None:
    """Dialogues 23, 43: text behind an address is dropped without a word; of two To fields the last counts."""
    assert header(fetched(appended(stage, f"To: {given}\n\nx\n")), "To") == shown


REFUSED = [
    (
        "To: bob\n\nx\n",
        "failed to retrieve addresses from literal:failed to parse addresses for 'To': [Error offset=7]: expected ':' for group start",
    ),
    (
        "To: bob@\n\nx\n",
        "failed to retrieve addresses from literal:failed to parse addresses for 'To': [Error offset=10]: expected ':' for group start",
    ),
    (
        'To: "open <a@x>\n\nx\n',
        "failed to retrieve addresses from literal:failed to parse addresses for 'To': [Error offset=…]: expected ':' for group start",
    ),
    ("To : a@x.test\n\nx\n", "failed to retrieve addresses from literal:header key contains invalid characters"),
    (
        "To: a@x.test\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nopen\n",
        "failed to parse literal: unexpected EOF",
    ),
    ("To: a@x.test\nContent-Type: multipart/mixed\n\nx\n", "failed to parse literal: multipart: boundary is empty"),
]


@pytest.mark.parametrize("literal, text", REFUSED, ids=[text[:60] for _, text in REFUSED])
def test_what_refuses_a_draft_leaves_a_raw_copy_in_recovered_messages(stage: Stage, literal: str, text: str) -> None:
    """Dialogue 23: with the flags of the APPEND, octet by octet; Drafts stays empty."""
    wire = stage.log_in()
    talk(wire, *append("a1", "Drafts", literal), S(f"a1 NO {text}"))
    talk(wire, C("a2 STATUS Drafts (MESSAGES)"), S('* STATUS "Drafts" (MESSAGES 0)'), S("a2 OK STATUS"))
    wire.ask('a3 EXAMINE "Recovered Messages"')
    octets = literal.replace("\n", "\r\n")
    talk(wire, C("a4 FETCH 1:* (FLAGS BODY.PEEK[])"), S(f"* 1 FETCH (FLAGS (\\Recent) BODY[] {{{len(octets)}}}\r\n{octets})"), S("a4 OK …"))


DATES = [
    ("", "01-Mar-2026 12:00:00 +0000"),
    ('"02-Feb-2020 23:30:00 -0130" ', "03-Feb-2020 01:00:00 +0000"),
    ('" 1-jan-2020 00:00:00 +0000" ', "01-Jan-2020 00:00:00 +0000"),
    ('"31-Feb-2020 00:00:00 +0000" ', "02-Mar-2020 00:00:00 +0000"),
    ('"00-Jan-0000 00:00:00 +9999" ', "01-Jan-0001 00:00:00 +0000"),
]


@pytest.mark.parametrize("date, kept", DATES)
def test_a_recovered_message_has_the_date_of_its_append(stage: Stage, date: str, kept: str) -> None:
    """bridge-behaviour 5.1: flags and date of the APPEND; without a date it is the moment."""
    wire = stage.log_in()
    talk(wire, *append("a1", f"Drafts (\\Seen) {date}".rstrip(), "To: bob\n\nx\n"), S("a1 NO …"))
    wire.ask('a2 EXAMINE "Recovered Messages"')
    talk(wire, C("a3 FETCH 1 (FLAGS INTERNALDATE)"), S(f'* 1 FETCH (FLAGS (\\Recent \\Seen) INTERNALDATE "{kept}")'), S("a3 OK …"))


def test_a_header_line_without_colon_brings_its_own_line_end_into_the_answer(stage: Stage) -> None:
    """Dialogue 23: an empty line follows the NO."""
    wire = stage.log_in()
    talk(
        wire,
        *append("a1", "Drafts", "just a line of text\n"),
        S("a1 NO failed to parse literal: message: malformed MIME header line: just a line of text"),
        S(""),
    )


def test_the_same_refused_draft_is_kept_once_and_its_error_says_so(stage: Stage) -> None:
    """bridge-behaviour 5.1."""
    wire = stage.log_in()
    refusal = "…failed to parse addresses for 'To': [Error offset=7]: expected ':' for group start"
    talk(wire, *append("a1", "Drafts", "To: bob\n\nx\n"), S(f"a1 NO {refusal}"))
    talk(wire, *append("a2", "Drafts", "To: bob\n\nx\n"), S(f"a2 NO {refusal}: known recovered message, possible duplication"))
    talk(wire, C('a3 STATUS "Recovered Messages" (MESSAGES)'), S('* STATUS "Recovered Messages" (MESSAGES 1)'), S("a3 OK STATUS"))


def test_recovered_messages_can_be_moved_out_but_not_made_renamed_or_filled(stage: Stage) -> None:
    """bridge-behaviour 5.1, 6.2, 6.5: moving out imports, so a good header is needed; expunging is local."""
    wire = stage.log_in()
    good = "From: a@example.test\nTo: bob\nDate: Tue, 03 Feb 2026 10:11:12 +0100\n\nx\n"
    talk(wire, *append("a1", "Drafts", good), S("a1 NO …"), *append("a2", '"Recovered Messages"', good), S("a2 NO operation not allowed"))
    wire.ask('a3 SELECT "Recovered Messages"')
    talk(wire, C("a4 MOVE 1 Archive"), S("a4 NO failed to retrieve addresses from literal:…"))
    talk(wire, C("a5 STORE 1 +FLAGS.SILENT (\\Deleted)"), S("a5 OK …"), C("a6 EXPUNGE"), S("* 1 EXPUNGE"), S("a6 OK EXPUNGE"))
    talk(wire, C('a7 LIST "" Rec*'), S("a7 OK LIST"))


def test_equal_drafts_are_two_drafts_and_updating_is_append_plus_expunge(stage: Stage) -> None:
    """Dialogue 24: nothing is merged; in All Mail only what is left arrives."""
    wire = stage.log_in()
    literal = "To: bob@example.test\nSubject: v1\nMessage-ID: <u@client.example.test>\n\nversion 1\n"
    talk(wire, *append("a1", "Drafts", literal), S(f"a1 OK [APPENDUID {DRAFTS} 1] APPEND"))
    talk(wire, *append("a2", "Drafts", literal), S(f"a2 OK [APPENDUID {DRAFTS} 2] APPEND"))
    wire.ask("a3 SELECT Drafts")
    talk(wire, C('a4 UID SEARCH HEADER Message-ID "u@client"'), S("* SEARCH 1 2"), S("a4 OK …"))
    talk(wire, C("a5 UID STORE 1 +FLAGS.SILENT (\\Deleted)"), S("a5 OK …"), C("a6 UID EXPUNGE 1"), S("* 1 EXPUNGE"), S("a6 OK EXPUNGE"))
    talk(wire, C('a7 STATUS "All Mail" (MESSAGES)'), S('* STATUS "All Mail" (MESSAGES 3)'), S("a7 OK STATUS"))
    stage.poll()
    talk(wire, C("a8 NOOP"), S("a8 OK …"), C('a9 STATUS "All Mail" (MESSAGES)'), S('* STATUS "All Mail" (MESSAGES 4)'), S("a9 OK STATUS"))


def test_the_uid_of_a_draft_survives_the_poll(stage: Stage) -> None:
    """Dialogues 20, 21: the client's Message-ID finds it, in part too, in any letter case."""
    wire = appended(stage, REPLY)
    wire.ask("a2 SELECT Drafts")
    stage.poll()
    talk(wire, C("a3 NOOP"), S("a3 OK command completed in … microsec."))
    talk(wire, C('a4 UID SEARCH HEADER Message-ID "mixed.case+1@CLIENT"'), S("* SEARCH 1"), S("a4 OK …"))


def test_without_a_message_id_the_internal_one_stands_in(stage: Stage) -> None:
    """Dialogue 25: and there is no external id."""
    octets = fetched(appended(stage, "To: bob@example.test\n\nx\n"))
    assert header(octets, "Message-Id") == [f"<{header(octets, 'X-Pm-Internal-Id')[0]}@protonmail.internalid>"]
    assert header(octets, "X-Pm-External-Id") == []


def test_the_stores_own_header_is_erased_from_a_draft(stage: Stage) -> None:
    """bridge-behaviour 5.1, step 7: a draft is always new."""
    wire = appended(stage, "To: bob@example.test\n\nx\n")
    again = "X-Pm-Gluon-Id: " + header(fetched(wire), "X-Pm-Gluon-Id")[0] + "\nTo: bob@example.test\n\nx\n"
    talk(wire, *append("a2", "Drafts", again), S("* 2 EXISTS"), S("* 2 RECENT"), S(f"a2 OK [APPENDUID {DRAFTS} 2] APPEND"))
    assert header(fetched(wire, 2), "X-Pm-Gluon-Id") != header(fetched(wire, 1), "X-Pm-Gluon-Id")


def test_append_into_the_selected_mailbox_tells_first_examine_or_not(stage: Stage) -> None:
    """Dialogues 22, 25, 33."""
    for verb in ("SELECT", "EXAMINE"):
        wire = stage.select("Drafts", verb=verb)
        before = int(wire.ask("x SEARCH ALL")[0].removeprefix("* SEARCH").split(" ")[-1] or 0)
        talk(wire, *append("a1", "Drafts", "\nx\n"), S(f"* {before + 1} EXISTS"), S("* 1 RECENT"), S("a1 OK [APPENDUID …] APPEND"))
