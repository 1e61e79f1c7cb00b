"""Ink and paper: the colour of letters, what lies behind them, and how much of both is seen (CSS Color 4, CSS Backgrounds 3)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from proton_safe.mime.colours import BLACK, LINK_BLUE, Colour, Shade, alike, attribute_shade, over, shade
from proton_safe.mime.css_lengths import number, px

if TYPE_CHECKING:
    from collections.abc import Mapping

    from proton_safe.mime.css_properties import Declarations

MIN_OPACITY: Final = 0.05
MAX_BLUR_PX: Final = 3.0
_OPACITY: Final = re.compile(r"opacity\(\s*([0-9.]{1,8}%?)\s*\)|alpha\(\s*opacity\s*=\s*([0-9]{1,3})\s*\)")
_BLUR: Final = re.compile(r"blur\(\s*([^()]{1,20})\)")
# Elements that take the old attributes `bgcolor` and `background`.
_PAPERED: Final = frozenset({"body", "table", "thead", "tbody", "tfoot", "tr", "td", "th", "marquee"})
_PICTURE: Final = re.compile(r"url\(|gradient\(|image-set\(|cross-fade\(|element\(|paint\(|image\(")
_GRADIENT: Final = re.compile(r"(?:repeating-)?(?:linear|radial|conic)-gradient\(((?:[^()]|\([^()]*\))*)\)")
_STOP: Final = re.compile(r"#[0-9a-f]{3,8}|[a-z-]+\([^()]*\)|[a-z-]+")
_NO_COLOUR: Final = frozenset(
    {
        *("to", "at", "in", "deg", "rad", "grad", "turn", "top", "bottom", "left", "right", "center", "circle", "ellipse", "from"),
        *("px", "em", "rem"),
    }
)
_SHADOW: Final = re.compile(r"(?:#[0-9a-f]{3,8}|[a-z]+\([^()]*\)|[^\s,()]+)")


def share_seen(style: Declarations) -> float:
    """How much of an element is seen by its opacity and filters, from 0 to 1; all of it when they are not understood."""
    share = 1.0
    if "opacity" in style:
        figure = number(style["opacity"])
        share = 1.0 if figure is None else min(1.0, max(0.0, figure))
    if "filter" in style:
        for match in _OPACITY.finditer(style["filter"]):
            figure = number(match[1] or f"{match[2]}%")
            share *= 1.0 if figure is None else min(1.0, max(0.0, figure))
    return share


def blurred(style: Declarations) -> bool:
    """Whether a filter blurs letters so much that they can't be read."""
    return "filter" in style and any((px(match[1].strip(), 16.0) or 0.0) > MAX_BLUR_PX for match in _BLUR.finditer(style["filter"]))


def ink_of(around: Shade, link: Shade, name: str, attributes: Mapping[str, str | None], style: Declarations) -> Shade:
    """The colour of letters in an element; `around`: of those it stands among, `link`: of links without a colour of their own."""
    declared = style.get("-webkit-text-fill-color") or style.get("color") or ""
    if not declared and name in {"font", "basefont", "body"}:
        named = attribute_shade(attributes.get("text" if name == "body" else "color") or "")
        if named is not None:
            return named
    if declared in {"initial", "unset"} or (not declared and name == "mark"):
        return (*BLACK, 1.0) if declared != "unset" else around
    if not declared and name == "a" and attributes.get("href"):
        return link
    return shade(declared) or around


def filling(ink: Shade, paper: Colour | None) -> Shade:
    """What letters show that are filled with their own background."""
    return (*over(ink, paper), 1.0) if paper is not None else (*LINK_BLUE, 1.0) if ink[3] < 1 - MIN_OPACITY else ink


def outlined(style: Declarations, paper: Colour | None, *, around: bool) -> bool:
    """Whether letters have a shadow or an outline that shows them whatever their own colour is; `around`: those outside have."""
    drawn = around
    shadow, stroke = style.get("text-shadow"), style.get("text-stroke")
    if shadow is not None and shadow != "inherit":
        drawn = any(_drawn(each, paper, near=20.0) for each in _parted(shadow))
    return drawn or (stroke is not None and _drawn(stroke, paper, near=20.0))


def _parted(shadows: str) -> list[str]:
    return re.split(r",(?![^()]*\))", shadows)[:8]


def _drawn(text: str, paper: Colour | None, *, near: float) -> bool:
    """Whether one shadow or outline has a colour that is seen, and lies so near and sharp that it shows letters."""
    words = _SHADOW.findall(text)
    sizes = [size for size in (px(word, 16.0) for word in words) if size is not None]
    found = next((each for each in map(shade, words) if each is not None), None)
    if found is None or max(map(abs, sizes), default=0.0) > near or (len(sizes) > 2 and sizes[2] > MAX_BLUR_PX):
        return False
    if len(sizes) < 2 and not any(sizes):
        return False
    return found[3] > 0.3 and (paper is None or not alike(over(found, paper), paper))


def paper_of(around: Colour | None, attributes: Mapping[str, str | None], style: Declarations, *, name: str) -> Colour | None:
    """The colour behind letters in an element; `around`: behind the element. None: a picture, or not known."""
    paper: Colour | None = (255, 255, 0) if name == "mark" else around
    papered = name in _PAPERED
    if papered and attributes.get("bgcolor"):
        paper = _laid(attribute_shade(attributes["bgcolor"] or ""), paper)
    image = style.get("background-image", "")
    if (papered and attributes.get("background")) or _PICTURE.search(image):
        even = _even(image)
        return None if even is None else _laid(even, paper)
    declared = style.get("background-color")
    if declared:
        whole = shade(declared)
        paper = _laid(whole or next((found for found in map(shade, declared.split()) if found), None), paper)
    return paper


def _even(image: str) -> Shade | None:
    """The colour of a gradient that has only one; None for any other picture."""
    match = _GRADIENT.fullmatch(image.strip())
    if match is None:
        return None
    shades = [shade(word) for word in _STOP.findall(match[1]) if word not in _NO_COLOUR]
    first = shades[0] if shades else None
    if first is None or any(each is None or each[3] != first[3] or not alike(each[:3], first[:3]) for each in shades):
        return None
    return first


def _laid(found: Shade | None, paper: Colour | None) -> Colour | None:
    """A paper with a colour laid on it; unknown as long as what is below is unknown and shines through."""
    if found is None:
        return paper
    if paper is None:
        return (found[0], found[1], found[2]) if found[3] > 1 - MIN_OPACITY else None
    return over(found, paper)
