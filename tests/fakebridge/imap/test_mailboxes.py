"""Mailboxes: what is listed, made, renamed, deleted, subscribed, counted (bridge-behaviour 2; dialogues 09 to 11)."""

from __future__ import annotations

import pytest

from tests.fakebridge.conftest import Stage, Staging
from tests.fakebridge.talking import C, Closed, S, append, talk
from tests.fakebridge.worlds import VALIDITY, entry, mail

EMPTY = [
    '(\\Noselect \\Unmarked) "/" "Folders"',
    '(\\Noselect \\Unmarked) "/" "Labels"',
    '(\\Marked \\Noinferiors) "/" "INBOX"',
    '(\\Drafts \\Noinferiors \\Unmarked) "/" "Drafts"',
    '(\\Noinferiors \\Sent \\Unmarked) "/" "Sent"',
    '(\\Flagged \\Noinferiors \\Unmarked) "/" "Starred"',
    '(\\Archive \\Noinferiors \\Unmarked) "/" "Archive"',
    '(\\Junk \\Noinferiors \\Unmarked) "/" "Spam"',
    '(\\Noinferiors \\Trash \\Unmarked) "/" "Trash"',
    '(\\All \\Marked \\Noinferiors) "/" "All Mail"',
    '(\\Unmarked) "/" "Folders/Receipts"',
    '(\\Unmarked) "/" "Folders/Projects"',
    '(\\Unmarked) "/" "Folders/Projects/2026"',
    '(\\Unmarked) "/" "Labels/Work"',
    '(\\Unmarked) "/" "Labels/Re&AOc-us"',
]
DRAFT = "To: bob@example.test\nSubject: half\n\nx\n"


def rows(verb: str, *attributes_and_names: str) -> tuple[S, ...]:
    """Expected LIST rows."""
    return tuple(S(f"* {verb} {row}") for row in attributes_and_names)


def names(lines: list[str]) -> list[str]:
    """The names of LIST rows."""
    return [line.rsplit('"/" ', 1)[1].strip('"') for line in lines[:-1]]


def test_list_shows_system_mailboxes_placeholders_folders_and_labels(stage: Stage) -> None:
    """Dialogue 09: special use always, sorted attributes, quoted modified UTF-7; empty Scheduled and Recovered Messages are not shown."""
    talk(stage.log_in(), C('a1 LIST "" "*"'), *rows("LIST", *EMPTY), S("a1 OK LIST"))


def test_list_order_is_random_and_follows_the_seed(staged: Staging) -> None:
    """bridge-behaviour 2.1: it differs between two calls of one session."""
    wire = staged(profile={"response_order": "random"}).log_in()
    answers = [wire.ask(f'a{count} LIST "" "*"')[:-1] for count in range(6)]
    assert len({tuple(answer) for answer in answers}) > 1
    assert len({frozenset(answer) for answer in answers}) == 1
    again = staged(profile={"response_order": "random"}).log_in()
    assert [again.ask(f'a{count} LIST "" "*"')[:-1] for count in range(6)] == answers


@pytest.mark.parametrize(
    "arguments, found",
    [
        ('"" ""', [""]),
        ('"" "%"', ["Folders", "Labels", "INBOX", "Drafts", "Sent", "Starred", "Archive", "Spam", "Trash", "All Mail"]),
        ('"" "Folders/%"', ["Folders", "Folders/Receipts", "Folders/Projects"]),
        ('"" "Folders/*"', ["Folders/Receipts", "Folders/Projects", "Folders/Projects/2026"]),
        ('"Labels/" "*"', ["Labels/Work", "Labels/Re&AOc-us"]),
        ('"" "Labels/Re&AOc-*"', ["Labels/Re&AOc-us"]),
        ('"" inbox', ["INBOX"]),
        ('"" "drafts"', []),
        ('"" Nothing', []),
        ('"" "*/2026"', ["Folders/Projects/2026"]),
        ('"" Fold%rs', ["Folders"]),
    ],
)
def test_list_patterns(stage: Stage, arguments: str, found: list[str]) -> None:
    """bridge-behaviour 2.1: `*` crosses levels, `%` does not; reference and pattern are put together; only INBOX ignores letter case."""
    expected = [name for name in found if name != "Folders" or arguments != '"" "Folders/%"']
    assert names(stage.log_in().ask(f"a1 LIST {arguments}")) == expected


