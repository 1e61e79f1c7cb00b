"""The journal's evidence: each offence is found, ordinary reading is none."""

import pytest

from conformance.evidence import allowed_sets, offences, still_used
from conformance.model import Json

_READING: list[dict[str, Json]] = [
    {"n": 1, "kind": "connect"},
    {"n": 2, "kind": "command", "verb": "LOGIN", "line": "LOGIN x ***"},
    {"n": 3, "kind": "command", "verb": "EXAMINE", "line": 'EXAMINE "INBOX"'},
    {"n": 4, "kind": "command", "verb": "UID FETCH", "line": "UID FETCH 1 (FLAGS RFC822.SIZE BODYSTRUCTURE BODY.PEEK[HEADER]<0.100>)"},
    {"n": 5, "kind": "answer", "status": "OK"},
]
_OFFENCES: list[dict[str, Json]] = [
    {"kind": "command", "verb": "SELECT", "line": 'SELECT "INBOX"'},
    {"kind": "command", "verb": "UID STORE", "line": "UID STORE 1 +FLAGS (\\Seen)"},
    {"kind": "command", "verb": "UID FETCH", "line": "UID FETCH 1 BODY[]"},
    {"kind": "command", "verb": "UID FETCH", "line": "UID FETCH 1 (FLAGS body[1]<0.10>)"},
    {"kind": "command", "verb": "UID FETCH", "line": "UID FETCH 1 RFC822"},
    {"kind": "command", "verb": "UID FETCH", "line": "UID FETCH 1 (RFC822.TEXT)"},
    {"kind": "command", "verb": "APPEND", "line": "APPEND Drafts {5}"},
    {"kind": "flags", "mailbox": "INBOX", "uid": 1},
    {"kind": "append", "mailbox": "Drafts"},
    {"kind": "smtp", "what": "auth"},
]


def test_reading_with_peek_is_no_offence() -> None:
    """Readers use EXAMINE and BODY.PEEK."""
    assert list(offences(_READING, allowed="read-only")) == []


@pytest.mark.parametrize("entry", _OFFENCES)
def test_each_offence_of_a_reader_is_found(entry: dict[str, Json]) -> None:
    """RFC 3501 6.4.5: what marks as read, and everything that writes or sends."""
    assert len(list(offences([*_READING, entry], allowed="read-only"))) == 1


def test_a_draft_may_be_stored_in_drafts_only() -> None:
    """The one write: an APPEND to the drafts folder."""
    stored: list[dict[str, Json]] = [
        {"kind": "command", "verb": "APPEND", "line": "APPEND Drafts {5}"},
        {"kind": "append", "mailbox": "Drafts"},
        {"kind": "flags", "mailbox": "Drafts", "uid": 1},
    ]
    assert list(offences(stored, allowed="draft")) == []
    elsewhere: list[dict[str, Json]] = [{"kind": "append", "mailbox": "Sent"}]
    assert list(offences(elsewhere, allowed="draft")) == ["a message was stored in Sent"]


def test_with_nothing_allowed_every_command_is_an_offence() -> None:
    """Tools that never talk to Bridge, and calls refused before anything is opened."""
    assert len(list(offences(_READING, allowed="none"))) == 3


def test_no_set_allows_a_command_that_changes_mail() -> None:
    """The sets themselves are part of the promise."""
    changing = {
        "SELECT",
        "STORE",
        "UID STORE",
        "COPY",
        "UID COPY",
        "MOVE",
        "UID MOVE",
        "EXPUNGE",
        "UID EXPUNGE",
        "CREATE",
        "DELETE",
        "RENAME",
    }
    assert all(changing.isdisjoint(allowed.commands) for allowed in allowed_sets().values())


_BROKEN: list[dict[str, Json]] = [
    {"n": 1, "kind": "command", "session": 1, "verb": "LOGIN", "tag": "a1"},
    {"n": 2, "kind": "fault", "session": 1, "verb": "NOOP", "do": "garbage", "tag": "a2"},
    {"n": 3, "kind": "command", "session": 1, "verb": "NOOP", "tag": "a2"},
]
_SINCE: dict[str, Json] = {"n": 4, "kind": "command", "session": 2, "verb": "LOGIN", "tag": "a1"}


@pytest.mark.parametrize(
    "journal, findings",
    [
        ([*_BROKEN, _SINCE], []),
        (_BROKEN, ["no other connection has been used since the fault"]),
        ([_SINCE], ["no fault was met"]),
        ([{"n": 1, "kind": "fault", "session": None, "verb": "CONNECT", "do": "certificate", "tag": ""}], ["no fault was met"]),
        (
            [*_BROKEN, {**_SINCE, "session": 1, "verb": "LOGOUT", "tag": "a3"}, {**_SINCE, "n": 5}],
            ["the server sent LOGOUT on a connection on which garbage had been met"],
        ),
        # A fault that was met again on the second connection leaves none that served.
        ([*_BROKEN, _SINCE, {**_BROKEN[1], "n": 5, "session": 2}], ["no other connection has been used since the fault"]),
    ],
)
def test_a_connection_on_which_a_fault_was_met_is_used_no_more(journal: list[dict[str, Json]], findings: list[str]) -> None:
    """Attack catalogue, 14: the connection is discarded, the next call opens another one."""
    assert list(still_used(journal)) == findings
