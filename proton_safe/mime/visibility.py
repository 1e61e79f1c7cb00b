"""Whether a person would see the text of an HTML element, by its style, its attributes and those around it.

Layout is not computed. Not judged, so that such text counts as visible: pictures behind text, elements that lie over others (`z-index`),
text cut off by a box that shows something, `letter-spacing`, blend modes, the table colours of pages without a doctype, `mso-`
properties (Outlook's own), and what `mime.css` does not evaluate. Closed `<details>` and lists of choices (a click opens them) and
`aria-hidden` text (people see it) are visible. How far is far, is said for a window of 1,000 by 800 px.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal

from proton_safe.mime.colours import BLACK, LINK_BLUE, WHITE, Colour, Shade, alike, attribute_shade, over, shade
from proton_safe.mime.css_clip import nothing_left
from proton_safe.mime.css_lengths import HEIGHT_PX, WIDTH_PX, number, px
from proton_safe.mime.css_transform import placed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from proton_safe.mime.css_properties import Declarations

HiddenKind = Literal[
    "display-none",
    "visibility",
    "zero-size",
    "zero-opacity",
    "off-screen",
    "same-colour",
    "hidden-attribute",
    "not-rendered",
    "comment",
    "code",
    "attribute",
]

MIN_FONT_PX: Final = 3.0
MIN_OPACITY: Final = 0.05
MIN_BOX_PX: Final = 4.0
"""A box of this height, or of half this width, shows nothing that can be read."""
MAX_BLUR_PX: Final = 3.0
FAR_PX: Final = 1_000.0
FAR_AHEAD_PX: Final = 2_000.0
PLACED_FAR_PX: Final = 200.0
"""A box that is placed, or a first line, ends before the window when it is moved so far before its place, unless it is long."""
_OPACITY: Final = re.compile(r"opacity\(\s*([0-9.]{1,8}%?)\s*\)|alpha\(\s*opacity\s*=\s*([0-9]{1,3})\s*\)")
_BLUR: Final = re.compile(r"blur\(\s*([^()]{1,20})\)")
_FONT_STEP: Final = re.compile(r"\s*[+-]?[0-9]")
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
# Elements and attributes that change a look without any style.
_TELLING_ELEMENTS: Final = frozenset(
    {"a", "body", "dialog", "font", "pre", "textarea", "xmp", "plaintext", "listing", "mark", "basefont", "rp"}
)
_TELLING_ATTRIBUTES: Final = frozenset({"hidden", "popover", "bgcolor", "background"})
_PREFORMATTED: Final = frozenset({"pre", "textarea", "xmp", "plaintext", "listing"})
# Elements that take the width of what they hold, whatever width they are given.
_WIDTH_LESS: Final = frozenset(
    {"a", "abbr", "b", "em", "font", "i", "label", "small", "span", "strong", "sub", "sup", "table", "tbody", "td", "th", "tr", "u"}
)
_INHERITED: Final = frozenset({"inherit", "unset", "currentcolor", "revert", "initial"})
# Elements that stand in a line unless a style says otherwise: size, turning and scaling do nothing to them.
_IN_LINE: Final = frozenset(
    {
        *("a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "dfn", "del", "em", "font", "i", "ins", "kbd", "label", "mark"),
        *("nobr", "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u", "var"),
    }
)
_BLOCKS: Final = frozenset(
    {
        *("address", "article", "aside", "blockquote", "center", "dd", "details", "dir", "div", "dl", "dt", "fieldset", "figure", "footer"),
        *("form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "li", "main", "menu", "nav", "ol", "p", "pre", "section", "table", "ul"),
    }
)
_TABLE: Final = frozenset({"table", "tbody", "td", "tfoot", "th", "thead", "tr"})
_NO_BOX: Final = frozenset({"inline", "contents"})
_NOT_DISPLAYED: Final = frozenset({"none", "table-column", "table-column-group"})
_PLACED: Final = frozenset({"absolute", "fixed"})
_CUTTING: Final = ("hidden", "clip", "auto", "scroll", "overlay")


@dataclass(frozen=True, slots=True)
class Look:
    """What an element hands down: `hidden` is final for all that is inside; the rest can be overruled by a descendant."""

    hidden: HiddenKind | None = None
    invisible: bool = False
    font_px: float = 16.0
    flat: bool = False
    root_px: float = 16.0
    ink: Shade = (*BLACK, 1.0)
    link: Shade = (*LINK_BLUE, 1.0)
    paper: Colour | None = WHITE
    block_paper: Colour | None = WHITE
    """What lies behind a block in here: the background of what stands in a line does not go on behind it."""
    opacity: float = 1.0
    zoom: float = 1.0
    outlined: bool = False
    masked: bool = False
    preformatted: bool = False
    unwrapped: bool = False
    boxes: bool = False
    """Whether each child becomes a box of its own, as in a flexible box or a grid."""
    kind: HiddenKind | None = None
    """How text directly in this element is hidden; None if a person sees it. Derived from the others."""


def look_of(around: Look, name: str, attributes: Mapping[str, str | None], style: Declarations) -> Look:
    """The look of an element inside one with the look `around`."""
    if around.hidden is not None:
        return around
    if not style and name not in _TELLING_ELEMENTS and attributes.keys().isdisjoint(_TELLING_ATTRIBUTES):
        if around.paper != around.block_paper and name in _BLOCKS:
            look = replace(around, paper=around.block_paper, boxes=False, kind=None)
            return replace(look, kind=_kind(look))
        return replace(around, boxes=False) if around.boxes else around
    opacity = around.opacity * _opacity(style)
    hidden = _removed(around, name, attributes, style) or ("zero-opacity" if opacity < MIN_OPACITY or _blurred(style) else None)
    if hidden is not None:
        return replace(around, hidden=hidden, kind=hidden)
    visibility = style.get("visibility", "")
    in_line = _in_line(around, name, style)
    paper = _paper(around.block_paper if name in _BLOCKS and not in_line else around.paper, attributes, style, name=name)
    ink = _ink(around, name, attributes, style)
    filled = style.get("background-clip") == "text"
    look = Look(
        invisible=visibility in {"hidden", "collapse"} if visibility and visibility not in _INHERITED else around.invisible,
        font_px=(font_px := _font(around, attributes, style, name=name)),
        root_px=font_px if name == "html" else around.root_px,
        flat=_flat(around, style),
        link=(attribute_shade(attributes.get("link") or "") or around.link) if name == "body" else around.link,
        ink=_filling(ink, paper) if filled else ink,
        paper=around.paper if filled else paper,
        block_paper=around.block_paper if in_line or filled else paper,
        opacity=opacity,
        zoom=around.zoom * _zoom(style),
        outlined=_outlined(around, style, paper),
        masked=_masked(around, style),
        preformatted=_preformatted(around, name, style),
        unwrapped=_unwrapped(around, style),
        boxes=style.get("display", "").endswith(("flex", "grid")),
    )
    kind = _kind(look)
    return look if kind is None else replace(look, kind=kind)


def _kind(look: Look) -> HiddenKind | None:
    if look.invisible or look.masked:
        return "visibility"
    if look.font_px * look.zoom < MIN_FONT_PX or look.flat:
        return "zero-size"
    if look.outlined:
        return None
    if look.ink[3] < MIN_OPACITY or (look.paper is not None and alike(over(look.ink, look.paper), look.paper)):
        return "same-colour"
    return None


def _removed(around: Look, name: str, attributes: Mapping[str, str | None], style: Declarations) -> HiddenKind | None:
    """How the element and all that is in it is taken out of sight."""
    display = style.get("display", "")
    if display in _NOT_DISPLAYED or (name == "dialog" and "open" not in attributes and not display):
        return "display-none"
    if not display and (name == "rp" or "hidden" in attributes or "popover" in attributes):
        return "not-rendered" if name == "rp" else "hidden-attribute"
    if not style:
        return None
    position = style.get("position", "")
    if nothing_left(style.get("clip-path", "")) or (position in _PLACED and nothing_left(style.get("clip", ""))):
        return "zero-size"
    if _in_line(around, name, style):
        return "off-screen" if _beside(style, position, around.font_px) else None
    if style.get("content-visibility") == "hidden":
        return "visibility"
    place = placed(style, around.font_px)
    if place.flat or (place.back and style.get("backface-visibility") == "hidden") or _flat_box(name, style) or _zoom(style) == 0.0:
        return "zero-size"
    far = min(place.right, place.down) <= -FAR_PX or max(place.right, place.down) >= FAR_AHEAD_PX
    return "off-screen" if far or _away(around, style, position) else None


def _in_line(around: Look, name: str, style: Declarations) -> bool:
    """Whether an element has no box of its own that could be sized, turned or cut."""
    if around.boxes or style.get("float", "none") in {"left", "right"} or style.get("position", "") in _PLACED:
        return False
    display = style.get("display", "")
    return display in _NO_BOX if display and display not in _INHERITED else name in _IN_LINE or ":" in name or "-" in name


def _opacity(style: Declarations) -> float:
    share = 1.0
    if "opacity" in style:
        figure = number(style["opacity"])
        share = 1.0 if figure is None else min(1.0, max(0.0, figure))
    if "filter" in style:
        for match in _OPACITY.finditer(style["filter"]):
            figure = number(match[1] or f"{match[2]}%")
            share *= 1.0 if figure is None else min(1.0, max(0.0, figure))
    return share


def _blurred(style: Declarations) -> bool:
    return "filter" in style and any((px(match[1].strip(), 16.0) or 0.0) > MAX_BLUR_PX for match in _BLUR.finditer(style["filter"]))


def _zoom(style: Declarations) -> float:
    figure = number(style["zoom"]) if "zoom" in style else None
    return 1.0 if figure is None else max(0.0, figure)


def _flat_box(name: str, style: Declarations) -> bool:
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


def _away(around: Look, style: Declarations, position: str) -> bool:
    """Moved so far that no window shows it, and no scrolling a little: before its place, or far behind it."""
    font_px = around.font_px
    indent = px(style.get("text-indent"), font_px, share_of=WIDTH_PX) or 0.0
    if indent <= -PLACED_FAR_PX or indent >= FAR_AHEAD_PX:
        return True
    if indent >= WIDTH_PX and _unwrapped(around, style) and style.get("overflow-x", "visible") != "visible":
        return True
    if (px(style.get("padding-left"), font_px, share_of=WIDTH_PX) or 0.0) >= FAR_AHEAD_PX:
        return True
    return (px(style.get("margin-top"), font_px) or 0.0) <= -FAR_PX or _beside(style, position, font_px)


def _beside(style: Declarations, position: str, font_px: float) -> bool:
    """Moved out of sight by its margin or its place."""
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
    elif position in _PLACED:
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


def _font(look: Look, attributes: Mapping[str, str | None], style: Declarations, *, name: str) -> float:
    around = look.font_px
    declared = style.get("font-size")
    if declared is None:
        # Sizes of the font element go from 1 (10 px) to 7, whatever stands around it.
        return 13.0 if name == "font" and _FONT_STEP.match(attributes.get("size") or "") else around
    if declared in _INHERITED:
        return 16.0 if declared == "initial" else around
    if declared in {"smaller", "larger"}:
        return around
    size = px(declared, around)
    if size is not None and "rem" in declared:
        size *= look.root_px / 16.0
    # A keyword (`small`) is a readable size.
    return 13.0 if size is None else size


def _flat(around: Look, style: Declarations) -> bool:
    height = style.get("line-height")
    if height is None or height == "inherit":
        return around.flat
    return px(height, around.font_px) == 0.0


def _ink(around: Look, name: str, attributes: Mapping[str, str | None], style: Declarations) -> Shade:
    declared = style.get("-webkit-text-fill-color") or style.get("color") or ""
    if not declared and name in {"font", "basefont", "body"}:
        named = attribute_shade(attributes.get("text" if name == "body" else "color") or "")
        if named is not None:
            return named
    if declared in {"initial", "unset"} or (not declared and name == "mark"):
        return (*BLACK, 1.0) if declared != "unset" else around.ink
    if not declared and name == "a" and attributes.get("href"):
        return around.link
    return shade(declared) or around.ink


def _filling(ink: Shade, paper: Colour | None) -> Shade:
    """What letters show that are filled with their own background."""
    return (*over(ink, paper), 1.0) if paper is not None else (*LINK_BLUE, 1.0) if ink[3] < 1 - MIN_OPACITY else ink


def _outlined(around: Look, style: Declarations, paper: Colour | None) -> bool:
    """Whether letters have a shadow or an outline that shows them whatever their own colour is."""
    outlined = around.outlined
    shadow, stroke = style.get("text-shadow"), style.get("text-stroke")
    if shadow is not None and shadow != "inherit":
        outlined = any(_drawn(each, paper, near=20.0) for each in _parted(shadow))
    return outlined or (stroke is not None and _drawn(stroke, paper, near=20.0))


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


def _masked(around: Look, style: Declarations) -> bool:
    """Whether signs stand in the place of letters, or letters are shrunk to nothing by their proportions."""
    security, adjust = style.get("text-security"), style.get("font-size-adjust")
    masked = around.masked
    if security is not None and security not in _INHERITED:
        masked = security != "none"
    figure = number(adjust) if adjust is not None else None
    return masked or (figure is not None and 0.0 <= figure < 0.1)


def _paper(around: Colour | None, attributes: Mapping[str, str | None], style: Declarations, *, name: str) -> Colour | None:
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


def _unwrapped(around: Look, style: Declarations) -> bool:
    """Whether lines are not broken where they are full."""
    declared = style.get("white-space")
    if declared and declared not in _INHERITED:
        return declared.startswith("nowrap") or declared == "pre"
    return around.unwrapped


def _preformatted(around: Look, name: str, style: Declarations) -> bool:
    declared = style.get("white-space")
    if declared and declared not in _INHERITED:
        return declared.startswith(("pre", "break-spaces")) and declared != "pre-line"
    return around.preformatted or name in _PREFORMATTED
