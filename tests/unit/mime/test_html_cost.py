"""What of HTML is parsed at all, and what is light enough for the server's own process."""

from __future__ import annotations

import pytest

from proton_safe.mime.html_cost import FLOOD_TAGS, MAX_HTML_CHARS, MAX_LIGHT_CHARS, MAX_LIGHT_TAGS, MAX_TAGS, bounded, is_light
from proton_safe.mime.html_text import html_text


@pytest.mark.parametrize("html", ["", "<p>a", "<p>a</p>" * (MAX_LIGHT_TAGS // 2), "<b>a</b><i>b</i>" * 100, "x" * MAX_LIGHT_CHARS])
def test_an_ordinary_page_is_light(html: str) -> None:
    """Most mail needs no child process."""
    assert is_light(html)


@pytest.mark.parametrize(
    "html",
    [
        "<p>" * (MAX_LIGHT_TAGS + 1),
        "x" * (MAX_LIGHT_CHARS + 1),
        "".join(f"<b a{number}>" for number in range(300)) + "<p>" * 300,
        "<FONT\tcolor=red>" * 200,
        "<rt><div></b>" * 900,
    ],
)
def test_what_may_cost_the_square_is_not(html: str) -> None:
    """Peer fault B5, in our parser's kind."""
    assert not is_light(html)


def test_parts_of_a_message_share_what_is_light() -> None:
    """Twenty parts must not cost twenty times as much."""
    half = "<p>" * (MAX_LIGHT_TAGS // 2)
    assert is_light(half, beside=half)
    assert not is_light(half + "<p>", beside=half)


def test_floods_are_shortened_and_the_rest_is_cut_where_it_says_so() -> None:
    """Attack catalogue html/whitespace-flood: what follows a flood is read; what is cut is told."""
    assert bounded("a" + "<br>\r\n" * (FLOOD_TAGS + 1) + "b") == ("a<br><br>b", False)
    assert bounded("a" + "&nbsp;" * (FLOOD_TAGS + 1) + "b") == ("a b", False)
    assert bounded("<br>" * 100) == ("<br>" * 100, False)
    assert bounded("x" * (MAX_HTML_CHARS + 1)) == ("x" * MAX_HTML_CHARS, True)
    assert bounded("<i>" * (MAX_TAGS + 1)) == ("<i>" * MAX_TAGS, True)


CUT = [
    ("<p>a</p><!-- b", ("html-cut-off",)),
    ("<p>a</p><a href='b", ("html-cut-off",)),
    ("<p>a</p></b", ("html-cut-off",)),
    ("<p>a</p><script>b", ("html-cut-off",)),
    ("<p>a</p><template>b", ("html-cut-off",)),
    ("<title>a", ("html-cut-off",)),
    ("<p>a</p><svg>b", ("html-cut-off",)),
    ("<p>a</p><textarea>b", ()),
    ("<p>a</p><div hidden>b", ()),
    ("<p>a</p></body></html>\n", ()),
    ("<table><tr><td>a", ()),
    ("<table>a", ()),
    ("<p>a</p><!-- b -->", ()),
    ("", ()),
    ("x" * (MAX_HTML_CHARS + 1), ("body-truncated",)),
]


@pytest.mark.parametrize("html, warnings", CUT)
def test_an_end_that_is_swallowed_is_told(html: str, warnings: tuple[str, ...]) -> None:
    """Attack catalogue html/comments: unclosed, the rest is dropped with a warning. Peer fault A2."""
    assert html_text(html).warnings == warnings
