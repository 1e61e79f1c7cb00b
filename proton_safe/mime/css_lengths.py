"""Lengths and numbers of CSS worked out: units, `calc()`, `min()`, `max()` and `clamp()` (CSS Values 4), in a window of 1,000 by 800 px."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

WIDTH_PX: Final = 1_000.0
HEIGHT_PX: Final = 800.0
MAX_DEPTH: Final = 8
_NUMBER: Final = r"[+-]?(?:[0-9]{1,40}(?:\.[0-9]{0,40})?|\.[0-9]{1,40})(?:e[+-]?[0-9]{1,2})?"
_PLAIN: Final = re.compile(rf"({_NUMBER})([a-z]{{1,5}}|%)?")
_TOKEN: Final = re.compile(rf"\s*(?:({_NUMBER})([a-z]{{1,5}}|%)?|(calc|min|max|clamp|)\(|([-+*/,)]))\s*")
_UNIT_PX: Final[Mapping[str, float]] = {
    **dict.fromkeys(("", "px"), 1.0),
    "pt": 4 / 3,
    "rem": 16.0,
    "rex": 8.0,
    "rch": 8.0,
    "rcap": 11.0,
    "ric": 16.0,
    "rlh": 18.0,
    "in": 96.0,
    "cm": 37.8,
    "mm": 3.78,
    "pc": 16.0,
    "q": 0.945,
    **dict.fromkeys(("vw", "svw", "lvw", "dvw", "vi", "svi", "lvi", "dvi"), WIDTH_PX / 100),
    **dict.fromkeys(("vh", "svh", "lvh", "dvh", "vb", "svb", "lvb", "dvb"), HEIGHT_PX / 100),
    **dict.fromkeys(("vmin", "svmin", "lvmin", "dvmin"), HEIGHT_PX / 100),
    **dict.fromkeys(("vmax", "svmax", "lvmax", "dvmax"), WIDTH_PX / 100),
    **dict.fromkeys(("cqw", "cqi", "cqmax"), WIDTH_PX / 100),
    **dict.fromkeys(("cqh", "cqb", "cqmin"), HEIGHT_PX / 100),
}
_OF_FONT: Final[Mapping[str, float]] = {"em": 1.0, "ex": 0.5, "ch": 0.5, "cap": 0.7, "ic": 1.0, "lh": 1.2}


def px(text: str | None, font_px: float, *, share_of: float | None = None) -> float | None:
    """A length in pixels; None for what is none. `font_px` is what em is of, `share_of` what per cent are of (the font, if not said)."""
    if not text:
        return None
    whole = font_px if share_of is None else share_of
    match = _PLAIN.fullmatch(text)
    if match is not None:
        return _in_px(match[1], match[2] or "", font_px, whole)
    return _Calculation(text, lambda figure, unit: _in_px(figure, unit, font_px, whole)).result() if "(" in text else None


def number(text: str) -> float | None:
    """A figure without a unit, or a share in per cent, which is a hundredth; None for anything else."""
    return _Calculation(text, _figure).result()


def _in_px(figure: str, unit: str, font_px: float, share_of: float) -> float | None:
    if unit == "%":
        return float(figure) * share_of / 100
    if unit in _OF_FONT:
        return float(figure) * _OF_FONT[unit] * font_px
    return float(figure) * _UNIT_PX[unit] if unit in _UNIT_PX else None


def _figure(figure: str, unit: str) -> float | None:
    return float(figure) / (100 if unit == "%" else 1) if unit in {"", "%"} else None


class _Unfit(Exception):
    """The text is no calculation of numbers."""


class _Calculation:
    """One text, read from the left to the right; every token is looked at once, functions are at most 8 deep."""

    def __init__(self, text: str, value: Callable[[str, str], float | None]) -> None:
        self._text = text
        self._value = value
        self._at = 0
        self._depth = 0

    def result(self) -> float | None:
        """What comes of it; None if it is not understood."""
        self._at = self._depth = 0
        try:
            found = self._operand()
        except (_Unfit, ZeroDivisionError, OverflowError):
            return None
        return found if self._at == len(self._text) else None

    def _token(self) -> re.Match[str]:
        match = _TOKEN.match(self._text, self._at)
        if match is None:
            raise _Unfit
        self._at = match.end()
        return match

    def _operand(self) -> float:
        token = self._token()
        if token[1] is not None:
            figure = self._value(token[1], token[2] or "")
            if figure is None:
                raise _Unfit
            return figure
        if token[3] is None or self._depth == MAX_DEPTH:
            raise _Unfit
        self._depth += 1
        found = [self._sum()]
        while (mark := self._token()[4]) == ",":
            found.append(self._sum())
        if mark != ")":
            raise _Unfit
        self._depth -= 1
        return _called(token[3], found)

    def _sum(self) -> float:
        total = self._product()
        while (mark := self._mark("+-")) is not None:
            total += self._product() if mark == "+" else -self._product()
        return total

    def _product(self) -> float:
        total = self._operand()
        while (mark := self._mark("*/")) is not None:
            other = self._operand()
            total = total * other if mark == "*" else total / other
        return total

    def _mark(self, wanted: str) -> str | None:
        """The next token if it is one of these marks."""
        match = _TOKEN.match(self._text, self._at)
        if match is None or match[4] is None or match[4] not in wanted:
            return None
        self._at = match.end()
        return match[4]


def _called(name: str, found: list[float]) -> float:
    if name == "min":
        return min(found)
    if name == "max":
        return max(found)
    if name == "clamp" and len(found) == 3:
        return max(found[0], min(found[1], found[2]))
    if len(found) != 1 or name == "clamp":
        raise _Unfit
    return found[0]
