"""Whether a person would see the text of an HTML element, by its style, its attributes and those around it.

Not judged, so that such text counts as visible: colours where a picture or a gradient lies behind, elements that lie over others
(`z-index`), text cut off by the size of what is around it, `letter-spacing`, blend modes and masks, `mso-` properties (Outlook's own),
and what `mime.css` does not evaluate. Closed `<details>` (a click opens it) and `aria-hidden` text (people see it) are visible.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal

from proton_safe.mime.colours import BLACK, LINK_BLUE, WHITE, Colour, Shade, alike, over, shade

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
FAR_PX: Final = 1_000.0
FAR_AHEAD_PX: Final = 5_000.0
_MAX_COLOUR_CHARS: Final = 40
_LENGTH: Final = re.compile(r"([+-]?[0-9]{0,9}\.?[0-9]{1,9}(?:e[+-]?[0-9]{1,2})?)\s*(px|pt|em|rem|ex|ch|%|vw|vh|in|cm|mm|pc|q)?")
_UNIT_PX: Final = {
    None: 1.0,
    "px": 1.0,
    "pt": 4 / 3,
    "rem": 16.0,
    "vw": 10.0,
    "vh": 8.0,
    "in": 96.0,
    "cm": 37.8,
    "mm": 3.78,
    "pc": 16.0,
    "q": 0.945,
}
_OF_FONT: Final = {"em": 1.0, "ex": 0.5, "ch": 0.5, "%": 0.01}
_NO_AREA: Final = re.compile(
    r"rect\(\s*([01])(?:px)?[\s,]+\1(?:px)?[\s,]+\1(?:px)?[\s,]+\1(?:px)?\s*\)"
    r"|inset\(\s*(?:100|[5-9][0-9])(?:\.[0-9]{1,6})?%[^()]*\)|(?:circle|ellipse)\(\s*0(?![.0-9]*[1-9])[^()]*\)"
    r"|polygon\(\s*0(?:px|%)?\s+0(?:px|%)?\s*(?:,\s*0(?:px|%)?\s+0(?:px|%)?\s*)*\)"
)
_SCALED_AWAY: Final = re.compile(
    r"(?:scale(?:x|y|3d)?\(\s*|scale(?:3d)?\([^(),]*,\s*|matrix\(\s*)0?(?:\.0[0-9]*)?0?%?\s*[,)]|rotate[xy]\(\s*-?90deg"
)
_MOVED: Final = re.compile(r"translate(?:x|y|3d)?\(\s*([^(),]{1,20})(?:,\s*([^(),]{1,20}))?")
_OPACITY: Final = re.compile(r"opacity\(\s*([0-9.]{1,8})(%?)\s*\)|alpha\(\s*opacity\s*=\s*([0-9]{1,3})\s*\)")
_PICTURE: Final = re.compile(r"url\(|gradient\(|image-set\(|cross-fade\(")
# Elements and attributes that change a look without any style.
_TELLING_ELEMENTS: Final = frozenset({"a", "body", "dialog", "font", "pre", "textarea", "xmp", "plaintext", "listing", "mark", "basefont"})
_TELLING_ATTRIBUTES: Final = frozenset({"hidden", "bgcolor", "background"})
_PREFORMATTED: Final = frozenset({"pre", "textarea", "xmp", "plaintext", "listing"})
# Elements that take the width of what they hold, whatever width they are given.
_WIDTH_LESS: Final = frozenset(
    {"a", "abbr", "b", "em", "font", "i", "label", "small", "span", "strong", "sub", "sup", "table", "tbody", "td", "th", "tr", "u"}
)
_INHERITED: Final = frozenset({"inherit", "unset", "currentcolor", "revert", "initial"})
_MARGINS: Final = ("margin-left", "margin-top", "margin-right", "margin-bottom")
_SIDES: Final = ("left", "right", "top", "bottom")


@dataclass(frozen=True, slots=True)
class Look:
    """What an element hands down: `hidden` is final for all that is inside; the rest can be overruled by a descendant."""

    hidden: HiddenKind | None = None
    invisible: bool = False
    font_px: float = 16.0
    flat: bool = False
    ink: Shade = (*BLACK, 1.0)
    paper: Colour | None = WHITE
    opacity: float = 1.0
    preformatted: bool = False
    kind: HiddenKind | None = None
    """How text directly in this element is hidden; None if a person sees it. Derived from the others."""


def look_of(around: Look, name: str, attributes: Mapping[str, str | None], style: Declarations) -> Look:
    """The look of an element inside one with the look `around`."""
    if around.hidden is not None or (not style and name not in _TELLING_ELEMENTS and attributes.keys().isdisjoint(_TELLING_ATTRIBUTES)):
        return around
    opacity = around.opacity * _opacity(style)
    hidden = _removed(around, name, attributes, style) or ("zero-opacity" if opacity < MIN_OPACITY else None)
    if hidden is not None:
        return replace(around, hidden=hidden, kind=hidden)
    visibility = style.get("visibility", "")
    look = Look(
        invisible=visibility in {"hidden", "collapse"} if visibility and visibility not in _INHERITED else around.invisible,
        font_px=_font(around.font_px, attributes, style, name=name),
        flat=_flat(around, style),
        ink=_ink(around, name, attributes, style),
        paper=_paper(around.paper, attributes, style, name=name),
        opacity=opacity,
        preformatted=_preformatted(around, name, style),
    )
    kind = _kind(look)
    return look if kind is None else replace(look, kind=kind)


def _kind(look: Look) -> HiddenKind | None:
    if look.invisible:
        return "visibility"
    if look.font_px < MIN_FONT_PX or look.flat:
        return "zero-size"
    if look.ink[3] < MIN_OPACITY or (look.paper is not None and alike(over(look.ink, look.paper), look.paper)):
        return "same-colour"
    return None


def _removed(around: Look, name: str, attributes: Mapping[str, str | None], style: Declarations) -> HiddenKind | None:
    """How the element and all that is in it is taken out of sight."""
    display = style.get("display", "")
    if display == "none" or (name == "dialog" and "open" not in attributes and not display):
        return "display-none"
    if "hidden" in attributes and not display:
        return "hidden-attribute"
    if not style:
        return None
    if style.get("content-visibility") == "hidden":
        return "visibility"
    if _no_area(name, style):
        return "zero-size"
    return "off-screen" if _away(style, around.font_px) else None


def _opacity(style: Declarations) -> float:
    share = 1.0
    declared = style.get("opacity")
    if declared is not None:
        figure = _figure(declared.removesuffix("%"))
        share = 1.0 if figure is None else figure / (100 if declared.endswith("%") else 1)
    match = _OPACITY.search(style["filter"]) if "filter" in style else None
    if match is not None:
        figure = _figure(match[1] or match[3])
        share *= 1.0 if figure is None else figure / (100 if match[2] or match[3] else 1)
    return min(1.0, max(0.0, share))


def _no_area(name: str, style: Declarations) -> bool:
    if _flat_box(name, style):
        return True
    if _NO_AREA.fullmatch(style.get("clip", "")) or _NO_AREA.fullmatch(style.get("clip-path", "")):
        return True
    if _SCALED_AWAY.search(style.get("transform", "")) or (style.get("scale") or "1").split()[0] in {"0", "0%", "0.0"}:
        return True
    return _figure(style.get("zoom", "").removesuffix("%")) == 0.0


def _flat_box(name: str, style: Declarations) -> bool:
    """A box without height or width that cuts off what does not fit; one without width even where it does not."""
    if _px(style.get("width"), 16.0) == 0.0 and name not in _WIDTH_LESS and not (_px(style.get("min-width"), 16.0) or 0.0):
        return True
    for overflow, sizes in (("overflow-y", ("max-height", "height")), ("overflow-x", ("max-width", "width"))):
        if style.get(overflow, "").startswith(("hidden", "clip", "auto", "scroll")):
            least = _px(style.get(sizes[0].replace("max", "min")), 16.0) or 0.0
            if least <= 1.0 and any(_px(style.get(size), 16.0) in {0.0, 1.0} for size in sizes):
                return True
    return False


def _away(style: Declarations, font_px: float) -> bool:
    """Moved so far that no screen shows it: more than 1,000 px before its place, or 5,000 px behind it when it is positioned."""
    offsets = [style.get(side) for side in ("text-indent", *_MARGINS)]
    position = style.get("position", "")
    if position in {"absolute", "fixed", "relative", "sticky"}:
        offsets += [style.get(side) for side in _SIDES]
        ahead = (style.get(side) for side in _SIDES)
        if position in {"absolute", "fixed"} and any((_px(offset, font_px) or 0.0) >= FAR_AHEAD_PX for offset in ahead):
            return True
    moved = _MOVED.search(style.get("transform", ""))
    offsets += [moved[1], moved[2]] if moved else []
    offsets += style.get("translate", "").split()[:2]
    return any(offset is not None and "-" in offset and (_px(offset.strip(), font_px) or 0.0) <= -FAR_PX for offset in offsets)


def _font(around: float, attributes: Mapping[str, str | None], style: Declarations, *, name: str) -> float:
    declared = style.get("font-size")
    if declared is None:
        # Sizes of the font element go from 1 (10 px) to 7, whatever stands around it.
        return 13.0 if name == "font" and attributes.get("size") else around
    if declared in _INHERITED:
        return 16.0 if declared == "initial" else around
    if declared in {"smaller", "larger"}:
        return around
    size = _px(declared, around)
    # A keyword (`small`) is a readable size; a negative one is not valid.
    return 13.0 if size is None else around if size < 0 else size


def _flat(around: Look, style: Declarations) -> bool:
    height = style.get("line-height")
    if height is None or height == "inherit":
        return around.flat
    return _px(height, around.font_px) == 0.0


def _ink(around: Look, name: str, attributes: Mapping[str, str | None], style: Declarations) -> Shade:
    declared = style.get("-webkit-text-fill-color") or style.get("color") or ""
    if not declared and name in {"font", "basefont", "body"}:
        declared = (attributes.get("text" if name == "body" else "color") or "")[:_MAX_COLOUR_CHARS]
    if declared in {"initial", "unset"} or (not declared and name == "mark"):
        return (*BLACK, 1.0) if declared != "unset" else around.ink
    if not declared and name == "a" and attributes.get("href"):
        return (*LINK_BLUE, 1.0)
    return shade(declared) or around.ink


def _paper(around: Colour | None, attributes: Mapping[str, str | None], style: Declarations, *, name: str) -> Colour | None:
    paper: Colour | None = (255, 255, 0) if name == "mark" else around
    if attributes.get("bgcolor"):
        paper = _laid(shade((attributes["bgcolor"] or "")[:_MAX_COLOUR_CHARS]), paper)
    if attributes.get("background") or _PICTURE.search(style.get("background-image", "")):
        return None
    declared = style.get("background-color")
    if declared:
        whole = shade(declared)
        paper = _laid(whole or next((found for found in map(shade, declared.split()) if found), None), paper)
    return paper


def _laid(found: Shade | None, paper: Colour | None) -> Colour | None:
    """A paper with a colour laid on it; unknown as long as what is below is unknown and shines through."""
    if found is None:
        return paper
    if paper is None:
        return (found[0], found[1], found[2]) if found[3] > 1 - MIN_OPACITY else None
    return over(found, paper)


def _preformatted(around: Look, name: str, style: Declarations) -> bool:
    declared = style.get("white-space")
    if declared and declared not in _INHERITED:
        return declared.startswith(("pre", "break-spaces")) and declared != "pre-line"
    return around.preformatted or name in _PREFORMATTED


def _figure(text: str) -> float | None:
    match = _LENGTH.fullmatch(text.strip())
    return float(match[1]) if match and match[2] is None else None


def _px(text: str | None, base: float) -> float | None:
    """A length in pixels; None for what is none. `base` is what em and per cent are of."""
    if not text:
        return None
    match = _LENGTH.fullmatch(text)
    if match is None:
        return None
    unit = match[2]
    return float(match[1]) * (_OF_FONT[unit] * base if unit in _OF_FONT else _UNIT_PX[unit])
