"""Text as it grows: rows of tables, floods of nothing, remarks of ours, and an end to all of it."""

from __future__ import annotations

from proton_safe.mime import text_flow
from proton_safe.mime.html_text import html_text
from proton_safe.mime.text_flow import TextFlow


def test_remarks_stand_in_the_text_and_not_in_the_bare_one() -> None:
    """Alternatives are compared by what both can say."""
    flow = TextFlow()
    flow.add("here")
    flow.space()
    flow.note("<https://a.example>")
    assert (flow.text(), flow.bare()) == ("here <https://a.example>", "here")


def test_a_long_text_ends_somewhere() -> None:
    """What a child sends back is bounded."""
    flow = TextFlow()
    for _ in range(3):
        flow.add("x" * (text_flow.MAX_CHARS + 1))
        flow.note("[note]")
    assert flow.full
    assert len(flow.text()) < 2 * text_flow.MAX_CHARS
    assert "[note]" not in flow.text()


def test_rows_of_paragraphs_stay_rows() -> None:
    """Product page 4: tables keep their cells apart, also where each cell holds a paragraph."""
    assert html_text("<table><tr><td><p>a</p></td><td><p>b</p></td></tr><tr><td><p>c<td><p>d</table>").text == "a | b\nc | d"
    assert html_text("<table><tr><td>a<br>b<td>c</table>").text == "a\nb | c"
    assert html_text("<table><tr><td><table><tr><td>a<td>b</table><td>c</table>").text == "a | b\n\nc"


def test_empty_cells_of_a_table_of_data_keep_their_places() -> None:
    """A value must not slide under another head."""
    table = "<table><tr><th>a<th>b<th>c<tr><td>1<td><td>3<tr><td><td>2<td></table>"
    assert html_text(table).text == "a | b | c\n1 |  | 3\n| 2"
    assert html_text("<table><tr><td>1<td><td>3</table>").text == "1 | 3"


def test_floods_of_nothing_are_short() -> None:
    """Attack catalogue html/whitespace-flood."""
    for nothing in (
        "<br>",
        "&nbsp;",
        "<p></p>",
        "<p>&nbsp;</p>",
        "<br class=x>",
        "&zwnj;&nbsp;",
        "<pre>\n</pre>",
        "&#8199;",
        "<div> </div>",
        "<p> ",
    ):
        assert len(html_text(f"<p>a</p>{nothing * 500}<p>b").text) <= 6
    assert html_text(f"<pre>a{' ' * 1_000}b{' ' * 20}c</pre>").text == f"a b{' ' * 20}c"
    assert html_text("a\u200d\u200db, 39&nbsp;EUR").text == "a\u200d\u200db, 39\xa0EUR"