def test_the_root_is_a_noselect_row_without_a_name(stage: Stage) -> None:
    """Dialogue 09."""
    talk(stage.log_in(), C('a1 LIST "" ""'), S('* LIST (\\Noselect) "/" ""'), S("a1 OK LIST"))


def test_hidden_all_mail_is_not_listed_and_works_by_name(staged: Staging) -> None:
    """bridge-behaviour 2.1."""
    wire = staged(profile={"show_all_mail": False}).log_in()
    assert "All Mail" not in names(wire.ask('a1 LIST "" "*"'))
    talk(wire, C('a2 STATUS "All Mail" (MESSAGES)'), S('* STATUS "All Mail" (MESSAGES 3)'), S("a2 OK STATUS"))
    assert wire.ask('a3 SELECT "All Mail"')[-1] == "a3 OK [READ-WRITE] SELECT"


def test_recovered_messages_and_scheduled_are_listed_only_with_content(stage: Stage) -> None:
    """bridge-behaviour 2.1; dialogues 09, 23, 26: STATUS answers always."""
    wire = stage.log_in()
    for name in ("Recovered Messages", "Scheduled"):
        talk(wire, C(f'a1 LIST "" "{name}"'), S("a1 OK LIST"))
        talk(wire, C(f'a2 STATUS "{name}" (MESSAGES UIDNEXT)'), S(f'* STATUS "{name}" (MESSAGES 0 UIDNEXT 1)'), S("a2 OK STATUS"))
    talk(wire, *append("a3", "Drafts", "To: bob\n\nx\n"), S("a3 NO …"))
    talk(wire, *append("a4", "Scheduled", mail("later")), S("a4 OK [APPENDUID …] APPEND"))
    talk(wire, C('a5 LIST "" "Rec*"'), S('* LIST (\\Marked \\Noinferiors) "/" "Recovered Messages"'), S("a5 OK LIST"))
    talk(wire, C('a6 LIST "" "Sch*"'), S('* LIST (\\Marked \\Noinferiors) "/" "Scheduled"'), S("a6 OK LIST"))


def test_status_answers_in_the_order_asked_for_any_mailbox(stage: Stage) -> None:
    """Dialogue 09: placeholders and hidden ones too; a missing one is NO."""
    wire = stage.log_in()
    validity = VALIDITY["INBOX"]
    talk(
        wire,
        C("a1 STATUS inbox (UIDVALIDITY UNSEEN MESSAGES UIDNEXT RECENT)"),
        S(f'* STATUS "INBOX" (UIDVALIDITY {validity} UNSEEN 0 MESSAGES 3 UIDNEXT 4 RECENT 3)'),
        S("a1 OK STATUS"),
    )
    talk(wire, C("a2 STATUS Folders (MESSAGES UIDNEXT)"), S('* STATUS "Folders" (MESSAGES 0 UIDNEXT 1)'), S("a2 OK STATUS"))
    talk(wire, C('a3 STATUS "Labels/Re&AOc-us" (RECENT)'), S('* STATUS "Labels/Re&AOc-us" (RECENT 0)'), S("a3 OK STATUS"))
    talk(wire, C("a4 STATUS Nothing (MESSAGES)"), S("a4 NO no such mailbox"))


