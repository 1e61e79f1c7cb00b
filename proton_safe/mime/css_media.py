"""Which rules of a style sheet a normal screen applies: media queries, judged for a light window of 1,000 by 800 px, one dot a pixel.

Media Queries 4, with three values: what is unknown or no query neither holds nor fails, so that `not` does not make it hold.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from proton_safe.mime.css_lengths import HEIGHT_PX, WIDTH_PX, px

MAX_QUERY_CHARS: Final = 1_000
MAX_NESTING: Final = 8
_NESTED: Final = re.compile(r"[()]|,|\s")
_TYPED: Final = re.compile(r"(?:(not|only) )?(?!(?:and|or|not|only|layer)\b)([a-z-]+)(?: and (.+))?")
_NAME: Final = r"(-?[a-z][a-z0-9-]{0,39})"
_VALUE: Final = r"([^<>=:]{1,60}?)"
_ASKED: Final = re.compile(rf"{_NAME}\s*:\s*{_VALUE}")
_COMPARED: Final = re.compile(rf"{_NAME}\s*([<>]=?|=)\s*{_VALUE}")
_TURNED: Final = re.compile(rf"{_VALUE}\s*([<>]=?|=)\s*{_NAME}(?:\s*([<>]=?)\s*{_VALUE})?")
_WHOLE: Final = re.compile(r"[+-]?[0-9]{1,6}")
_SHARE: Final = re.compile(r"([0-9]{0,6}\.?[0-9]{1,6})(?:\s*/\s*([0-9]{0,6}\.?[0-9]{1,6}))?")
_DOTS: Final = re.compile(r"([0-9]{0,4}\.?[0-9]{1,4})(dppx|x|dpi|dpcm)?")
_PER_PIXEL: Final = {None: 1.0, "dppx": 1.0, "x": 1.0, "dpi": 1 / 96, "dpcm": 1 / 37.8}
_MIRRORED: Final = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "="}
# What a screen of a computer is like, by feature, and what it is not, so that asking for the feature alone fails.
_TRAITS: Final = {
    "prefers-color-scheme": "light",
    "orientation": "landscape",
    "hover": "hover",
    "any-hover": "hover",
    "pointer": "fine",
    "any-pointer": "fine",
    "update": "fast",
    "overflow-block": "scroll",
    "overflow-inline": "scroll",
    "color-gamut": "srgb",
    "dynamic-range": "standard",
    "video-dynamic-range": "standard",
    "display-mode": "browser",
    "-webkit-transform-3d": "1",
}
_LACKS: Final = {
    "prefers-reduced-motion": "no-preference",
    "prefers-contrast": "no-preference",
    "prefers-reduced-transparency": "no-preference",
    "prefers-reduced-data": "no-preference",
    "forced-colors": "none",
    "scripting": "none",
    "grid": "0",
}


def screen_shows(query: str) -> bool:
    """Whether a list of media queries (lower case) applies to the screen; an empty one does. What is unknown does not hold."""
    plain = " ".join(query[:MAX_QUERY_CHARS].split())
    return not plain or any(_query(each.strip()) for each in _split(plain, ","))


def _query(query: str) -> bool:
    typed = _TYPED.fullmatch(query)
    if typed is None:
        return _condition(query, 0) is True
    rest = _all(_split(typed[3], " "), 0) if typed[3] else True
    if rest is None:
        return False
    return (typed[1] == "not") != (typed[2] in {"all", "screen"} and rest)


def _split(text: str, mark: str) -> list[str]:
    """The parts between marks that no parentheses surround."""
    found: list[str] = []
    depth = begin = 0
    for each in _NESTED.finditer(text):
        depth += {"(": 1, ")": -1}.get(each[0], 0)
        if each[0] == mark and depth <= 0:
            found.append(text[begin : each.start()])
            begin = each.end()
    return [*found, text[begin:]]


def _condition(text: str, depth: int) -> bool | None:
    parts = _split(text, " ")
    if any(not part.startswith("(") for part in (parts[1:] if parts[0] == "not" else parts[::2])):
        return None
    if parts[0] == "not":
        inner = _in_parentheses(parts[1], depth) if len(parts) == 2 else None
        return None if inner is None else not inner
    if "or" in parts[1::2]:
        found = [_in_parentheses(part, depth) for part in parts[::2]]
        if any(word != "or" for word in parts[1::2]) or len(parts) % 2 == 0:
            return None
        return True if True in found else None if None in found else False
    return _all(parts, depth)


def _all(parts: list[str], depth: int) -> bool | None:
    """Conditions joined by `and`."""
    if len(parts) % 2 == 0 or any(word != "and" for word in parts[1::2]):
        return None
    found = [_in_parentheses(part, depth) for part in parts[::2]]
    return False if False in found else None if None in found else True


def _in_parentheses(text: str, depth: int) -> bool | None:
    if not text.startswith("(") or not text.endswith(")") or depth == MAX_NESTING:
        return None
    inner = text[1:-1].strip()
    return _condition(inner, depth + 1) if inner.startswith(("(", "not ")) else _feature(inner)


def _feature(text: str) -> bool | None:
    if re.fullmatch(_NAME, text):
        if text in _LACKS or text in {"monochrome", "color-index"}:
            return False
        return True if text in _TRAITS or text in _FIGURES else None
    if match := _ASKED.fullmatch(text):
        return _asked(match[1], match[2].strip())
    if match := _COMPARED.fullmatch(text):
        return _compared(match[1], match[2], match[3].strip())
    if match := _TURNED.fullmatch(text):
        first = _compared(match[3], _MIRRORED[match[2]], match[1].strip())
        second = _compared(match[3], match[4], match[5].strip()) if match[4] else True
        return None if first is None or second is None else first and second
    return None


def _asked(name: str, value: str) -> bool | None:
    known = _TRAITS.get(name) or _LACKS.get(name)
    if known is not None:
        return value == known
    prefix = "-webkit-" if name.startswith("-webkit-") else ""
    least, _, rest = name.removeprefix(prefix).partition("-")
    if least in {"min", "max"}:
        return _compared(prefix + rest, ">=" if least == "min" else "<=", value)
    return _compared(name, "=", value)


def _compared(name: str, operator: str, value: str) -> bool | None:
    if name not in _FIGURES:
        return None
    have, read = _FIGURES[name]
    wanted = read(value)
    if wanted is None:
        return None
    return {"<": have < wanted, "<=": have <= wanted, ">": have > wanted, ">=": have >= wanted, "=": have == wanted}[operator]


def _length(value: str) -> float | None:
    """A length; a figure without a unit is none but for nothing."""
    figure = px(value, 16.0)
    return None if figure is None or (figure and value[-1].isdigit()) else figure


def _whole(value: str) -> float | None:
    return float(value) if _WHOLE.fullmatch(value) else None


def _share(value: str) -> float | None:
    match = _SHARE.fullmatch(value)
    below = float(match[2]) if match and match[2] else 1.0
    return float(match[1]) / below if match and below else None


def _dots(value: str) -> float | None:
    match = _DOTS.fullmatch(value)
    return float(match[1]) * _PER_PIXEL[match[2]] if match else None


_Read = Callable[[str], float | None]
_FIGURES: Final[dict[str, tuple[float, _Read]]] = {
    **dict.fromkeys(("width", "device-width"), (WIDTH_PX, _length)),
    **dict.fromkeys(("height", "device-height"), (HEIGHT_PX, _length)),
    **dict.fromkeys(("aspect-ratio", "device-aspect-ratio"), (WIDTH_PX / HEIGHT_PX, _share)),
    **dict.fromkeys(("resolution", "-webkit-device-pixel-ratio", "device-pixel-ratio"), (1.0, _dots)),
    "color": (8.0, _whole),
    "monochrome": (0.0, _whole),
    "color-index": (0.0, _whole),
}
