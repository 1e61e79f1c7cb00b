"""Which media queries hold for a normal screen."""

from __future__ import annotations

import pytest

from proton_safe.mime.css_media import screen_shows

SHOWN = [
    *("", "all", "screen", "only screen", "not print", "print, screen", "screen and (color)", "(min-width: 40em)", "(width >= 600px)"),
    *("(min-device-width:1px)", "(orientation:landscape)", "(prefers-color-scheme:light)", "(hover:hover)", "(height = 800px)"),
    *("screen and (-webkit-min-device-pixel-ratio:0)", "(min-resolution:96dpi)", "(max-resolution:1dppx)", "(resolution:1x)", "(hover)"),
    *("((color))", "(400px < width)", "(400px <= width <= 2000px)", "(min-width:calc(1px + 1px))", "(min-width:-1px)", "(orientation)"),
    *("(min-aspect-ratio:1/1)", "(monochrome:0)", "(grid:0)", "(update)", "(prefers-color-scheme)", "(max-width:1px) or (min-width:1px)"),
    *("not (max-width:1px)", "(not (max-width:1px))", "yahoo, screen", "(min-resolution:.5dppx)", "(-webkit-transform-3d)"),
]
SHOWN_NOT = [
    *(
        "print",
        "not screen",
        "not all",
        "speech",
        "(max-width:600px)",
        "(max-device-width:480px)",
        "(width < 5in)",
        "(orientation:portrait)",
    ),
    *(
        "(prefers-color-scheme:dark)",
        "(min-resolution:2dppx)",
        "(-webkit-min-device-pixel-ratio:2)",
        "(yahoo)",
        "(unknown:1)",
        "(min-width:x)",
    ),
    *(
        "not (yahoo)",
        "not (print)",
        "(width < 1000px)",
        "(width > 1000px)",
        "(min-width:1)",
        "(width:1px) or (height:1px)",
        "screen or (color)",
    ),
    *("(color) and (color) or (color)", "not", "(", "(color", ",", "(2000px < width)"),
    *("(min-resolution:x)", "screen and", "(prefers-reduced-motion:reduce)", "(width:1px)", "(resolution:2x)"),
]


@pytest.mark.parametrize("query", SHOWN)
def test_a_media_query_holds_for_a_screen(query: str) -> None:
    """Media Queries 4; attack catalogue html/hidden-media."""
    assert screen_shows(query)


@pytest.mark.parametrize("query", SHOWN_NOT)
def test_a_media_query_does_not_hold_for_a_screen(query: str) -> None:
    """As above."""
    assert not screen_shows(query)
