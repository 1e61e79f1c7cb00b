"""FETCH: items, macros, sections, partials, what marks as read, order, and what cannot be served (bridge-behaviour 3.4 to 3.7)."""

from __future__ import annotations

import pytest

from tests.fakebridge.conftest import Stage, Staging
from tests.fakebridge.talking import C, S, talk
from tests.fakebridge.worlds import entry, mail

MIXED = (
    'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="mix"\n\n--mix\nContent-Type: text/plain\n\ntext of it\n'
    "--mix\nContent-Type: message/rfc822\n\nFrom: inner@example.test\nSubject: inner\n\ninner body\n"
    '--mix\nContent-Type: text/csv; name="a.csv"\nContent-Disposition: attachment; filename="a.csv"\n\na,b\n--mix--\n'
)


def mixed() -> dict[str, object]:
    """A mail with three parts, the second an embedded message."""
    head = mail("mixed").split("\n\n")[0]
    return entry(head + "\n" + MIXED)


def one(stage: Stage, command: str) -> str:
    """The single FETCH answer of a command."""
    lines = stage.select(verb="EXAMINE").ask(f"a1 {command}")
    assert len(lines) == 2, lines
    return lines[0]


def envelope(subject: str) -> str:
    """The ENVELOPE of a default mail."""
    bob = '(("Bob Example" NIL "bob" "example.test"))'
    ada = '(("Ada Example" NIL "ada" "proton.local"))'
    return f'("Tue, 03 Feb 2026 10:11:12 +0100" "{subject}" {bob} {bob} {bob} {ada} NIL NIL NIL "<{subject}@example.test>")'


BODY = '("text" "plain" ("charset" "utf-8") NIL NIL "quoted-printable" 6 1'


def test_items_come_in_the_order_asked_and_twice_if_asked_twice(staged: Staging) -> None:
    """bridge-behaviour 3.5: INTERNALDATE is UTC; the size is that of BODY[]."""
    stage = staged(inbox=[entry(mail("one"))])
    lines = stage.select(verb="EXAMINE").ask("a1 FETCH 1 (RFC822.SIZE BODY.PEEK[] UID INTERNALDATE FLAGS UID)")
    size, literal = lines[0].split(" BODY[] ")
    octets = literal.split("\r\n", 1)[1].rsplit(" UID 1 ", 1)[0]
    assert size == f"* 1 FETCH (RFC822.SIZE {len(octets.encode())}"
    assert lines[0].endswith(' UID 1 INTERNALDATE "01-Feb-2026 08:00:00 +0000" FLAGS (\\Recent \\Seen) UID 1)')


@pytest.mark.parametrize(
    "macro, items",
    [
        ("ALL", 'FLAGS (\\Recent \\Seen) INTERNALDATE "…" RFC822.SIZE … ENVELOPE ' + envelope("one")),
        ("fast", 'FLAGS (\\Recent \\Seen) INTERNALDATE "…" RFC822.SIZE …'),
        ("FULL", 'FLAGS (\\Recent \\Seen) INTERNALDATE "…" RFC822.SIZE … ENVELOPE ' + envelope("one") + " BODY " + BODY + ")"),
    ],
)
def test_macros(staged: Staging, macro: str, items: str) -> None:
    """bridge-behaviour 3.5; dialogue 13."""
    wire = staged(inbox=[entry(mail("one"))]).select(verb="EXAMINE")
    talk(wire, C(f"a1 FETCH 1 {macro}"), S(f"* 1 FETCH ({items})"), S("a1 OK command completed in … microsec."))


def test_uid_fetch_puts_the_uid_last_unless_it_was_asked_for(stage: Stage) -> None:
    """Dialogue 13."""
    wire = stage.select(verb="EXAMINE")
    talk(wire, C("a1 UID FETCH 2 FLAGS"), S("* 2 FETCH (FLAGS (\\Recent \\Seen) UID 2)"), S("a1 OK …"))
    talk(wire, C("a2 UID FETCH 2 (UID FLAGS)"), S("* 2 FETCH (UID 2 FLAGS (\\Recent \\Seen))"), S("a2 OK …"))


