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

from proton_safe.mime.colours import BLACK, LINK_BLUE, WHITE, Colour, Shade, alike, attribute_shade, over
from proton_safe.mime.css_boxes import FAR_AHEAD_PX, FAR_PX, PLACED, PLACED_FAR_PX, beside, flat_box
from proton_safe.mime.css_clip import nothing_left
from proton_safe.mime.css_lengths import WIDTH_PX, number, px
from proton_safe.mime.css_transform import placed
from proton_safe.mime.ink import MIN_OPACITY, blurred, filling, ink_of, outlined, paper_of, share_seen

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
_FONT_STEP: Final = re.compile(r"\s*[+-]?[0-9]")
# Elements and attributes that change a look without any style.
_TELLING_ELEMENTS: Final = frozenset(
    {"a", "body", "dialog", "font", "pre", "textarea", "xmp", "plaintext", "listing", "mark", "basefont", "rp"}
)
_TELLING_ATTRIBUTES: Final = frozenset({"hidden", "popover", "bgcolor", "background"})
_PREFORMATTED: Final = frozenset({"pre", "textarea", "xmp", "plaintext", "listing"})
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
_NO_BOX: Final = frozenset({"inline", "contents"})
_NOT_DISPLAYED: Final = frozenset({"none", "table-column", "table-column-group"})


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
    opacity = around.opacity * share_seen(style)
    hidden = _removed(around, name, attributes, style) or ("zero-opacity" if opacity < MIN_OPACITY or blurred(style) else None)
    if hidden is not None:
        return replace(around, hidden=hidden, kind=hidden)
    visibility = style.get("visibility", "")
    in_line = _in_line(around, name, style)
    paper = paper_of(around.block_paper if name in _BLOCKS and not in_line else around.paper, attributes, style, name=name)
    ink = ink_of(around.ink, around.link, name, attributes, style)
    filled = style.get("background-clip") == "text"
    look = Look(
        invisible=visibility in {"hidden", "collapse"} if visibility and visibility not in _INHERITED else around.invisible,
        font_px=(font_px := _font(around, attributes, style, name=name)),
        root_px=font_px if name == "html" else around.root_px,
        flat=_flat(around, style),
        link=(attribute_shade(attributes.get("link") or "") or around.link) if name == "body" else around.link,
        ink=filling(ink, paper) if filled else ink,
        paper=around.paper if filled else paper,
        block_paper=around.block_paper if in_line or filled else paper,
        opacity=opacity,
        zoom=around.zoom * _zoom(style),
        outlined=outlined(style, paper, around=around.outlined),
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
    if nothing_left(style.get("clip-path", "")) or (position in PLACED and nothing_left(style.get("clip", ""))):
        return "zero-size"
    if _in_line(around, name, style):
        return "off-screen" if beside(style, position, around.font_px) else None
    if style.get("content-visibility") == "hidden":
        return "visibility"
    place = placed(style, around.font_px)
    if place.flat or (place.back and style.get("backface-visibility") == "hidden") or flat_box(name, style) or _zoom(style) == 0.0:
        return "zero-size"
    far = min(place.right, place.down) <= -FAR_PX or max(place.right, place.down) >= FAR_AHEAD_PX
    return "off-screen" if far or _away(around, style, position) else None


def _in_line(around: Look, name: str, style: Declarations) -> bool:
    """Whether an element has no box of its own that could be sized, turned or cut."""
    if around.boxes or style.get("float", "none") in {"left", "right"} or style.get("position", "") in PLACED:
        return False
    display = style.get("display", "")
    return display in _NO_BOX if display and display not in _INHERITED else name in _IN_LINE or ":" in name or "-" in name


def _zoom(style: Declarations) -> float:
    figure = number(style["zoom"]) if "zoom" in style else None
    return 1.0 if figure is None else max(0.0, figure)


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
    return (px(style.get("margin-top"), font_px) or 0.0) <= -FAR_PX or beside(style, position, font_px)


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


def _masked(around: Look, style: Declarations) -> bool:
    """Whether signs stand in the place of letters, or letters are shrunk to nothing by their proportions."""
    security, adjust = style.get("text-security"), style.get("font-size-adjust")
    masked = around.masked
    if security is not None and security not in _INHERITED:
        masked = security != "none"
    figure = number(adjust) if adjust is not None else None
    return masked or (figure is not None and 0.0 <= figure < 0.1)


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