def test_names_are_modified_utf7_and_nothing_else(stage: Stage) -> None:
    """Dialogue 11: raw 8-bit and broken base64 are refused."""
    wire = stage.log_in()
    talk(wire, C('a1 CREATE "Labels/&AOk-t&AOk-"'), S("a1 OK CREATE"))
    for name in ('"Labels/café"', '"Labels/&AOk"', '"Labels/&&AOk-"', '"Labels/&AGE-"'):
        talk(wire, C(f"a2 CREATE {name}"), S("a2 NO utf7: invalid UTF-7"))
    talk(wire, C('a3 LIST "" "Labels/&AOk-*"'), S('* LIST (\\Unmarked) "/" "Labels/&AOk-t&AOk-"'), S("a3 OK LIST"))


CREATE_REFUSED = [
    ("Folders/Receipts", "a mailbox with that name already exists"),
    ("Folders", "a mailbox with that name already exists"),
    ("x", 'invalid mailbox name ["x"]: operation not allowed'),
    ('"All Mail2"', 'invalid mailbox name ["All Mail2"]: operation not allowed'),
    ("Trash/x", 'invalid mailbox name ["Trash" "x"]: operation not allowed'),
    ("Other/x", 'invalid mailbox name ["Other"]: operation not allowed'),
    ("inbox", "cannot create INBOX"),
    ("/x", "invalid mailbox name: begins with hierarchy separator"),
    ("Folders//x", "invalid mailbox name: has adjacent hierarchy separators"),
    ('"recovered messages2"', "operation not allowed"),
    ("Labels/Receipts", "…(Code=2500, Status=422)"),
]


@pytest.mark.parametrize("name, text", CREATE_REFUSED)
def test_create_is_refused(stage: Stage, name: str, text: str) -> None:
    """bridge-behaviour 2.6: the texts; labels and folders share one name space."""
    wire = stage.log_in()
    before = names(wire.ask('b LIST "" "*"'))
    talk(wire, C(f"a1 CREATE {name}"), S(f"a1 NO {text}"))
    assert names(wire.ask('c LIST "" "*"')) == before


def test_create_makes_missing_parents_and_drops_a_trailing_separator(stage: Stage) -> None:
    """Dialogue 11: each parent is a real folder."""
    wire = stage.log_in()
    talk(wire, C("a1 CREATE Folders/Deep/Er"), S("a1 OK CREATE"), C("a2 CREATE Folders/Trail/"), S("a2 OK CREATE"))
    talk(wire, C("a3 CREATE Labels/New"), S("a3 OK CREATE"))
    assert names(wire.ask('a4 LIST "" "Folders/*"'))[-3:] == ["Folders/Deep", "Folders/Deep/Er", "Folders/Trail"]
    stage.poll()
    assert names(wire.ask('a5 LIST "" "Labels/*"')) == ["Labels/Work", "Labels/Re&AOc-us", "Labels/New"]
    stage.bridge.ask("repair")
    assert "Folders/Deep/Er" in names(stage.log_in().ask('a6 LIST "" "*"'))


def test_a_label_below_a_label_is_refused_but_its_parent_appears_at_the_next_poll(stage: Stage) -> None:
    """Dialogue 11: the account made the parent before the refusal."""
    wire = stage.log_in()
    talk(
        wire,
        C("a1 CREATE Labels/a/b"),
        S("a1 NO a label cannot have children: operation not allowed"),
        C('a2 LIST "" "Labels/a"'),
        S("a2 OK LIST"),
    )
    stage.poll()
    talk(wire, C('a3 LIST "" "Labels/a"'), S('* LIST (\\Unmarked) "/" "Labels/a"'), S("a3 OK LIST"))


def test_delete_leaves_the_messages_in_all_mail(staged: Staging) -> None:
    """bridge-behaviour 2.7."""
    wire = staged(mailboxes={"Folders/Receipts": [entry(mail("kept"))]}).log_in()
    talk(wire, C("a1 DELETE Folders/Receipts"), S("a1 OK DELETE"), C('a2 LIST "" "Folders/Rec*"'), S("a2 OK LIST"))
    talk(wire, C('a3 STATUS "All Mail" (MESSAGES)'), S('* STATUS "All Mail" (MESSAGES 1)'), S("a3 OK STATUS"))


