"""Colours of CSS and of HTML's old attributes, as far as is needed to tell ink from paper."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import Final

Colour = tuple[int, int, int]

BLACK: Final[Colour] = (0, 0, 0)
WHITE: Final[Colour] = (255, 255, 255)
LINK_BLUE: Final[Colour] = (0, 0, 238)
NEAR: Final = 24
_MIN_ALPHA: Final = 0.05
_NAMES: Final = MappingProxyType(
    {
        "black": "000000",
        "white": "ffffff",
        "red": "ff0000",
        "lime": "00ff00",
        "blue": "0000ff",
        "yellow": "ffff00",
        "aqua": "00ffff",
        "cyan": "00ffff",
        "fuchsia": "ff00ff",
        "magenta": "ff00ff",
        "silver": "c0c0c0",
        "gray": "808080",
        "grey": "808080",
        "maroon": "800000",
        "olive": "808000",
        "green": "008000",
        "purple": "800080",
        "teal": "008080",
        "navy": "000080",
        "orange": "ffa500",
        "snow": "fffafa",
        "ivory": "fffff0",
        "whitesmoke": "f5f5f5",
        "ghostwhite": "f8f8ff",
        "floralwhite": "fffaf0",
        "azure": "f0ffff",
        "mintcream": "f5fffa",
        "seashell": "fff5ee",
        "lightgray": "d3d3d3",
        "lightgrey": "d3d3d3",
        "gainsboro": "dcdcdc",
        "darkgray": "a9a9a9",
        "darkgrey": "a9a9a9",
        "dimgray": "696969",
        "dimgrey": "696969",
        "pink": "ffc0cb",
    }
)
_HEX: Final = re.compile(r"#?([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})")
_FUNCTION: Final = re.compile(r"rgba?\(\s*([0-9.]{1,8}%?)[\s,]+([0-9.]{1,8}%?)[\s,]+([0-9.]{1,8}%?)(?:[\s,/]+([0-9.]{1,8}%?))?\s*\)")


def colour(text: str) -> Colour | None:
    """The colour that a value names; None if it names none that is known here, or if it is transparent."""
    value = text.strip().lower()
    if match := _HEX.fullmatch(_NAMES.get(value, value)):
        digits = match[1] if len(match[1]) > 4 else "".join(2 * digit for digit in match[1])
        alpha = int(digits[6:8] or "ff", 16) / 255
        return None if alpha < _MIN_ALPHA else (int(digits[0:2], 16), int(digits[2:4], 16), int(digits[4:6], 16))
    if match := _FUNCTION.fullmatch(value):
        if match[4] is not None and _share(match[4]) < _MIN_ALPHA:
            return None
        red, green, blue = (_channel(match[group]) for group in (1, 2, 3))
        return (red, green, blue)
    return None


def transparent(text: str) -> bool:
    """Whether a value is a colour that leaves no trace."""
    value = text.strip().lower()
    if value == "transparent":
        return True
    return colour(value) is None and (_HEX.fullmatch(value) is not None or _FUNCTION.fullmatch(value) is not None)


def alike(one: Colour, other: Colour) -> bool:
    """Whether a person could not tell the two apart: no channel differs by more than 24 of 255."""
    return all(abs(mine - theirs) <= NEAR for mine, theirs in zip(one, other, strict=True))


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0


def _share(text: str) -> float:
    return _number(text[:-1]) / 100 if text.endswith("%") else _number(text)


def _channel(text: str) -> int:
    figure = _number(text[:-1]) * 2.55 if text.endswith("%") else _number(text)
    return max(0, min(255, int(figure)))
