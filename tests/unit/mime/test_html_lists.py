"""List items keep their marks: numbers as HTML gives them, and lists inside lists stand further in."""

from __future__ import annotations

import pytest

from proton_safe.mime.html_lists import written
from proton_safe.mime.html_text import html_text

LISTS = [
    ("<ol><li>a<li>b</ol>", "1. a\n2. b"),
    ("<ol start=9><li>a<li value=20>b<li>c</ol>", "9. a\n20. b\n21. c"),
    ("<ol reversed><li>a<li>b</ol>", "2. a\n1. b"),
    ("<ol type=a start=26><li>a<li>b<li type=I>c</ol>", "z. a\naa. b\nXXVIII. c"),
    ("<ol start=x><li value=y>a</ol>", "1. a"),
    ("<ul><li>a<ol><li>b<li>c</ol><li>d</ul>", "- a\n  1. b\n  2. c\n- d"),
    ("<ol><li><p>a</p><p>b</p><li>c</ol>", "1. a\n\nb\n\n2. c"),
    ("<ul><li><li>b</ul>c", "- b\n\nc"),
    ("<li>a", "- a"),
    ("<ol hidden><li>a</ol><ol><li>b</ol>", "1. b"),
    ("<ol><li style='visibility:hidden'>a<li>b</ol>", "1. b"),
    ("<blockquote><ol><li>a</ol></blockquote>", "> 1. a"),
]


@pytest.mark.parametrize("html, text", LISTS)
def test_items_keep_their_marks(html: str, text: str) -> None:
    """WHATWG HTML 4.4.5 and 4.4.8."""
    assert html_text(html).text == text


@pytest.mark.parametrize(
    "number, style, mark",
    [
        (1, "a", "a"),
        (27, "A", "AA"),
        (0, "a", "0"),
        (4, "i", "iv"),
        (1_994, "I", "MCMXCIV"),
        (4_000, "i", "4000"),
        (-3, "1", "-3"),
        (7, "x", "7"),
    ],
)
def test_numbers_are_written_by_type(number: int, style: str, mark: str) -> None:
    """Where letters or Roman numerals have no form, digits stand."""
    assert written(number, style) == mark


def test_numbers_count_for_the_comparison_of_alternatives() -> None:
    """A plain part has them too."""
    assert html_text("<ol><li>a</ol>").bare == "1. a"
