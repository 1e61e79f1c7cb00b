"""Boxes that show nothing: those without size that cut off what does not fit, and those beside every window (CSS 2.2, 9 to 11)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from proton_safe.mime.css_lengths import HEIGHT_PX, WIDTH_PX, px

if TYPE_CHECKING:
    from proton_safe.mime.css_properties import Declarations

MIN_BOX_PX: Final = 4.0
"""A box of this height, or of half this width, shows nothing that can be read."""
FAR_PX: Final = 1_000.0
FAR_AHEAD_PX: Final = 2_000.0
PLACED_FAR_PX: Final = 200.0
"""A box that is placed, or a first line, ends before the window when it is moved so far before its place, unless it is long."""
PLACED: Final = frozenset({"absolute", "fixed"})
"""Positions that take a box out of its place."""
# Elements that take the width of what they hold, whatever width they are given.
_WIDTH_LESS: Final = frozenset(
    {"a", "abbr", "b", "em", "font", "i", "label", "small", "span", "strong", "sub", "sup", "table", "tbody", "td", "th", "tr", "u"}
)
_TABLE: Final = frozenset({"table", "tbody", "td", "tfoot", "th", "thead", "tr"})
_CUTTING: Final = ("hidden", "clip", "auto", "scroll", "overlay")


def flat_box(name: str, style: Declarations) -> bool:
    """A box without height or width that cuts off what does not fit; one without width even where it does not."""
    if px(style.get("width"), 16.0) == 0.0 and name not in _WIDTH_LESS and not (px(style.get("min-width"), 16.0) or 0.0):
        return True
    contained = style.get("contain", "")
    cutting = "strict" in contained or "paint" in contained or "content" in contained
    # One direction that scrolls or hides makes the other scroll, too (CSS Overflow 3.1); only `clip` stays alone.
    across, down = style.get("overflow-x", ""), style.get("overflow-y", "")
    both = cutting or any(way.startswith(_CUTTING) and way != "clip" for way in (across, down))
    if ("strict" in contained or ("size" in contained and both)) and not (
        {"height", "min-height", "contain-intrinsic-size"} & style.keys()
    ):
        return True
    for cut, sizes, least in (
        (both or down == "clip", ("max-height", "height"), MIN_BOX_PX),
        (both or across == "clip", ("max-width", "width"), MIN_BOX_PX / 2),
    ):
        if cut and (name not in _TABLE or style.get("display")) and (_size(style, sizes[0].replace("max", "min")) or 0.0) <= least:
            known = [size for size in (_size(style, side) for side in sizes) if size is not None]
            if any(0.0 <= size <= least for size in known):
                return True
    line = px(style.get("line-height"), 16.0) if both else None
    if line is None:
        return False
    # Letters stand in the middle of their line: of a line much higher than its box they are cut off.
    height = px(style.get("height"), 16.0, share_of=FAR_PX)
    return 0.0 < line <= MIN_BOX_PX / 2 or (height is not None and (line - 16.0) / 2 >= height)


def _size(style: Declarations, side: str) -> float | None:
    """A width or a height; per cent are of a box whose size is not known, so that only none of it is nothing."""
    return px(style.get(side), 16.0, share_of=WIDTH_PX)


def beside(style: Declarations, position: str, font_px: float) -> bool:
    """Whether a box is moved out of sight by its margin or its place; `font_px`: the size of letters around it."""
    left, top, right, bottom = (
        px(style.get(side), font_px, share_of=share_of)
        for side, share_of in (("left", WIDTH_PX), ("top", HEIGHT_PX), ("right", WIDTH_PX), ("bottom", HEIGHT_PX))
    )
    margin = px(style.get("margin-left"), font_px, share_of=WIDTH_PX) or 0.0
    if position == "relative":
        # Of two opposite sides the left and the upper one hold.
        right_by, down_by = left if left is not None else -(right or 0.0), top if top is not None else -(bottom or 0.0)
        margin += right_by
        if down_by <= -FAR_PX or down_by >= FAR_AHEAD_PX * 5:
            return True
    elif position in PLACED:
        if _placed_away(left, right, margin, WIDTH_PX if position == "fixed" else FAR_AHEAD_PX, WIDTH_PX):
            return True
        if _placed_away(top, bottom, px(style.get("margin-top"), font_px) or 0.0, HEIGHT_PX if position == "fixed" else 5_000.0, HEIGHT_PX):
            return True
        return margin <= -FAR_PX and left is None
    return margin <= -(FAR_PX - PLACED_FAR_PX) or margin >= FAR_AHEAD_PX


def _placed_away(near: float | None, far: float | None, margin: float, ahead: float, window: float) -> bool:
    """Whether a placed box lies outside: `near` from the left or upper edge, or `far` from the other one, which ends it."""
    if near is not None:
        return near + margin <= -PLACED_FAR_PX or near + margin >= ahead
    return far is not None and (far >= window or far <= -(PLACED_FAR_PX if ahead == window else FAR_PX))