def test_a_received_mail_is_rebuilt_with_bridges_headers_on_top(staged: Staging) -> None:
    """bridge-behaviour 4.2: the store's id first, then what Bridge writes, then what the account kept."""
    octets = one(staged(inbox=[entry(mail("one"))]), "FETCH 1 BODY.PEEK[HEADER]")
    kept = "Subject: one\r\nDate: Tue, 03 Feb 2026 10:11:12 +0100\r\nMessage-ID: <one@example.test>"
    assert octets.split("\r\n", 1)[1].startswith("X-Pm-Gluon-Id: ")
    names = [line.split(":")[0] for line in octets.split("\r\n")[1:9]]
    wanted = ["X-Pm-Gluon-Id", "Mime-Version", "Content-Transfer-Encoding", "Content-Type", "References", "X-Pm-Date", "X-Pm-External-Id"]
    assert names[:7] == wanted
    assert [part in octets for part in kept.split("\r\n")] == [True, True, True]


SECTIONS = [
    ("BODY.PEEK[1]", "BODY[1] {10}\r\ntext of it"),
    ("BODY.PEEK[1.1.7]", "BODY[1.1.7] {10}\r\ntext of it"),
    ("BODY.PEEK[1.mime]", "BODY[1.MIME] {28}\r\nContent-Type: text/plain\r\n\r\n"),
    ("BODY.PEEK[1.TEXT]", "BODY[1.TEXT] {10}\r\ntext of it"),
    ("BODY.PEEK[2.HEADER]", "BODY[2.HEADER] {44}\r\nFrom: inner@example.test\r\nSubject: inner\r\n\r\n"),
    ("BODY.PEEK[2.TEXT]", "BODY[2.TEXT] {10}\r\ninner body"),
    ("BODY.PEEK[2.1]", "BODY[2.1] {54}\r\nFrom: inner@example.test\r\nSubject: inner\r\n\r\ninner body"),
    ("BODY.PEEK[3]", "BODY[3] {3}\r\na,b"),
    ("BODY.PEEK[header.fields (SUBJECT x-none)]", "BODY[HEADER.FIELDS (SUBJECT X-NONE)] {18}\r\nSubject: mixed\r\n\r\n"),
    ("BODY.PEEK[HEADER.FIELDS (X-None)]", "BODY[HEADER.FIELDS (X-NONE)] {2}\r\n\r\n"),
    ("BODY.PEEK[1]<2.3>", "BODY[1]<2> {3}\r\nxt "),
    ("BODY.PEEK[1]<99.3>", "BODY[1]<99> {0}\r\n"),
    ("BODY.PEEK[HEADER.FIELDS (Subject)]<0.9>", "BODY[HEADER.FIELDS (SUBJECT)]<0> {9}\r\nSubject: "),
]


@pytest.mark.parametrize("item, answer", SECTIONS, ids=[item for item, _ in SECTIONS])
def test_sections_and_partials(staged: Staging, item: str, answer: str) -> None:
    """Dialogues 15, 40: names in upper case without PEEK; a message inside counts as a leaf."""
    assert one(staged(inbox=[mixed()]), f"FETCH 1 ({item})") == f"* 1 FETCH ({answer})"


@pytest.mark.parametrize(
    "item, text",
    [
        ("BODY.PEEK[4]", "invalid part index"),
        ("BODY.PEEK[5]", "no such parts exists"),
        ("BODY.PEEK[1.2]", "no such parts exists"),
        ("BODY.PEEK[2.2]", "no such parts exists"),
    ],
)
def test_a_part_that_is_not_there_fails_the_command(staged: Staging, item: str, text: str) -> None:
    """Dialogue 40: the answer is NO, alone."""
    talk(staged(inbox=[mixed()]).select(), C(f"a1 FETCH 1 {item}"), S(f"a1 NO {text}"), C("a2 NOOP"), S("a2 OK …"))


def test_one_message_that_cannot_be_served_fails_the_whole_set(staged: Staging) -> None:
    """Dialogue 40."""
    wire = staged(inbox=[entry(mail("one")), mixed()]).select()
    talk(wire, C("a1 FETCH 1:* (BODY.PEEK[2])"), S("a1 NO no such parts exists"))