@pytest.mark.parametrize(
    "name, text",
    [
        ("INBOX", "cannot delete INBOX"),
        ("Nope", "no such mailbox"),
        ('"Recovered Messages"', "operation not allowed"),
        ("Archive", "400 DELETE https://…/core/v4/labels/6: 400 Bad Request (Code=0, Status=400)"),
        ("Folders", "400 DELETE https://…/core/v4/labels/Folders: 400 Bad Request (Code=0, Status=400)"),
    ],
)
def test_delete_is_refused(stage: Stage, name: str, text: str) -> None:
    """Dialogue 11."""
    talk(stage.log_in(), C(f"a1 DELETE {name}"), S(f"a1 NO {text}"))


def test_deleting_the_selected_mailbox_says_bye_behind_the_ok(stage: Stage) -> None:
    """bridge-behaviour 1.10: the next command is answered with another BYE and the end."""
    wire = stage.select("Folders/Receipts")
    talk(wire, C("a1 DELETE Folders/Receipts"), S("a1 OK DELETE"), S("* BYE Mailbox was deleted, have to disconnect."))
    talk(wire, C("a2 NOOP"), S("* BYE IMAP session state is inconsistent, please re-login."), Closed())


def test_a_session_whose_mailbox_is_deleted_by_another_gets_bye_at_its_next_command(stage: Stage) -> None:
    """bridge-behaviour 1.10."""
    watching, deleting = stage.select("Folders/Receipts"), stage.log_in()
    talk(deleting, C("a1 DELETE Folders/Receipts"), S("a1 OK DELETE"))
    talk(watching, C("a1 NOOP"), S("* BYE IMAP session state is inconsistent, please re-login."), Closed())


def test_children_of_a_deleted_folder_stay_below_a_noselect_parent_until_the_poll(stage: Stage) -> None:
    """bridge-behaviour 2.7: the account deletes them too; who has one selected is then told BYE."""
    wire, inside = stage.log_in(), stage.select("Folders/Projects/2026")
    talk(wire, C("a1 DELETE Folders/Projects"), S("a1 OK DELETE"))
    both = rows("LIST", '(\\Noselect) "/" "Folders/Projects"', '(\\Unmarked) "/" "Folders/Projects/2026"')
    talk(wire, C('a2 LIST "" "Folders/Proj*"'), *both, S("a2 OK LIST"))
    stage.poll()
    talk(wire, C('a3 LIST "" "Folders/Proj*"'), S("a3 OK LIST"))
    talk(inside, C("a1 NOOP"), S("* BYE IMAP session state is inconsistent, please re-login."), Closed())


def test_a_new_mailbox_under_an_old_name_has_a_larger_uidvalidity(stage: Stage) -> None:
    """bridge-behaviour 2.4."""
    wire = stage.log_in()
    talk(wire, C("a1 DELETE Labels/Work"), S("a1 OK DELETE"), C("a2 CREATE Labels/Work"), S("a2 OK CREATE"))
    answer = wire.ask("a3 STATUS Labels/Work (UIDVALIDITY)")[0]
    assert int(answer.rsplit(" ", 1)[1].rstrip(")")) > max(VALIDITY.values())


def test_rename_takes_children_along_and_moves_between_parents(stage: Stage) -> None:
    """bridge-behaviour 2.7."""
    wire = stage.log_in()
    talk(wire, C("a1 RENAME Folders/Projects Folders/Plans"), S("a1 OK RENAME"))
    assert names(wire.ask('a2 LIST "" "Folders/*"')) == ["Folders/Receipts", "Folders/Plans", "Folders/Plans/2026"]
    talk(wire, C("a3 RENAME Folders/Plans/2026 Folders/Receipts/2026"), S("a3 OK RENAME"))
    stage.poll()
    assert sorted(names(wire.ask('a4 LIST "" "Folders/*"'))) == ["Folders/Plans", "Folders/Receipts", "Folders/Receipts/2026"]


