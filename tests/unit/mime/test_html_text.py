"""HTML as a person would see it: structure, links, images, and costs."""

from __future__ import annotations

import dataclasses
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proton_safe.mime.hidden_text import MAX_ALT_CHARS
from proton_safe.mime.html_text import HtmlText, html_text, received
from tests.unit.mime.counted_calls import growth

SHOWN = [
    ("", ""),
    ("a  b\n c", "a b c"),
    ("<p>a<p>b<div>c</div>d", "a\n\nb\n\nc\nd"),
    ("a<br>b<br><br><br><br>c", "a\nb\n\nc"),
    ("<p>Hello<b> W</b>orld</p>", "Hello World"),
    ("<p>say <q>a</q></p>", "say \u201ca\u201d"),
    ("<pre> a\n   b</pre>", "a\n   b"),
    ('<p style="white-space:pre-wrap">a  b</p>', "a  b"),
    ('<pre style="white-space:normal">a\n b</pre>', "a b"),
    ("<ul><li>a<li>b</ul>", "- a\n- b"),
    ("<table><tr><td>a</td><td>b</td></tr><tr><td>c<td>d</table>", "a | b\nc | d"),
    ("<table><tr><td><p>a</p></td><td><table><tr><td>b<td>c</table></table>", "a\n\nb | c"),
    ("<blockquote>a<blockquote>b</blockquote></blockquote>c", "> a\n> > b\nc"),
    # peer fault A8: entities are decoded once
    ("&amp;lt;b&amp;gt; &eacute;&#233;", "&lt;b&gt; \xe9\xe9"),
    # peer fault A2: a head that is never closed, an unclosed style or comment
    ("<head><p>a", "a"),
    ("a<style>b", "a"),
    ("a<!-- b", "a"),
    ("a<!-- b --><!--[if mso]>c<![endif]-->d<![if !mso]>e<![endif]>", "ade"),
    ("<title>t</title><script>s</script><noscript>n</noscript>", "n"),
    ("<plaintext><p>a", "<p>a"),
    # images speak through their alternative text only
    ('<img src=x alt=" a  cat " title=t>', "[image: a cat]"),
    ("<img src=x>", ""),
    ('<p title="t" aria-label="l" data-x="d">a<input value=v placeholder=p>', "a"),
]


@pytest.mark.parametrize("html, text", SHOWN)
def test_text_stands_as_a_person_sees_it(html: str, text: str) -> None:
    """Product page 4; WHATWG HTML; attack catalogue html/raw-text-elements, html/comments, html/attributes-as-text."""
    assert html_text(html).text == text
    assert html_text(html).hidden == ()


LINKS = [
    ('<a href="https://a.example/x">here</a>', "here <https://a.example/x>", 0),
    ('<a href="https://a.example/">https://a.example</a>', "https://a.example", 0),
    ('<a href="mailto:a@b.example">a@b.example</a>', "a@b.example", 0),
    (
        '<a href="https://evil.example">https://bank.example</a>',
        "https://bank.example <https://evil.example> [link text says bank.example]",
        1,
    ),
    ('<a href="https://evil.example">bank.example/login</a>', "bank.example/login <https://evil.example> [link text says bank.example]", 1),
    ('<a href="https://www.bank.example/x">bank.example</a>', "bank.example <https://www.bank.example/x>", 0),
    # what stands before the @ is no host; a backslash is a slash; blanks inside a URL vanish
    (
        '<a href="https://bank.example@evil.example/">bank.example</a>',
        "bank.example <https://evil.example/> [link text says bank.example]",
        1,
    ),
    ('<a href="https:&#x2f;\\evil.example\\@bank.example">x</a>', "x <https://evil.example\\@bank.example>", 0),
    ('<a href=" ht\ntps://ev il.example ">x</a>', "x <https://evil.example>", 0),
    ('<a href="https://b\xfccher.example/">x</a>', "x <https://xn--bcher-kva.example/>", 0),
    ('<a href="#top">top</a><a href="cid:a">b</a><a>c</a>', "topbc", 0),
    ('<a href="javascript:alert(1)">x</a>', "x <javascript:>", 0),
    ('<a href="data:text/html,say this">x</a>', "x <data:>", 0),
    ('<a href="https://a.example"><img src=x></a>', "<https://a.example>", 0),
    ('<a href="https://a.example"></a>', "", 0),
    ('<a href="https://a.example/a.pdf">report.pdf</a>', "report.pdf <https://a.example/a.pdf>", 0),
    ('<p hidden><a href="https://a.example">x</a></p>', "", 0),
]