@pytest.mark.parametrize("item", ["BODY[]", "BODY[HEADER]", "BODY[TEXT]", "RFC822", "RFC822.TEXT"])
def test_fetching_without_peek_marks_as_read_and_says_so(staged: Staging, item: str) -> None:
    """bridge-behaviour 3.5: FLAGS is added behind everything else; the next time nothing is added."""
    wire = staged(inbox=[entry(mail("one"), flags=())]).select()
    lines = wire.ask(f"a1 UID FETCH 1 {item}")
    assert lines[0].endswith(" UID 1 FLAGS (\\Recent \\Seen))"), lines
    assert wire.ask(f"a2 UID FETCH 1 {item}")[0].endswith(" UID 1)")


def test_flags_asked_for_tell_of_the_mark_that_the_same_fetch_leaves(staged: Staging) -> None:
    """bridge-behaviour 3.5: also where FLAGS stands in front of the body; what has been read before shows no second FLAGS."""
    wire = staged(inbox=[entry(mail("one"), flags=())]).select()
    seen = "FLAGS (\\Recent \\Seen)"
    talk(wire, C("a1 FETCH 1 (FLAGS BODY[]<0.1> FLAGS)"), S(f"* 1 FETCH ({seen} BODY[]<0> {{1}}\r\nX {seen} {seen})"), S("a1 OK …"))
    talk(wire, C("a2 FETCH 1 (FLAGS BODY[]<0.1>)"), S(f"* 1 FETCH ({seen} BODY[]<0> {{1}}\r\nX)"), S("a2 OK …"))


def test_a_fetch_that_fails_marks_nothing(staged: Staging) -> None:
    """Dialogue 40: NO alone; the message is still unread."""
    wire = staged(inbox=[entry(mail("one"), flags=())]).select()
    talk(wire, C("a1 FETCH 1 (FLAGS BODY[2])"), S("a1 NO no such parts exists"))
    talk(wire, C("a2 FETCH 1 FLAGS"), S("* 1 FETCH (FLAGS (\\Recent))"), S("a2 OK …"))


@pytest.mark.parametrize("item", ["BODY.PEEK[]", "RFC822.HEADER", "BODY.PEEK[HEADER]", "ENVELOPE", "BODYSTRUCTURE", "FLAGS"])
def test_reading_items_do_not_mark_as_read(staged: Staging, item: str) -> None:
    """bridge-behaviour 3.5."""
    wire = staged(inbox=[entry(mail("one"), flags=())]).select()
    wire.ask(f"a1 FETCH 1 {item}")
    talk(wire, C("a2 FETCH 1 FLAGS"), S("* 1 FETCH (FLAGS (\\Recent))"), S("a2 OK …"))


def test_examine_never_marks_as_read(staged: Staging) -> None:
    """bridge-behaviour 3.5."""
    stage = staged(inbox=[entry(mail("one"), flags=())])
    lines = stage.select(verb="EXAMINE").ask("a1 FETCH 1 (BODY[] FLAGS)")
    assert lines[0].endswith(" FLAGS (\\Recent))")
    assert stage.bridge.journal("flags") == []


SETS = [
    ("FETCH 2:1 UID", ["* 1 FETCH (UID 1)", "* 2 FETCH (UID 2)"], "OK"),
    ("FETCH 1,1,1:2 UID", ["* 1 FETCH (UID 1)", "* 1 FETCH (UID 1)", "* 1 FETCH (UID 1)", "* 2 FETCH (UID 2)"], "OK"),
    ("FETCH * UID", ["* 3 FETCH (UID 3)"], "OK"),
    ("FETCH *:3 UID", ["* 3 FETCH (UID 3)"], "OK"),
    ("FETCH 4 UID", [], "BAD no such message"),
    ("FETCH 1:4 UID", [], "BAD no such message"),
    ("FETCH 4:* UID", [], "BAD no such message"),
    ("UID FETCH 4 UID", [], "OK"),
    ("UID FETCH 4:* UID", [], "OK"),
    ("UID FETCH *:4 UID", [], "OK"),
    ("UID FETCH 3:* UID", ["* 3 FETCH (UID 3)"], "OK"),
    ("UID FETCH 2:999 UID", ["* 2 FETCH (UID 2)", "* 3 FETCH (UID 3)"], "OK"),
    ("UID FETCH 4294967296 UID", [], "OK"),
]


