"""Whether `clip` or `clip-path` leaves so little of a box that nothing in it can be read (CSS Masking 1, CSS Shapes 1)."""

from __future__ import annotations

import re
from typing import Final

from proton_safe.mime.css_lengths import WIDTH_PX, px

LEAST_PX: Final = 3.0
LEAST_AREA_PX: Final = 60.0
MAX_INSET_PX: Final = 300.0
# Per cent of a height are of one line, of which less than a fifth can't be read.
_LINE_PX: Final = 20.0
_MAX_INSET_SHARE: Final = 79.0
_SHAPE: Final = re.compile(r"(rect|inset|circle|ellipse|polygon|xywh)\(([^()]{0,190})\)")
_APART: Final = re.compile(r"[\s,]+")
_FONT_PX: Final = 16.0


def nothing_left(clip: str) -> bool:
    """Whether a value of `clip` or `clip-path` cuts away all; False for what is not understood."""
    match = _SHAPE.match(clip)
    return match is not None and _LEFT[match[1]](match[2].strip())


def _rect(text: str) -> bool:
    """The edges top, right, bottom and left, from the upper left corner; `auto` is the box's own."""
    edges = _APART.split(text.partition("round")[0].strip())
    if len(edges) != 4:
        return False
    top, right, bottom, left = (_length(edge) for edge in edges)
    return _narrow(top, bottom) or _narrow(left, right)


def _narrow(near: float | None, far: float | None) -> bool:
    return far is not None and (far <= LEAST_PX or far - (near or 0.0) <= LEAST_PX)


def _inset(text: str) -> bool:
    """Distances from the four edges, as `margin` has them."""
    values = _APART.split(text.partition("round")[0].strip())[:4]
    top, right, bottom, left = (values * 4)[:4] if len(values) != 3 else [*values, values[1]]
    for pair in ((top, bottom), (left, right)):
        share = sum(_length(value, 100.0) or 0.0 for value in pair if value.endswith("%"))
        length = sum(_length(value) or 0.0 for value in pair if not value.endswith("%"))
        if share >= _MAX_INSET_SHARE or length >= MAX_INSET_PX:
            return True
    return False


def _round(text: str) -> bool:
    """A radius, or two, and where the middle is."""
    radii, _, place = text.partition("at ")
    sizes = [size for size in (_length(radius) for radius in radii.split()) if size is not None]
    if sizes and min(sizes) < LEAST_PX:
        return True
    return bool(sizes) and any(middle is not None and middle < -max(sizes) for middle in map(_length, place.split()[:2]))


def _polygon(text: str) -> bool:
    corners = [corner.split() for corner in text.removeprefix("evenodd").removeprefix("nonzero").lstrip(" ,").split(",")]
    points = [(_length(corner[0], WIDTH_PX), _length(corner[1], _LINE_PX)) for corner in corners if len(corner) == 2]
    known = [(x, y) for x, y in points if x is not None and y is not None]
    if not known or len(known) != len(corners):
        return False
    if max(x for x, _ in known) <= 0 or max(y for _, y in known) <= 0:
        return True
    twice = sum(x * known[at - 1][1] - known[at - 1][0] * y for at, (x, y) in enumerate(known))
    return abs(twice) / 2 < LEAST_AREA_PX


def _sized(text: str) -> bool:
    """Where the box begins, its width and its height."""
    values = [_length(value) for value in _APART.split(text)[:4]]
    return len(values) == 4 and any(size is not None and size <= LEAST_PX for size in values[2:])


def _length(text: str, share_of: float = WIDTH_PX) -> float | None:
    return px(text, _FONT_PX, share_of=share_of)


_LEFT: Final = {"rect": _rect, "inset": _inset, "circle": _round, "ellipse": _round, "polygon": _polygon, "xywh": _sized}
