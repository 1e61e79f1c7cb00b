"""Windows into long texts: reading on gives the whole, and no window is larger than an answer."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proton_safe.untrusted import window as windows
from proton_safe.untrusted.clean import clean
from proton_safe.untrusted.window import MAX_OCTETS, Window, fitting, octets_in_json, window


@pytest.mark.parametrize(
    "offset, max_chars, expected",
    [
        (0, 3, Window("abc", 3)),
        (3, 3, Window("def", None)),
        (0, 6, Window("abcdef", None)),
        (5, 100, Window("f", None)),
        (6, 3, Window("", None)),
        (10_000_000, 3, Window("", None)),
    ],
)
def test_a_window_says_where_to_read_on(offset: int, max_chars: int, expected: Window) -> None:
    """Product page 3: long text can be read on by offset_chars."""
    found = window("abcdef", offset=offset, max_chars=max_chars)
    assert found == expected
    assert found.truncated == (expected.next_offset is not None)


@given(st.text(max_size=200), st.integers(1, 50))
def test_reading_on_gives_the_whole_text(text: str, step: int) -> None:
    """Nothing is lost and nothing comes twice."""
    pieces: list[str] = []
    offset: int | None = 0
    while offset is not None:
        found = window(text, offset=offset, max_chars=step)
        pieces.append(found.text)
        offset = found.next_offset
    assert "".join(pieces) == text


@pytest.mark.parametrize("char", ["a", "\xe9", "\u20ac", "\U0001f600", '"', "\n", "\\"])
def test_a_window_fits_into_an_answer(char: str) -> None:
    """Product page 3: an answer is at most 1 MiB encoded, and a text leaves in it twice."""
    text = char * 500_000
    found = window(text, offset=0, max_chars=500_000)
    assert found.text
    assert found.next_offset == len(found.text)
    assert len(json.dumps(found.text, ensure_ascii=False).encode()) <= MAX_OCTETS + 2


@pytest.mark.parametrize(
    "text", ["a" * 500_000, "\u202e" * 100_000, "\u202e" * 60_000 + "a" * 40_000, "\U0001f600" * 100_000, "", "\u200b" * 100_000]
)
def test_an_uncleaned_text_is_cut_to_what_fits_when_it_is_clean(text: str) -> None:
    """Attack catalogue unicode/bidi: an escape is eight characters for one, and must not make an answer too large."""
    found = fitting(text)
    assert text.startswith(found)
    assert bool(found) == bool(text)
    cleaned = clean(found).text
    assert len(json.dumps(cleaned, ensure_ascii=False).encode()) <= MAX_OCTETS + 48_000 + 2
    assert found == text or len(cleaned.encode()) > MAX_OCTETS // 2


@given(st.text(max_size=50))
def test_no_character_takes_more_octets_than_are_reckoned_with(text: str) -> None:
    """A text that can't be too long is not measured."""
    assert octets_in_json(text) <= windows._MOST_OCTETS * len(text)
