"""The HTML twin carries every character, and the way back is exact."""

from __future__ import annotations

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proton_safe.drafts.twin import text_of_twin, twin_of
from tests.unit.drafts.texts import BODIES

_OUR_TAGS = re.compile(r'</?div>|<br>|<span style="white-space:pre">|</span>')


@given(BODIES)
def test_the_text_comes_back_from_its_twin(text: str) -> None:
    """Product page 6: the HTML must carry the whole text faithfully."""
    assert text_of_twin(twin_of(text)) == text
    assert text_of_twin(twin_of(text) + "\r\n") == text
    assert text_of_twin(twin_of(text).replace("\r\n", "\n")) == text


@given(BODIES)
def test_no_source_line_begins_like_an_mbox_separator(text: str) -> None:
    """Bridge behaviour 4.1, dialogue 43: lines that begin with From are deleted; fault B39."""
    assert all(line.startswith("<div>") and line.endswith("</div>") for line in twin_of(text).split("\r\n"))


@given(BODIES)
def test_the_twin_holds_no_markup_but_its_own(text: str) -> None:
    """Attack catalogue, html/outgoing-escape."""
    rest = _OUR_TAGS.sub("", twin_of(text))
    assert "<" not in rest
    assert ">" not in rest
    assert html.unescape(rest).replace("\u00a0", " ").replace("\r\n", "\n") == text.replace("\u00a0", " ")


@given(BODIES)
def test_no_blank_stands_where_a_browser_drops_it(text: str) -> None:
    """HTML collapses blanks in a row and drops them at the ends of a line (CSS Text 4.1)."""
    for line in twin_of(text).split("\r\n"):
        content = line.removeprefix("<div>").removesuffix("</div>")
        assert "  " not in content
        assert content == content.strip(" ")


def test_the_signature_separator_and_indents_are_kept() -> None:
    """Product page 6: spaces, line breaks, signature separator."""
    assert twin_of("a  b\n\n  c\td\n-- \n\u00a0") == (
        "<div>a&nbsp; b</div>\r\n<div><br></div>\r\n<div>&nbsp;&nbsp;c"
        '<span style="white-space:pre">&#9;</span>d</div>\r\n<div>--&nbsp;</div>\r\n<div>&#160;</div>'
    )


@pytest.mark.parametrize(
    "source",
    [
        "",
        "<p>x</p>",
        "<div>x",
        "<div>a<b>b</b></div>",
        "<div>&copy;</div>",
        "<div>&</div>",
        "<div>x</div><div>y</div>",
        "<div>a\tb</div>",
        'x<div>"</div>',
    ],
)
def test_what_is_no_twin_has_no_text(source: str) -> None:
    """The comparison never guesses: an edited draft does not match."""
    assert text_of_twin(source) is None


@given(st.text(alphabet="<div>br/&nbsp;#160\n x", max_size=60))
def test_any_source_has_one_reading_or_none(source: str) -> None:
    """No input makes the way back fail in another way."""
    text = text_of_twin(source)
    assert text is None or text_of_twin(twin_of(text)) == text