@pytest.mark.parametrize("command, rows, end", SETS, ids=[command for command, _, _ in SETS])
def test_sequence_sets(stage: Stage, command: str, rows: list[str], end: str) -> None:
    """Dialogue 16: no deduplication; a number that is not there is BAD, a UID that is not there is nothing, `n:*` beyond the end too."""
    lines = stage.select().ask(f"a1 {command}")
    assert lines[:-1] == rows
    assert lines[-1].startswith(f"a1 {end}")


def test_every_set_is_bad_in_an_empty_mailbox_but_by_uid(stage: Stage) -> None:
    """Dialogue 16."""
    wire = stage.select("Archive")
    for command in ("FETCH 1 UID", "FETCH 1:* UID", "FETCH * UID", "STORE 1:* +FLAGS (\\Seen)", "COPY 1 Trash", "MOVE 1 Trash"):
        talk(wire, C(f"a1 {command}"), S("a1 BAD no such message"))
    talk(wire, C("a2 UID FETCH 1:* UID"), S("a2 OK …"), C("a3 UID STORE 1:* +FLAGS (\\Seen)"), S("a3 OK …"))


def test_more_than_four_answers_come_in_no_order_that_follows_the_seed(staged: Staging) -> None:
    """bridge-behaviour 3.5: parallel workers; four or fewer, without a body, come in the order of the set."""
    inbox = [entry(mail(f"number {count}"), day=20 - count) for count in range(12)]

    def fetched(command: str) -> list[str]:
        lines = staged(inbox=inbox, profile={"response_order": "random"}).select().ask(f"a1 {command}")
        return [line.split(" ")[1] for line in lines[:-1]]

    many = fetched("FETCH 1:* UID")
    assert sorted(many, key=int) == [str(count) for count in range(1, 13)]
    assert many != sorted(many, key=int)
    assert fetched("FETCH 1:* UID") == many
    assert fetched("FETCH 4,3,2,1 UID") == ["4", "3", "2", "1"]
    assert fetched("FETCH 1:12 BODY.PEEK[1]") != sorted(many, key=int)


def test_envelope_has_raw_subjects_and_decoded_names(staged: Staging) -> None:
    """bridge-behaviour 3.6; dialogues 13, 43: names are 8-bit text in quoted strings with Go's escapes."""
    text = mail("x", sender="=?utf-8?q?Ren=C3=A9_=22R=22?= <rene@example.test>").replace("Subject: x", "Subject: =?utf-8?q?R=C3=A9union?=")
    answer = one(staged(inbox=[entry(text)]), "FETCH 1 ENVELOPE")
    assert '"=?utf-8?q?R=C3=A9union?=" (("René \\"R\\"" NIL "rene" "example.test"))' in answer


def test_bodystructure_of_a_multipart(staged: Staging) -> None:
    """bridge-behaviour 3.7: lower case, parameters sorted, empty lists as (), extension data only here."""
    answer = one(staged(inbox=[mixed()]), "FETCH 1 BODYSTRUCTURE")
    sender = '((NIL NIL "inner" "example.test"))'
    inner = f'(NIL "inner" {sender} {sender} {sender} NIL NIL NIL NIL NIL)'
    plain = '("text" "plain" () NIL NIL NIL 10 1 NIL NIL NIL NIL)'
    embedded = f'("message" "rfc822" () NIL NIL NIL 54 {inner}{plain} 4 NIL NIL NIL NIL)'
    csv = '("text" "csv" ("name" "a.csv") NIL NIL NIL 3 1 NIL ("attachment" ("filename" "a.csv")) NIL NIL)'
    assert answer == f'* 1 FETCH (BODYSTRUCTURE ({plain}{embedded}{csv} "mixed" ("boundary" "mix") NIL NIL NIL))'
