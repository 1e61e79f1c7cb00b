"""Cursors: what they are bound to, and which ones are refused."""

from __future__ import annotations

import base64
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proton_safe.imap import cursor
from proton_safe.imap.cursor import Cursor
from proton_safe.imap.index import IndexEntry
from proton_safe.refusals import Code, Refusal

LAST = IndexEntry(41, 1_767_225_600, frozenset())


def _written(**changes: str | int) -> str:
    told = {"tool": "list_messages", "raw_name": "INBOX", "question": "all", "uid_validity": 7, **changes}
    return cursor.write(last=LAST, **told)  # type: ignore[arg-type] # the rows of this file's tables


def _read(text: str) -> Cursor:
    return cursor.read(text, tool="list_messages", raw_name="INBOX", question="all", uid_validity=7)


def test_a_cursor_names_its_position() -> None:
    """It comes back as written, within the published length and alphabet."""
    text = _written()
    assert _read(text) == Cursor(7, LAST.received, LAST.uid)
    assert len(text) <= cursor.MAX_CHARS
    assert text.replace("-", "").replace("_", "").isalnum()


@pytest.mark.parametrize("change", [{"tool": "search_messages"}, {"raw_name": "Sent"}, {"question": "unread"}])
def test_a_cursor_of_another_question_is_refused(change: dict[str, str]) -> None:
    """product.md 3: bound to folder and query."""
    with pytest.raises(Refusal) as raised:
        _read(_written(**change))
    assert (raised.value.code, raised.value.field) == (Code.ARGUMENTS_INVALID, "cursor")


def test_a_cursor_of_another_numbering_says_so() -> None:
    """RFC 3501 2.3.1.1."""
    with pytest.raises(Refusal) as raised:
        _read(_written(uid_validity=8))
    assert raised.value.code is Code.MAILBOX_CHANGED


def _encoded(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "A",
        "not a cursor",
        "é",
        _encoded([]),
        _encoded(["x", 1, 2]),
        _encoded({"a": 1}),
        _encoded(["x", 7, 1.5, 2]),
        _encoded(["x", 7, True, 2]),
        _encoded(["x", 7, 2**80, 2]),
        _encoded([7, 7, 7, 7]),
        _encoded("x"),
        base64.urlsafe_b64encode(b"[" * 300).decode(),
    ],
)
def test_what_is_no_cursor_is_refused(text: str) -> None:
    """Whatever a caller makes up."""
    with pytest.raises(Refusal) as raised:
        _read(text)
    assert (raised.value.code, raised.value.field) == (Code.ARGUMENTS_INVALID, "cursor")


@given(st.text(max_size=60))
def test_any_other_text_is_refused(text: str) -> None:
    """Nothing else comes out: a cursor is longer than any text that is tried here."""
    with pytest.raises(Refusal) as raised:
        _read(text)
    assert raised.value.code is Code.ARGUMENTS_INVALID


def test_a_position_splits_the_order() -> None:
    """Newer mail, and the last row itself, lie before it."""
    entries = [IndexEntry(uid, LAST.received + later, frozenset()) for uid, later in ((1, 1), (42, 0), (41, 0), (40, 0), (99, -1))]
    assert _read(_written()).place_in(entries) == 3
    assert [_read(_written()).place_in(entries[:count]) for count in range(6)] == [0, 1, 2, 3, 3, 3]
    assert _read(_written()).place_in(entries[3:]) == 0
