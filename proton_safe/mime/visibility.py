"""Whether a person would see the text of an HTML element, by its style, its attributes and those around it.

What is judged and what is not: colours against a background image, elements that cover others, and rules of `mime.css`'s
blind spots are not judged; such text counts as visible.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal

from proton_safe.mime.colours import BLACK, LINK_BLUE, WHITE, Colour, alike, colour, transparent

if TYPE_CHECKING:
    from collections.abc import Mapping

    from proton_safe.mime.css import Declarations

HiddenKind = Literal[
    "display-none", "visibility", "zero-size", "zero-opacity", "off-screen", "same-colour", "hidden-attribute", "not-rendered"
]

MIN_FONT_PX: Final = 3.0
MIN_OPACITY: Final = 0.05
FAR_PX: Final = -1_000.0
_LENGTH: Final = re.compile(r"(-?[0-9]{0,9}\.?[0-9]{1,9})\s*(px|pt|em|rem|ex|%|vw|vh|in|cm|mm|pc)?")
_UNIT_PX: Final = {"px": 1.0, "pt": 4 / 3, "rem": 16.0, "vw": 10.0, "vh": 10.0, "in": 96.0, "cm": 37.8, "mm": 3.78, "pc": 16.0, None: 1.0}
_NO_AREA: Final = re.compile(r"rect\((?:\s*0[a-z]*[\s,]*){4}\)|inset\(\s*(?:100|[5-9][0-9])%.*|circle\(\s*0.*|polygon\(\s*0 0\s*\)")
_SCALED_AWAY: Final = re.compile(r".*scale[xy]?\(\s*0(?:\.0[0-9]*)?\s*[,)].*", re.DOTALL)
_OPACITY: Final = re.compile(r"opacity\(\s*([0-9.]{1,8})(%?)\s*\)")
# Elements and attributes that change a look without any style.
_TELLING_ELEMENTS: Final = frozenset({"a", "body", "dialog", "font", "pre", "textarea", "xmp", "plaintext", "listing"})
_TELLING_ATTRIBUTES: Final = frozenset({"hidden", "bgcolor", "background"})
_BACKGROUNDS: Final = ("background", "background-color", "background-image")


@dataclass(frozen=True, slots=True)
class Look:
    """What an element hands down: `hidden` is final for all that is inside; the rest can be overruled by a descendant."""

    hidden: HiddenKind | None = None
    invisible: bool = False
    font_px: float = 16.0
    flat: bool = False
    ink: Colour | None = BLACK
    colourless: bool = False
    paper: Colour | None = WHITE
    preformatted: bool = False

    @property
    def kind(self) -> HiddenKind | None:
        """How text directly in this element is hidden; None if a person sees it."""
        if self.hidden is not None:
            return self.hidden
        if self.invisible:
            return "visibility"
        if self.font_px < MIN_FONT_PX or self.flat:
            return "zero-size"
        if self.colourless or (self.ink is not None and self.paper is not None and alike(self.ink, self.paper)):
            return "same-colour"
        return None


def look_of(around: Look, name: str, attributes: Mapping[str, str | None], style: Declarations) -> Look:
    """The look of an element inside one with the look `around`."""
    if around.hidden is not None or (not style and name not in _TELLING_ELEMENTS and attributes.keys().isdisjoint(_TELLING_ATTRIBUTES)):
        return around
    hidden = _removed(name, attributes, style)
    if hidden is not None:
        return replace(around, hidden=hidden)
    ink, colourless = _ink(around, name, attributes, style)
    visibility = style.get("visibility", "")
    return Look(
        hidden=None,
        invisible=visibility in {"hidden", "collapse"} if visibility and visibility != "inherit" else around.invisible,
        font_px=_font(around.font_px, attributes, style, name=name),
        flat=_flat(around, style),
        ink=ink,
        colourless=colourless,
        paper=_paper(around.paper, attributes, style),
        preformatted=_preformatted(around, name, style),
    )


def _removed(name: str, attributes: Mapping[str, str | None], style: Declarations) -> HiddenKind | None:
    display = style.get("display", "")
    if display == "none" or (name == "dialog" and "open" not in attributes):
        return "display-none"
    if "hidden" in attributes and not display:
        return "hidden-attribute"
    if not style:
        return None
    if _see_through(style):
        return "zero-opacity"
    if _no_area(style):
        return "zero-size"
    if _away(style):
        return "off-screen"
    return None


def _see_through(style: Declarations) -> bool:
    opacity = style.get("opacity", "")
    share = _figure(opacity.removesuffix("%"))
    if share is not None and share / (100 if opacity.endswith("%") else 1) < MIN_OPACITY:
        return True
    match = _OPACITY.search(style.get("filter", ""))
    share = _figure(match[1]) if match else None
    return match is not None and share is not None and share / (100 if match[2] else 1) < MIN_OPACITY


def _no_area(style: Declarations) -> bool:
    clipped = any(style.get(name, "").startswith(("hidden", "clip")) for name in ("overflow", "overflow-x", "overflow-y"))
    if clipped and any(_px(style.get(name), 0.0) in {0.0, 1.0} for name in ("max-height", "height", "max-width", "width")):
        return True
    if _NO_AREA.fullmatch(style.get("clip", "")) or _NO_AREA.fullmatch(style.get("clip-path", "")):
        return True
    return bool(_SCALED_AWAY.fullmatch(style.get("transform", ""))) or _figure(style.get("zoom", "").removesuffix("%")) == 0.0


def _away(style: Declarations) -> bool:
    offsets = [style.get("text-indent"), style.get("margin-left"), style.get("margin-top"), *style.get("margin", "").split()]
    if style.get("position", "") in {"absolute", "fixed", "relative"}:
        offsets += [style.get(side) for side in ("left", "right", "top", "bottom")]
        ahead = (style.get("left"), style.get("top"))
        if style.get("position") != "relative" and any((_px(offset, 16.0) or 0.0) >= -FAR_PX * 5 for offset in ahead):
            return True
    return any((_px(offset, 16.0) or 0.0) <= FAR_PX for offset in offsets)


def _font(around: float, attributes: Mapping[str, str | None], style: Declarations, *, name: str) -> float:
    declared = style.get("font-size")
    if declared is None and "font" in style:
        sizes = [_px(word.partition("/")[0], around) for word in style["font"].split() if word[0].isdigit() or word[0] == "."]
        with_unit = [size for size in sizes if size is not None and size < 100]
        return with_unit[-1] if with_unit else around
    if declared is None:
        # Sizes of the font element go from 1 (10 px) to 7, whatever stands around it.
        return 13.0 if name == "font" and attributes.get("size") else around
    size = _px(declared, around)
    # A keyword (`small`, `larger`) is a readable size.
    return (around if declared in {"inherit", "unset"} else 13.0) if size is None else size


def _flat(around: Look, style: Declarations) -> bool:
    height = style.get("line-height")
    if height is None or height == "inherit":
        return around.flat
    return _px(height, around.font_px) == 0.0


def _ink(around: Look, name: str, attributes: Mapping[str, str | None], style: Declarations) -> tuple[Colour | None, bool]:
    declared = style.get("color") or ((attributes.get("color") or "")[:40] if name == "font" else "") or ""
    if not declared and name == "body":
        declared = (attributes.get("text") or "")[:40]
    if not declared or declared in {"inherit", "unset", "currentcolor"}:
        return (LINK_BLUE, False) if name == "a" and not declared and attributes.get("href") else (around.ink, around.colourless)
    return colour(declared), transparent(declared)


def _paper(around: Colour | None, attributes: Mapping[str, str | None], style: Declarations) -> Colour | None:
    paper = around
    if attributes.get("bgcolor"):
        paper = colour((attributes["bgcolor"] or "")[:40]) or around
    if attributes.get("background"):
        paper = None
    for value in (style[name] for name in _BACKGROUNDS if name in style):
        if "url(" in value or "gradient(" in value:
            return None
        named = next((found for found in (colour(word) for word in (value, *value.split())) if found is not None), None)
        paper = named or paper
    return paper


def _preformatted(around: Look, name: str, style: Declarations) -> bool:
    declared = style.get("white-space")
    if declared:
        return declared.startswith(("pre", "break-spaces")) and declared != "pre-line"
    return around.preformatted or name in {"pre", "textarea", "xmp", "plaintext", "listing"}


def _figure(text: str) -> float | None:
    match = _LENGTH.fullmatch(text.strip())
    return float(match[1]) if match and match[2] is None else None


def _px(text: str | None, base: float) -> float | None:
    """A length in pixels; None for what is none. `base` is what em and per cent are of."""
    match = _LENGTH.fullmatch((text or "").strip())
    if match is None:
        return None
    figure = float(match[1])
    if match[2] in {"em", "ex"}:
        return figure * base
    if match[2] == "%":
        return figure * base / 100
    return figure * _UNIT_PX[match[2]]
