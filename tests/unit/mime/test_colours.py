"""Colours as they are written, and what is seen where one lies on another."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proton_safe.mime.colours import BLACK, CLEAR, WHITE, Shade, alike, over, shade

WRITTEN = [
    ("White", (255, 255, 255, 1.0)),
    ("rebeccapurple", (102, 51, 153, 1.0)),
    ("#fff", (255, 255, 255, 1.0)),
    ("fff", (255, 255, 255, 1.0)),
    ("#12345600", (18, 52, 86, 0.0)),
    ("#0008", (0, 0, 0, 136 / 255)),
    ("rgb(1, 2, 3)", (1, 2, 3, 1.0)),
    ("rgb(1 2 3 / 50%)", (1, 2, 3, 0.5)),
    ("RGBA(100%,0%,300%,.25)", (255, 0, 255, 0.25)),
    ("rgba(-5, 0, none, 2)", (0, 0, 0, 1.0)),
    ("rgb(1.2.3,0,0)", (0, 0, 0, 1.0)),
    ("hsl(0, 0%, 100%)", (255, 255, 255, 1.0)),
    ("hsl(120deg 100% 25%)", (0, 128, 0, 1.0)),
    ("hsla(240,100%,50%,0)", (0, 0, 255, 0.0)),
    ("transparent", CLEAR),
    ("canvas", (255, 255, 255, 1.0)),
]


@pytest.mark.parametrize("text, value", WRITTEN)
def test_a_colour_is_read(text: str, value: Shade) -> None:
    """CSS Color 4."""
    assert shade(text) == value


@pytest.mark.parametrize("text", ["", "#12", "reddish", "rgb(1,2)", "var(--x)", "url(red)", "#" + "f" * 100, "color(srgb 1 1 1)"])
def test_anything_else_is_no_colour(text: str) -> None:
    """What is not evaluated decides nothing."""
    assert shade(text) is None


def test_a_shade_shines_through() -> None:
    """CSS Color 4, 4.2: alpha."""
    assert over((0, 0, 0, 0.5), WHITE) == (128, 128, 128)
    assert over(CLEAR, BLACK) == BLACK
    assert alike(over((0, 0, 0, 0.04), WHITE), WHITE)
    assert not alike(BLACK, (0, 0, 25))


@given(st.text(alphabet="rgbhsla()0123456789.,%/ -#", max_size=80))
def test_any_text_is_read(text: str) -> None:
    """No input raises."""
    shade(text)
