"""LIST rows as mailboxes, roles, and which one a caller means."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proton_safe.imap import mailboxes, modified_utf7
from proton_safe.imap.grammar import parse
from proton_safe.imap.mailboxes import INBOX, Mailboxes, MailboxName, Role


def _read(*rows: bytes) -> Mailboxes:
    return mailboxes.read(parse((row,)) for row in rows)


BRIDGE = (
    b'(\\Unmarked) "/" "Labels/Re&AOc-us"',
    b'(\\Noselect \\Unmarked) "/" "Folders"',
    b'(\\Drafts \\Noinferiors \\Unmarked) "/" "Entw&APw-rfe"',
    b'(\\Noinferiors \\Sent \\Unmarked) "/" "Sent"',
    b'(\\Flagged \\Noinferiors \\Unmarked) "/" "Starred"',
    b'(\\Archive \\Noinferiors \\Unmarked) "/" "Archive"',
    b'(\\Junk \\Noinferiors \\Unmarked) "/" "Spam"',
    b'(\\Noinferiors \\Trash \\Unmarked) "/" "Trash"',
    b'(\\All \\Marked \\Noinferiors) "/" "All Mail"',
    b'(\\Marked \\Noinferiors) "/" "INBOX"',
)


def test_bridge_s_list_is_decoded_with_roles_inbox_first() -> None:
    """bridge-behaviour 2.1: attributes, whatever the names; 2.2: modified UTF-7; the order on the wire is random."""
    expected = (
        MailboxName("INBOX", "INBOX", Role.INBOX, selectable=True),
        MailboxName("All Mail", "All Mail", Role.ALL, selectable=True),
        MailboxName("Archive", "Archive", Role.ARCHIVE, selectable=True),
        MailboxName("Entwürfe", "Entw&APw-rfe", Role.DRAFTS, selectable=True),
        MailboxName("Folders", "Folders", None, selectable=False),
        MailboxName("Labels/Reçus", "Labels/Re&AOc-us", None, selectable=True),
        MailboxName("Sent", "Sent", Role.SENT, selectable=True),
        MailboxName("Spam", "Spam", Role.JUNK, selectable=True),
        MailboxName("Starred", "Starred", Role.FLAGGED, selectable=True),
        MailboxName("Trash", "Trash", Role.TRASH, selectable=True),
    )
    assert _read(*BRIDGE) == Mailboxes(expected) == _read(*reversed(BRIDGE))


@pytest.mark.parametrize(
    "row",
    [
        b'() "/" "&bad"',
        b'() "/" "&2AA-"',
        b'() "/" "caf\xc3\xa9"',
        b'() "/" ""',
        b'() "/" NIL',
        b'() "/"',
        b'() "/" "a" "b"',
        b'NIL "/" "a"',
        b'"x" "/" "a"',
        b'() "/" ("a")',
        b'() "/" "a\\r\\nb\\x1b"',
        b'() "/" "' + b"a" * 1025 + b'"',
    ],
)
def test_a_row_that_cannot_be_read_is_counted(row: bytes) -> None:
    """Attack catalogue, imap/mailbox-utf7: no row may fail the list."""
    assert _read(BRIDGE[3], row) == Mailboxes((MailboxName("Sent", "Sent", Role.SENT, selectable=True),), skipped=1)


def test_odd_but_readable_rows_are_kept() -> None:
    """NIL as delimiter, an atom as name, letter case of attributes, encoded control characters (escaped when they leave)."""
    listed = _read(b"(\\SENT) NIL Sent", b'() "/" "&AAA-x"', b'(\\nonexistent) "/" "gone"')
    assert listed.names == (
        MailboxName("\0x", "&AAA-x", None, selectable=True),
        MailboxName("gone", "gone", None, selectable=False),
        MailboxName("Sent", "Sent", Role.SENT, selectable=True),
    )


def test_the_same_name_twice_counts_once() -> None:
    """The first row stands."""
    assert _read(b'() "/" "a"', b'(\\Drafts) "/" "a"') == Mailboxes((MailboxName("a", "a", None, selectable=True),), skipped=1)


@pytest.mark.parametrize(
    "asked, raw_name",
    [
        ("INBOX", "INBOX"),
        ("inbox", "INBOX"),
        ("Entwürfe", "Entw&APw-rfe"),
        ("Entw&APw-rfe", "Entw&APw-rfe"),
        ("entwürfe", None),
        ("\N{LATIN SMALL LETTER DOTLESS I}nbox", None),  # its capital is the I of INBOX
        ("Sent ", None),
        ("*", None),
        ("../Sent", None),
        ("a&b", "a&-b"),
    ],
)
def test_a_caller_means_exactly_one(asked: str, raw_name: str | None) -> None:
    """Decoded name, then raw name, INBOX in any letter case; nothing else is ever sent to Bridge."""
    found = _read(*BRIDGE, b'() "/" "a&-b"').find(asked)
    assert (found.raw_name if found else None) == raw_name


def test_a_decoded_name_goes_before_a_raw_one() -> None:
    """A folder may be called what another one looks like on the wire."""
    listed = _read(b'() "/" "Entw&APw-rfe"', b'() "/" "Entw&-APw-rfe"')
    found = listed.find("Entw&APw-rfe")
    assert found is not None
    assert found.raw_name == "Entw&-APw-rfe"


def test_inbox_is_there_without_a_list() -> None:
    """RFC 3501 5.1."""
    assert Mailboxes(()).find("Inbox") == INBOX


def test_a_role_is_found_by_attribute_and_only_where_mail_can_be() -> None:
    """Peer faults A23, B31."""
    listed = _read(*BRIDGE)
    drafts = listed.by_role(Role.DRAFTS)
    assert drafts is not None
    assert drafts.name == "Entwürfe"
    assert _read(b'(\\Drafts \\Noselect) "/" "Drafts"').by_role(Role.DRAFTS) is None


@given(st.binary(max_size=60))
def test_any_name_decodes_or_is_none(raw: bytes) -> None:
    """The codec may raise what it likes."""
    name = modified_utf7.decode(raw)
    assert name is None or name.encode("utf-8").decode("utf-8") == name


@given(
    st.lists(st.recursive(st.none() | st.binary(max_size=12), lambda inner: st.lists(inner, max_size=3).map(tuple)), max_size=4).map(tuple)
)
def test_any_row_is_a_mailbox_or_counted(row: tuple[None, ...]) -> None:
    """No LIST row raises."""
    listed = mailboxes.read([row])
    assert len(listed.names) + listed.skipped == 1
