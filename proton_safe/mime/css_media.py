"""Which rules of a style sheet a normal screen applies: media queries, judged for a light window of 1,000 by 800 px, one dot a pixel."""

from __future__ import annotations

import re
from typing import Final

from proton_safe.mime.css_lengths import HEIGHT_PX, WIDTH_PX

MAX_QUERY_CHARS: Final = 1_000
_FEATURE: Final = re.compile(r"\(\s*([a-z-]{1,40})\s*(?:(:|>=|<=|>|<|=)\s*([^()]{1,40}))?\)")
_LENGTH: Final = re.compile(r"([0-9]{0,7}\.?[0-9]{1,7})\s*(px|em|rem|pt|in|cm|mm)?")
_PX: Final = {"px": 1.0, "em": 16.0, "rem": 16.0, "pt": 4 / 3, "in": 96.0, "cm": 37.8, "mm": 3.78, None: 1.0}
_RATIO: Final = re.compile(r"([0-9]{1,4}(?:\.[0-9]{1,4})?)\s*(?:dppx|x)?|([0-9]{1,4})dpi")
# What a screen of a computer is like, by feature.
_TRAITS: Final = {
    "prefers-color-scheme": "light",
    "prefers-reduced-motion": "no-preference",
    "prefers-contrast": "no-preference",
    "orientation": "landscape",
    "hover": "hover",
    "any-hover": "hover",
    "pointer": "fine",
    "any-pointer": "fine",
    "scripting": "none",
    "forced-colors": "none",
    "display-mode": "browser",
}


def screen_shows(query: str) -> bool:
    """Whether a list of media queries (lower case) applies to the screen; an empty one does. What is unknown does not hold."""
    lists = query[:MAX_QUERY_CHARS].split(",")
    return not query.strip() or any(_holds(" ".join(each.split())) for each in lists)


def _holds(query: str) -> bool:
    negated = query.startswith("not ")
    rest = query.removeprefix("not ").removeprefix("only ")
    conditions = rest.split(" and ")
    return negated != all(_condition(condition.strip()) for condition in conditions)


def _condition(condition: str) -> bool:
    if not condition.startswith("("):
        return condition in {"all", "screen"}
    match = _FEATURE.fullmatch(condition)
    if match is None:
        return False
    name, operator, value = match[1], match[2], (match[3] or "").strip()
    if operator is None:
        return name in {"color", "width", "height", "hover", "pointer", "any-hover", "any-pointer"}
    if name in _TRAITS:
        return value == _TRAITS[name]
    if "pixel-ratio" in name or name.endswith("resolution"):
        return _resolution(name, value)
    side, _, measure = name.rpartition("-")
    return _measured(side.removeprefix("device").rstrip("-"), measure, operator, value)


def _measured(side: str, measure: str, operator: str, value: str) -> bool:
    length = _LENGTH.fullmatch(value)
    if measure not in {"width", "height"} or length is None:
        return False
    have, asked = WIDTH_PX if measure == "width" else HEIGHT_PX, float(length[1]) * _PX[length[2]]
    if side in {"min", "min-device"} or operator in {">=", ">"}:
        return have >= asked
    if side in {"max", "max-device"} or operator in {"<=", "<"}:
        return have <= asked
    return have == asked


def _resolution(name: str, value: str) -> bool:
    match = _RATIO.fullmatch(value)
    if match is None:
        return False
    asked = float(match[1]) if match[1] else float(match[2]) / 96
    return asked <= 1 if "min" in name else asked >= 1 if "max" in name else asked == 1
