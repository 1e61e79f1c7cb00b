"""What `transform`, `scale`, `rotate` and `translate` do to a box (CSS Transforms 1 and 2): made flat, turned away, or moved."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from proton_safe.mime.css_lengths import WIDTH_PX, number, px

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_FUNCTIONS: Final = 20
LEAST_SCALE: Final = 0.15
# What per cent of a box are of: its own width is hardly more than the window's, its height that of one line.
_LINE_PX: Final = 20.0
_FUNCTION: Final = re.compile(r"(?:-webkit-)?([a-z]+(?:3d)?)\(([^()]{0,150}(?:\([^()]{0,60}\)[^()]{0,60}){0,4})\)\s*")
_APART: Final = re.compile(r"[\s,]+(?![^()]*\))")
_ANGLE: Final = re.compile(r"([+-]?[0-9]{0,9}\.?[0-9]{1,9})(deg|grad|rad|turn)?")
_TURN: Final = {"deg": 360.0, "grad": 400.0, "rad": 2 * math.pi, "turn": 1.0}
_AXES: Final = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}

_Matrix = tuple[tuple[float, ...], ...]
_SAME: Final[_Matrix] = ((1.0, 0.0, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0))


@dataclass(frozen=True, slots=True)
class Placed:
    """`flat`: nothing of it can be read; `back`: it shows its back; `right`, `down`: how far it was moved, in px."""

    flat: bool = False
    back: bool = False
    right: float = 0.0
    down: float = 0.0


UNMOVED: Final = Placed()


def is_transform(value: str) -> bool:
    """Whether a browser takes the value for a transform, as far as the names of its functions tell."""
    return value == "none" or bool(_functions(value))


def placed(style: Mapping[str, str], font_px: float) -> Placed:
    """What the four properties do together; functions that are not understood count as none."""
    matrix = _SAME
    if "translate" in style:
        matrix = _after(matrix, _translate("translate3d", style["translate"].split()[:3], font_px))
    if "rotate" in style:
        matrix = _after(matrix, _rotate_property(style["rotate"].split()))
    if "scale" in style:
        matrix = _after(matrix, _scale("scale", style["scale"].split()))
    for name, values in _functions(style.get("transform", "")):
        matrix = _after(matrix, _made(name, values, font_px))
    if matrix is _SAME:
        return UNMOVED
    return Placed(_least(matrix) < LEAST_SCALE, matrix[2][2] < 0, matrix[0][3], matrix[1][3])


def _functions(text: str) -> list[tuple[str, list[str]]]:
    """The functions of a transform and what they are given; none if there is anything else in it."""
    found: list[tuple[str, list[str]]] = []
    at = 0
    while at < len(text):
        match = _FUNCTION.match(text, at)
        if match is None or match[1] not in _KNOWN or len(found) == MAX_FUNCTIONS:
            return []
        found.append((match[1], _APART.split(match[2].strip())))
        at = match.end()
    return found


_KNOWN: Final = frozenset(
    {
        *("matrix", "matrix3d", "perspective", "translate", "translatex", "translatey", "translatez", "translate3d"),
        *(
            "scale",
            "scalex",
            "scaley",
            "scalez",
            "scale3d",
            "rotate",
            "rotatex",
            "rotatey",
            "rotatez",
            "rotate3d",
            "skew",
            "skewx",
            "skewy",
        ),
    }
)


def _made(name: str, values: list[str], font_px: float) -> _Matrix:
    if name.startswith("translate"):
        return _translate(name, values, font_px)
    if name.startswith("scale"):
        return _scale(name, values)
    if name.startswith("rotate"):
        return _rotate(name, values)
    if name.startswith("skew"):
        return _skew(name, values)
    figures = [number(value) for value in values]
    if name == "matrix" and len(figures) == 6:
        a, b, c, d, e, f = (figure or 0.0 for figure in figures)
        return ((a, c, 0.0, e), (b, d, 0.0, f), (0.0, 0.0, 1.0, 0.0))
    if name == "matrix3d" and len(figures) == 16:
        rows = [tuple(figures[row + 4 * column] or 0.0 for column in range(4)) for row in range(3)]
        return tuple(rows)
    return _SAME


def _translate(name: str, values: list[str], font_px: float) -> _Matrix:
    places = {"translatex": (0,), "translatey": (1,), "translatez": ()}.get(name, (0, 1))
    moved = [0.0, 0.0]
    for place, value in zip(places, values, strict=False):
        moved[place] = px(value, font_px, share_of=(WIDTH_PX, _LINE_PX)[place]) or 0.0
    return ((1.0, 0.0, 0.0, moved[0]), (0.0, 1.0, 0.0, moved[1]), _SAME[2])


def _scale(name: str, values: list[str]) -> _Matrix:
    figures = [number(value) for value in values]
    first = figures[0] if figures and figures[0] is not None else 1.0
    second = figures[1] if len(figures) > 1 and figures[1] is not None else first
    x = 1.0 if name in {"scaley", "scalez"} else first
    y = 1.0 if name in {"scalex", "scalez"} else first if name == "scaley" else second
    return ((x, 0.0, 0.0, 0.0), (0.0, y, 0.0, 0.0), _SAME[2])


def _rotate_property(words: list[str]) -> _Matrix:
    if not words:
        return _SAME
    if len(words) == 4:
        return _rotate("rotate3d", words)
    return _rotate(f"rotate{words[0]}" if len(words) == 2 else "rotate", words[-1:])


def _rotate(name: str, values: list[str]) -> _Matrix:
    """A turn round an axis through the middle."""
    axis = tuple(number(value) or 0.0 for value in values[:3]) if name == "rotate3d" else _AXES.get(name[6:], _AXES["z"])
    length = math.hypot(*axis)
    angle = _angle(values[-1])
    if len(axis) != 3 or not length or angle is None:
        return _SAME
    x, y, z = (share / length for share in axis)
    cos, sin = math.cos(angle), math.sin(angle)
    rest = 1 - cos
    return (
        (cos + x * x * rest, x * y * rest - z * sin, x * z * rest + y * sin, 0.0),
        (y * x * rest + z * sin, cos + y * y * rest, y * z * rest - x * sin, 0.0),
        (z * x * rest - y * sin, z * y * rest + x * sin, cos + z * z * rest, 0.0),
    )


def _skew(name: str, values: list[str]) -> _Matrix:
    tangents = [math.tan(_angle(value) or 0.0) for value in values[:2]]
    x, y = (0.0, tangents[0]) if name == "skewy" else (tangents[0], tangents[1] if len(tangents) > 1 else 0.0)
    return ((1.0, x, 0.0, 0.0), (y, 1.0, 0.0, 0.0), _SAME[2])


def _angle(text: str) -> float | None:
    match = _ANGLE.fullmatch(text)
    return float(match[1]) / _TURN[match[2] or "deg"] * 2 * math.pi if match else None


def _after(one: _Matrix, other: _Matrix) -> _Matrix:
    """The two put together, `other` being done first."""
    if one is _SAME or other is _SAME:
        return other if one is _SAME else one
    return tuple(
        tuple(sum(row[at] * other[at][column] for at in range(3)) + (row[3] if column == 3 else 0.0) for column in range(4)) for row in one
    )


def _least(matrix: _Matrix) -> float:
    """The smaller of the two singular values of what is seen from the front."""
    (a, c), (b, d) = matrix[0][:2], matrix[1][:2]
    squares = a * a + b * b + c * c + d * d
    area = a * d - b * c
    larger = math.sqrt((squares + math.sqrt(max(0.0, squares * squares - 4 * area * area))) / 2)
    return abs(area) / larger if larger else 0.0
