"""Colours of CSS and of HTML's old attributes, as far as is needed to tell ink from paper."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import Final

Colour = tuple[int, int, int]
Shade = tuple[int, int, int, float]
"""Red, green and blue from 0 to 255, and how much of it is seen, from 0 to 1."""

BLACK: Final[Colour] = (0, 0, 0)
WHITE: Final[Colour] = (255, 255, 255)
LINK_BLUE: Final[Colour] = (0, 0, 238)
NEAR: Final = 24
CLEAR: Final[Shade] = (0, 0, 0, 0.0)
_LONGEST: Final = 64
# The named colours of CSS Color 4, as `name` and six hexadecimal digits.
_TABLE: Final = (
    "aliceblue f0f8ff antiquewhite faebd7 aqua 00ffff aquamarine 7fffd4 azure f0ffff beige f5f5dc bisque ffe4c4 black 000000 "
    "blanchedalmond ffebcd blue 0000ff blueviolet 8a2be2 brown a52a2a burlywood deb887 cadetblue 5f9ea0 chartreuse 7fff00 "
    "chocolate d2691e coral ff7f50 cornflowerblue 6495ed cornsilk fff8dc crimson dc143c cyan 00ffff darkblue 00008b darkcyan 008b8b "
    "darkgoldenrod b8860b darkgray a9a9a9 darkgreen 006400 darkgrey a9a9a9 darkkhaki bdb76b darkmagenta 8b008b darkolivegreen 556b2f "
    "darkorange ff8c00 darkorchid 9932cc darkred 8b0000 darksalmon e9967a darkseagreen 8fbc8f darkslateblue 483d8b darkslategray 2f4f4f "
    "darkslategrey 2f4f4f darkturquoise 00ced1 darkviolet 9400d3 deeppink ff1493 deepskyblue 00bfff dimgray 696969 dimgrey 696969 "
    "dodgerblue 1e90ff firebrick b22222 floralwhite fffaf0 forestgreen 228b22 fuchsia ff00ff gainsboro dcdcdc ghostwhite f8f8ff "
    "gold ffd700 goldenrod daa520 gray 808080 green 008000 greenyellow adff2f grey 808080 honeydew f0fff0 hotpink ff69b4 "
    "indianred cd5c5c indigo 4b0082 ivory fffff0 khaki f0e68c lavender e6e6fa lavenderblush fff0f5 lawngreen 7cfc00 "
    "lemonchiffon fffacd lightblue add8e6 lightcoral f08080 lightcyan e0ffff lightgoldenrodyellow fafad2 lightgray d3d3d3 "
    "lightgreen 90ee90 lightgrey d3d3d3 lightpink ffb6c1 lightsalmon ffa07a lightseagreen 20b2aa lightskyblue 87cefa "
    "lightslategray 778899 lightslategrey 778899 lightsteelblue b0c4de lightyellow ffffe0 lime 00ff00 limegreen 32cd32 linen faf0e6 "
    "magenta ff00ff maroon 800000 mediumaquamarine 66cdaa mediumblue 0000cd mediumorchid ba55d3 mediumpurple 9370db "
    "mediumseagreen 3cb371 mediumslateblue 7b68ee mediumspringgreen 00fa9a mediumturquoise 48d1cc mediumvioletred c71585 "
    "midnightblue 191970 mintcream f5fffa mistyrose ffe4e1 moccasin ffe4b5 navajowhite ffdead navy 000080 oldlace fdf5e6 olive 808000 "
    "olivedrab 6b8e23 orange ffa500 orangered ff4500 orchid da70d6 palegoldenrod eee8aa palegreen 98fb98 paleturquoise afeeee "
    "palevioletred db7093 papayawhip ffefd5 peachpuff ffdab9 peru cd853f pink ffc0cb plum dda0dd powderblue b0e0e6 purple 800080 "
    "rebeccapurple 663399 red ff0000 rosybrown bc8f8f royalblue 4169e1 saddlebrown 8b4513 salmon fa8072 sandybrown f4a460 "
    "seagreen 2e8b57 seashell fff5ee sienna a0522d silver c0c0c0 skyblue 87ceeb slateblue 6a5acd slategray 708090 slategrey 708090 "
    "snow fffafa springgreen 00ff7f steelblue 4682b4 tan d2b48c teal 008080 thistle d8bfd8 tomato ff6347 turquoise 40e0d0 "
    "violet ee82ee wheat f5deb3 white ffffff whitesmoke f5f5f5 yellow ffff00 yellowgreen 9acd32"
)
# System colours as a light screen has them.
_SYSTEM: Final = {
    **dict.fromkeys(("canvas", "field", "window", "menu", "infobackground"), "ffffff"),
    **dict.fromkeys(("canvastext", "fieldtext", "windowtext", "buttontext", "menutext", "infotext"), "000000"),
    **dict.fromkeys(("buttonface", "buttonhighlight", "buttonshadow", "threedface"), "efefef"),
}
_NAMES: Final = MappingProxyType({**dict(re.findall(r"([a-z]+) ([0-9a-f]{6})", _TABLE)), **_SYSTEM})
_HEX: Final = re.compile(r"#?([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})")
_PART: Final = r"\s*(-?[0-9.]{1,12}(?:%|deg)?|none)"
_FUNCTION: Final = re.compile(rf"(rgb|hsl)a?\({_PART}[\s,]+{_PART}[\s,]+{_PART}\s*(?:[,/]{_PART}\s*)?\)")


def shade(text: str) -> Shade | None:
    """The colour that a value names, and how much it covers; None if it names none that is known here."""
    value = text.strip().lower()
    if len(value) > _LONGEST:
        return None
    if value == "transparent":
        return CLEAR
    if match := _HEX.fullmatch(_NAMES.get(value, value)):
        digits = match[1] if len(match[1]) > 4 else "".join(2 * digit for digit in match[1])
        red, green, blue, covering = (int(digits[at : at + 2] or "ff", 16) for at in (0, 2, 4, 6))
        return red, green, blue, covering / 255
    if match := _FUNCTION.fullmatch(value):
        alpha = min(1.0, max(0.0, _share(match[5] or "1")))
        if match[1] == "hsl":
            return *_from_hsl(_number(match[2]), _number(match[3]) / 100, _number(match[4]) / 100), alpha
        red, green, blue = (_channel(match[group]) for group in (2, 3, 4))
        return red, green, blue, alpha
    return None


def attribute_shade(text: str) -> Shade | None:
    """The colour that an old attribute such as `bgcolor` names; anything but '' and `transparent` names one (WHATWG HTML 2.4.6)."""
    value = text.strip(" \t\n\f\r").lower()
    if not value or value == "transparent":
        return None
    if value in _NAMES:
        return shade(value)
    if len(value) == 4 and value[0] == "#" and _HEX.fullmatch(value):
        return shade(value)
    kept = "".join("00" if ord(char) > 0xFFFF else char for char in value)[:128].removeprefix("#")
    digits = "".join(char if char in "0123456789abcdef" else "0" for char in kept) or "0"
    digits += "0" * (-len(digits) % 3)
    third = len(digits) // 3
    parts = [digits[at : at + third][-8:] for at in (0, third, 2 * third)]
    while len(parts[0]) > 2 and all(part[0] == "0" for part in parts):
        parts = [part[1:] for part in parts]
    red, green, blue = (int(part[:2], 16) for part in parts)
    return red, green, blue, 1.0


def over(top: Shade, bottom: Colour) -> Colour:
    """What is seen where a shade lies on a colour."""
    red, green, blue, share = top
    return (
        round(red * share + bottom[0] * (1 - share)),
        round(green * share + bottom[1] * (1 - share)),
        round(blue * share + bottom[2] * (1 - share)),
    )


def alike(one: Colour, other: Colour) -> bool:
    """Whether a person could not tell the two apart: no channel differs by more than 24 of 255."""
    return abs(one[0] - other[0]) <= NEAR and abs(one[1] - other[1]) <= NEAR and abs(one[2] - other[2]) <= NEAR


def _number(text: str) -> float:
    try:
        return float(text.rstrip("%deg"))
    except ValueError:
        return 0.0


def _share(text: str) -> float:
    return _number(text) / 100 if text.endswith("%") else _number(text)


def _channel(text: str) -> int:
    figure = _number(text) * 2.55 if text.endswith("%") else _number(text)
    return max(0, min(255, round(figure)))


def _from_hsl(hue: float, saturation: float, lightness: float) -> Colour:
    """CSS Color 4, 7.1."""
    strength, light = min(1.0, max(0.0, saturation)), min(1.0, max(0.0, lightness))
    swing = strength * min(light, 1 - light)

    def channel(offset: int) -> int:
        place = (offset + hue / 30) % 12
        return round(255 * (light - swing * max(-1.0, min(place - 3, 9 - place, 1.0))))

    return channel(0), channel(8), channel(4)
