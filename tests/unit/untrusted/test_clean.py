"""Cleaning: what is escaped, what is removed, what stays, and that it holds for every text."""

from __future__ import annotations

import re
import tracemalloc
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proton_safe.untrusted import clean as cleaning
from proton_safe.untrusted.clean import LINE_BREAKS, MAX_MARKS_IN_A_ROW, Clean, clean, clean_line

FORBIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164"
    "\ud800-\udfff\ufdd0-\ufdef\ufeff\uffa0\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e00ff]"
)
WALES = "\U0001f3f4\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f"
KNOWN = [
    ("plain\ttext\n", Clean("plain\ttext\n")),
    ("a\r\nb\rc\x0bd\x0ce\x85f\u2028g\u2029h\x1ei", Clean("a\nb\nc\nd\ne\nf\ng\nh\ni")),
    ("a\u202eb\u2066c\u200fd\u061ce", Clean("a\\u{202e}b\\u{2066}c\\u{200f}d\\u{061c}e", escaped=4)),
    ("\x1b[2Ja\x00b\x9bc\x7f", Clean("[2Jabc", removed=4)),
    ("pay\u200bpal\ufeff\xad\u2060", Clean("paypal", removed=4)),
    ("a\U000e0041\U000e0042b", Clean("ab", removed=2)),
    ("a\ud800b\udfff", Clean("ab", removed=2)),
    ("a\ufffeb\ufdd0\U0001ffff", Clean("a\ufffdb\ufffd\ufffd", removed=3)),
    # joiners stay where they join: emoji, letters of joining scripts
    ("\U0001f468\u200d\U0001f469\u200d\U0001f467", Clean("\U0001f468\u200d\U0001f469\u200d\U0001f467")),
    ("\u2764\ufe0f\u200d\U0001f525", Clean("\u2764\ufe0f\u200d\U0001f525")),
    ("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", Clean("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645")),
    ("\u0915\u094d\u200d\u0937", Clean("\u0915\u094d\u200d\u0937")),
    ("a\u200db\u200cc \u200d", Clean("abc ", removed=3)),
    ("\u0645\u200c\u200c\u062e", Clean("\u0645\u200c\u062e", removed=1)),
    # one variant of a glyph stays, a run of them is a hidden channel
    ("\U0001f600\ufe0f\ufe01\ufe02\U000e0101", Clean("\U0001f600\ufe0f", removed=3)),
    ("\u845b\U000e0100", Clean("\u845b\U000e0100")),
    # a selector says nothing behind a character that has no variants: it could only carry something
    ("a\ufe00b\ufe0f \ufe0f1\ufe0f\u20e3 \xa9\ufe0e", Clean("ab 1\ufe0f\u20e3 \xa9\ufe0e", removed=3)),
    ("\u2229\ufe00\ufe00", Clean("\u2229\ufe00", removed=1)),
    # the three flags that are written with tags; any other sequence of tags could spell words
    (f"{WALES} {WALES[:-1]}", Clean(f"{WALES} \U0001f3f4", removed=5)),
    ("\U0001f3f4\U000e0067\U000e0062\U000e0078\U000e007f", Clean("\U0001f3f4", removed=4)),
    ("\ufe0f \ufe0f", Clean(" ", removed=2)),
    ("e" + "\u0301\u200b" * 31, Clean("e" + "\u0301" * MAX_MARKS_IN_A_ROW, removed=32)),
    ("e" + "\u0301" * 100, Clean("e" + "\u0301" * MAX_MARKS_IN_A_ROW, removed=100 - MAX_MARKS_IN_A_ROW)),
    # what merely looks strange stays
    ("\xa0\u2003\ue000\u202f\ufffd", Clean("\xa0\u2003\ue000\u202f\ufffd")),
]


@pytest.mark.parametrize("text, expected", KNOWN)
def test_what_a_reader_cannot_see_is_escaped_or_left_out_and_counted(text: str, expected: Clean) -> None:
    """Product page 3; peer fault A11; attack catalogue unicode/*."""
    assert clean(text) == expected


def test_a_line_stays_one_line() -> None:
    """Attack catalogue unicode/line-separators."""
    assert clean_line("a\r\nb\tc\u2028d\x85e\x1cf\u202eg") == Clean("a b c d e f\\u{202e}g", escaped=1)


TEXTS = st.text(
    st.characters() | st.sampled_from("\u200d\u200c\ufe0f\u0645\u0301\U0001f600\u202e\u061c\U0001f3f4\U000e0100\r\n\ufdd0"), max_size=60
)


@given(TEXTS)
def test_no_text_keeps_a_forbidden_character(text: str) -> None:
    """Product page 3: it holds for every string, whatever made it."""
    found = clean(text).text.replace(WALES, "")
    assert FORBIDDEN.search(found) is None
    found.encode("utf-8")
    assert FORBIDDEN.search(clean_line(text).text) is None
    assert "\n" not in clean_line(text).text


@given(TEXTS)
def test_cleaning_what_was_cleaned_changes_nothing(text: str) -> None:
    """A text may pass the layer twice: a body is cleaned before it is cut into windows, and again when it leaves."""
    assert clean(clean(text).text) == Clean(clean(text).text)
    assert clean_line(clean_line(text).text) == Clean(clean_line(text).text)


@given(st.text(st.characters(categories=("L", "N", "P", "S", "Zs"), exclude_characters="\u115f\u1160\u3164\uffa0"), max_size=60))
def test_visible_text_is_left_alone(text: str) -> None:
    """Product page 4: nothing that a person sees is lost."""
    assert clean(text) == Clean(text)


def test_the_search_of_ascii_texts_knows_what_the_whole_table_knows() -> None:
    """Most texts are ASCII and are looked at for its control characters only."""
    assert [chr(octet) for octet in range(128) if clean(f"a{chr(octet)}b").removed] == [
        *map(chr, (*range(9), *range(14, 28), 31, 127)),
    ]


@pytest.mark.parametrize("char", ["\u200f", "\u200b", "\U0001f469\u200d", "a\ufe0f"])
def test_a_flood_takes_little_more_room_than_its_text(char: str) -> None:
    """Product page 10: no one mail costs more than 150 MiB; a million of these once took twice that."""
    flood = char * 100_000
    tracemalloc.start()
    try:
        clean(flood)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 6_000_000


@given(st.text(alphabet="ab\r\n\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029", max_size=20))
def test_every_line_break_is_one_line_feed(text: str) -> None:
    """CR LF is one break, each other character of the kind one of its own."""
    assert clean(text).text == re.sub(f"\r\n|[{LINE_BREAKS}]", "\n", text)


SOME: Final = "ab1 .\t\x00\x7f\u202e\u200d\ufe0f\u0301\u0628\U0001f3f4\U000e0067\U0001f600\ufffe\ud800\u20ac\xe9\u3000\xa0\xad"


@given(st.text(alphabet=SOME, max_size=20) | st.text(max_size=20), st.sampled_from(["", "\u0301" * 31, "\u2026" * 40]))
def test_a_text_in_which_nothing_needs_a_decision_is_what_all_decisions_leave(text: str, run: str) -> None:
    """A mark among the characters that may need one has every run looked at."""
    text += run
    assert cleaning._without_hidden(text, cleaning._odd(text)) == cleaning._without_hidden(text, frozenset("\u0301"))
