"""What the header says of lists and of programs that write by themselves."""

from __future__ import annotations

import pytest

from proton_safe.mime import headers, list_headers


@pytest.mark.parametrize(
    "line",
    [
        b"List-Unsubscribe: <mailto:leave@lists.example>",
        b"list-POST: NO",
        b"List-Id: Everybody <everybody.lists.example>",
        b"Mail-Followup-To: everybody@lists.example",
        b"Mailing-List: list everybody@lists.example",
        b"Precedence: Bulk",
        b"Precedence: list (said so)",
    ],
)
def test_a_lists_fields_are_known(line: bytes) -> None:
    """RFC 2369, 2919; attack catalogue header/list-headers."""
    found = headers.split(line + b"\r\n")
    assert list_headers.is_list(found)
    assert not list_headers.is_automatic(found)


@pytest.mark.parametrize("line", [b"Auto-Submitted: auto-replied", b"auto-submitted: Auto-Generated; x=y", b"Return-Path: <>"])
def test_a_program_says_that_it_is_one(line: bytes) -> None:
    """RFC 3834 5; RFC 5321 4.5.5."""
    found = headers.split(line + b"\r\n")
    assert list_headers.is_automatic(found)
    assert not list_headers.is_list(found)


@pytest.mark.parametrize(
    "line", [b"Auto-Submitted: no", b"Auto-Submitted:", b"Precedence: first-class", b"Listen: x", b"Return-Path: <a@b.example>"]
)
def test_other_fields_say_nothing(line: bytes) -> None:
    """A person wrote it, as far as the header tells."""
    found = headers.split(line + b"\r\n")
    assert not list_headers.is_list(found)
    assert not list_headers.is_automatic(found)