@pytest.mark.parametrize(
    "old, new, text",
    [
        ("Folders/Receipts", "Labels/Receipts2", "no such label"),
        ("Labels/Work", "Folders/Work", "no such label"),
        ("Drafts", "Folders/Drafts", "no such label"),
        ("Folders/Nope", "Folders/Nope2", "no such mailbox"),
        ("Folders/Receipts", "x", 'invalid mailbox name ["x"]: operation not allowed'),
        ("Folders/Receipts", "Folders/Projects", "a mailbox with that name already exists"),
        ("Folders/Receipts", '"Recovered Messages"', "operation not allowed"),
    ],
)
def test_rename_is_refused(stage: Stage, old: str, new: str, text: str) -> None:
    """Dialogue 11."""
    talk(stage.log_in(), C(f"a1 RENAME {old} {new}"), S(f"a1 NO {text}"))


def test_renaming_inbox_empties_it_into_a_new_mailbox(stage: Stage) -> None:
    """bridge-behaviour 2.7: INBOX stays."""
    wire = stage.log_in()
    talk(wire, C("a1 RENAME INBOX Folders/Old"), S("a1 OK RENAME"))
    talk(wire, C("a2 STATUS INBOX (MESSAGES)"), S('* STATUS "INBOX" (MESSAGES 0)'), S("a2 OK STATUS"))
    talk(wire, C("a3 STATUS Folders/Old (MESSAGES)"), S('* STATUS "Folders/Old" (MESSAGES 3)'), S("a3 OK STATUS"))


def test_subscriptions_are_local_and_hide_from_lsub(stage: Stage) -> None:
    """Dialogue 10: twice is refused; LSUB has LIST's attributes."""
    wire = stage.log_in()
    talk(wire, C("a1 SUBSCRIBE INBOX"), S("a1 NO already subscribed to this mailbox"), C("a2 SUBSCRIBE Nope"), S("a2 NO no such mailbox"))
    talk(wire, C("a3 UNSUBSCRIBE Folders/Projects"), S("a3 OK UNSUBSCRIBE"))
    talk(wire, C("a4 UNSUBSCRIBE Folders/Projects"), S("a4 NO not subscribed to this mailbox"))
    assert names(wire.ask('a5 LSUB "" "Folders/*"')) == ["Folders/Receipts", "Folders/Projects/2026"]
    talk(wire, C('a6 LSUB "" "Folders/Proj%"'), S('* LSUB (\\Noselect) "/" "Folders/Projects"'), S("a6 OK LSUB"))
    talk(wire, C("a7 SUBSCRIBE Folders/Projects"), S("a7 OK SUB"))
    talk(wire, C('a8 LSUB "" "*"'), *rows("LSUB", *EMPTY), S("a8 OK LSUB"))


def test_a_mailbox_deleted_while_subscribed_lingers_in_lsub(stage: Stage) -> None:
    """bridge-behaviour 2.5: until it is unsubscribed."""
    wire = stage.log_in()
    talk(wire, C("a1 DELETE Labels/Work"), S("a1 OK DELETE"))
    talk(wire, C('a2 LSUB "" "Labels/W*"'), S('* LSUB (\\Noselect) "/" "Labels/Work"'), S("a2 OK LSUB"))
    talk(wire, C("a3 UNSUBSCRIBE Labels/Work"), S("a3 OK UNSUBSCRIBE"), C('a4 LSUB "" "Labels/W*"'), S("a4 OK LSUB"))
    talk(wire, C("a5 UNSUBSCRIBE Labels/Work"), S("a5 NO no such mailbox"))


def test_drafts_exist_under_their_name_only(stage: Stage) -> None:
    """bridge-behaviour 2.1: letter case counts."""
    wire = stage.log_in()
    talk(wire, *append("a1", "drafts", DRAFT), S("a1 NO [TRYCREATE] no such mailbox"))
    talk(wire, *append("a2", "Drafts", DRAFT), S(f"a2 OK [APPENDUID {VALIDITY['Drafts']} 1] APPEND"))