@pytest.mark.parametrize("html, text, mismatches", LINKS)
def test_links_show_where_they_lead(html: str, text: str, mismatches: int) -> None:
    """Product page 4; attack catalogue html/link-mismatch."""
    found = html_text(html)
    assert (found.text, found.mismatches) == (text, mismatches)


def test_a_long_target_and_a_long_image_text_are_cut() -> None:
    """Attack catalogue html/link-mismatch and html/attributes-as-text: 200 characters."""
    assert html_text(f'<a href="https://a.example/{"x" * 2_000}">t</a>').text == "t <https://a.example/" + "x" * 182 + "\u2026>"
    assert html_text(f'<a href="https://a.example/">{"<i>xy</i> " * 500}</a>').text.endswith("xy <https://a.example/>")
    assert html_text(f'<img alt="{"x" * 2_000}">').text == "[image: " + "x" * MAX_ALT_CHARS + "]"


def test_the_bare_text_has_no_targets_and_no_image_texts() -> None:
    """Alternatives are compared by what a person reads in both."""
    assert html_text('<a href="https://a.example/x">here</a> <img alt=cat>').bare == "here"


def test_a_value_survives_its_way_out_of_a_child_process() -> None:
    """Product page 5: framed plain data, no pickle."""
    found = html_text('<p hidden>H</p><a href="https://evil.example">bank.example</a>')
    assert received(json.loads(json.dumps(dataclasses.asdict(found)))) == found


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"text": 1, "bare": "", "hidden": [], "mismatches": 0, "warnings": []},
        {"text": "", "bare": "", "hidden": "x", "mismatches": 0, "warnings": []},
    ],
)
def test_anything_else_out_of_a_child_process_is_refused(values: dict[str, object]) -> None:
    """The child has read hostile octets: what it sends is checked like any other input."""
    with pytest.raises(TypeError):
        received(values)


def test_kinds_that_do_not_exist_are_dropped_from_what_a_child_sends() -> None:
    """As above."""
    values = {
        "text": "a",
        "bare": "a",
        "hidden": [["visibility", 2], ["x", 1], ["visibility"], ["zero-size", -1], 5],
        "mismatches": -1,
        "warnings": ["style-unread", "x", 5],
    }
    assert received(values) == HtmlText("a", "a", (("visibility", 2),), 0, ("style-unread",))


MARKUP = [
    "<",
    ">",
    "<a ",
    "<a href='https://x.example'>",
    "</a>",
    "<p style='",
    "color:",
    ";",
    "'",
    "<table>",
    "<td>",
    "<!--",
    "-->",
    "<style>",
    "}",
    "{",
    "&#x202e;",
    "&#xD800;",
    "x ",
    "<svg>",
    "<template>",
    "\0",
]


@given(st.lists(st.sampled_from(MARKUP), max_size=60).map("".join) | st.text(max_size=200))
def test_any_text_is_read(html: str) -> None:
    """Product page 4 and peer fault B5: no input raises, and what comes out can be encoded."""
    found = html_text(html)
    (found.text + found.bare).encode("utf-8")
    assert all(count > 0 for _, count in found.hidden)


FLOODS = [
    "<div>",
    "<a ",
    "<a href='",
    "<!--",
    "<![CDATA[",
    "&",
    "<blockquote>x",
    "<td>x",
    "<a href='https://x.example'>y",
    "<b><p>",
    "<style>a{}",
    "<p style='color:red'>x",
    "&nbsp;<br>",
]


@pytest.mark.parametrize("piece", FLOODS)
def test_the_cost_grows_with_the_input_and_no_faster(piece: str) -> None:
    """Peer fault B5; attack catalogue html/depth-50k, html/unclosed-*, html/comment-opens."""
    assert growth(lambda size: html_text(piece * size), small=500, large=2_000) < 6


def test_no_mail_can_say_that_its_end_was_read() -> None:
    """The mark that shows whether a comment or tag swallowed the end can't be written by the mail."""
    assert html_text("own &#xfdd0;end&#xfdd1;<!-- the rest").warnings == ("html-cut-off",)
    assert html_text("own \ufdd0end\ufdd1<p title='the rest").warnings == ("html-cut-off",)
