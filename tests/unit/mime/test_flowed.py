"""format=flowed: RFC 3676."""

from __future__ import annotations

import pytest

from proton_safe.mime.flowed import unflow
from proton_safe.mime.quote import quote

KNOWN = [
    ("one \r\ntwo\r\nthree", False, "one two\nthree"),
    ("on \r\ne", True, "one"),
    # RFC 3676 4.4: one blank was stuffed before a line that begins with one, with `>` or with `From `
    ("  indented\n >not a quote\n From me", False, " indented\n>not a quote\nFrom me"),
    # RFC 3676 4.5: lines of another quote depth are another paragraph
    (">> a \n>> b\n> c\nd ", False, ">> a b\n> c\nd "),
    # RFC 3676 4.3: the signature mark is never joined
    ("end \n-- \nname", False, "end \n-- \nname"),
    ("", False, ""),
]


@pytest.mark.parametrize("text, delete_space, expected", KNOWN)
def test_soft_line_ends_are_joined(text: str, delete_space: bool, expected: str) -> None:
    """RFC 3676 section 4."""
    assert unflow(text, delete_space=delete_space) == expected


def test_every_kind_of_line_is_quoted() -> None:
    """Attack catalogue text/quote-line-breaks: no line of the sender's may stand outside the quotation."""
    assert quote("one\n\ntwo\x0bthree\u2028four\x85five\rsix") == "> one\n>\n> two\n> three\n> four\n> five\n> six"
