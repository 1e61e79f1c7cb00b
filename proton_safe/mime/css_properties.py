"""Declarations of CSS: the properties that decide whether text can be seen, shorthands taken apart, escapes undone, one line each."""

from __future__ import annotations

import re
from typing import Final

from proton_safe.mime.colours import shade
from proton_safe.mime.css_selectors import unescaped

Declarations = dict[str, str]

MAX_INLINE_CHARS: Final = 8_192
# Stands among declarations of which one has a value that only a browser can work out.
UNREAD: Final = "?"
_MAX_VALUE_CHARS: Final = 200
_SIDES: Final = ("top", "right", "bottom", "left")
_RELEVANT: Final = frozenset(
    {
        *(
            "display",
            "visibility",
            "content-visibility",
            "opacity",
            "filter",
            "font-size",
            "font",
            "line-height",
            "color",
            "letter-spacing",
        ),
        *("-webkit-text-fill-color", "background", "background-color", "background-image", "max-height", "height", "max-width", "width"),
        *("min-height", "min-width", "overflow", "overflow-x", "overflow-y", "clip", "clip-path", "-webkit-clip-path", "position", *_SIDES),
        *("inset", "text-indent", "margin", "margin-left", "margin-top", "margin-right", "margin-bottom", "transform", "-webkit-transform"),
        *("scale", "translate", "zoom", "white-space"),
    }
)
_IMPORTANT: Final = re.compile(r"!\s*important\s*\Z")
_FONT_SIZE: Final = re.compile(
    r"(?<!\S)([0-9.]{1,10}(?:[a-z]{1,4}|%)|0|(?:x{1,2}-)?(?:small|large)|medium)(?:\s*/\s*([0-9.]{1,10}(?:[a-z]{1,4}|%)?))?(?!\S)"
)
_CALCULATED: Final = re.compile(r"calc\(\s*(-?[0-9.]{1,12}[a-z%]{0,4})\s*\)")
# A comment or a string, to its end or that of the sheet or line. None of the alternatives can fail once begun, so one pass is linear.
_INERT: Final = re.compile(r"/\*.*?(?:\*/|\Z)|\"[^\"\\\n]*(?:\\.[^\"\\\n]*)*\"?|'[^'\\\n]*(?:\\.[^'\\\n]*)*'?", re.DOTALL)
_ANYWHERE: Final = frozenset({"inherit", "initial", "unset", "revert", "revert-layer"})
_SIZE: Final = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]{1,3})?(?:[a-z]{1,4}|%)?")
# Words that are values of the properties that hide most; browsers pass over a declaration with any other, and so do we.
_DISPLAY: Final = re.compile(
    r"(?:(?:none|block|flow|flow-root|contents|run-in|list-item|math|(?:inline-)?(?:flex|grid|table|block)|inline|ruby(?:-base|-text)?"
    r"|table-(?:row|cell|caption|column|column-group|row-group|header-group|footer-group))(?: |\Z)){1,3}"
)
_VISIBILITY: Final = re.compile("visible|hidden|collapse")
_SIZE_WORD: Final = re.compile("(?:x{1,2}-)?small|medium|(?:x{1,3}-)?large|smaller|larger|math")
_SYSTEM_COLOUR: Final = re.compile(
    "currentcolor|accentcolor(?:text)?|activetext|button(?:border|face|text)|field(?:text)?|graytext|highlight(?:text)?|linktext"
    "|mark(?:text)?|selecteditem(?:text)?|visitedtext|windowframe|menu(?:text)?|info(?:background|text)"
)
_COLOURS: Final = frozenset({"color", "-webkit-text-fill-color"})
# Sides and sizes by the direction of writing, as they are in mail that is written from left to right.
_LOGICAL: Final = {
    "block-size": "height",
    "inline-size": "width",
    "max-block-size": "max-height",
    "max-inline-size": "max-width",
    "margin-block-start": "margin-top",
    "margin-inline-start": "margin-left",
    "inset-block-start": "top",
    "inset-inline-start": "left",
}
_STRUCTURAL: Final = frozenset("{};,")


def plain(css: str) -> str:
    """CSS in lower case without comments, and without strings that hold braces, semicolons or commas. Linear."""
    found = css.lower()
    if "/*" in found or '"' in found or "'" in found:
        found = _INERT.sub(_inert, found)
    return found.replace("<!--", " ").replace("-->", " ")


def inline(text: str) -> Declarations:
    """What the first 8,192 characters of a `style` attribute declare, `important` ones under the property's name and a `!` before it."""
    normal, important = declarations(plain(text[:MAX_INLINE_CHARS]))
    for name, value in important.items():
        normal[f"!{name}"] = value
    return normal


def declarations(text: str) -> tuple[Declarations, Declarations]:
    """The relevant declarations of a block that `plain` has treated: normal and important ones, later ones winning."""
    normal: Declarations = {}
    important: Declarations = {}
    for declaration in text.split(";"):
        name, _, value = declaration.partition(":")
        name = unescaped(name.strip())
        name = _LOGICAL.get(name, name)
        if name not in _RELEVANT:
            continue
        value = unescaped(value.strip()[:_MAX_VALUE_CHARS])
        bare = _IMPORTANT.sub("", value).strip()
        if bare:
            into = important if bare != value else normal
            for each, meant in _longhand(name, _CALCULATED.sub(r"\1", bare)).items():
                if _is_value(each, meant):
                    into[each] = meant
                    if "(" in meant and _unread(each, meant):
                        normal[UNREAD] = UNREAD
    return normal, important


def _is_value(name: str, value: str) -> bool:
    """Whether a browser takes the value for one of the property; anything with a function, a prefix, or of another property passes."""
    if value in _ANYWHERE or "(" in value or value.startswith(("-webkit-", "-m")):
        return True
    if name == "display":
        return _DISPLAY.fullmatch(value) is not None
    if name == "visibility":
        return _VISIBILITY.fullmatch(value) is not None
    if name == "opacity":
        return _SIZE.fullmatch(value) is not None
    if name == "font-size":
        return (_SIZE.fullmatch(value) or _SIZE_WORD.fullmatch(value)) is not None
    if name in _COLOURS:
        return _SYSTEM_COLOUR.fullmatch(value) is not None or shade(value) is not None
    return True


def _unread(name: str, value: str) -> bool:
    """Whether a value with a function may hide text in a way that is not worked out here."""
    if name in _COLOURS:
        return shade(value) is None
    return name in {"display", "visibility", "opacity", "font-size"}


def _longhand(name: str, value: str) -> Declarations:
    """A shorthand as what it sets, its unnamed parts set back; anything else as it is."""
    if name == "font":
        return _font(value)
    if name == "background":
        return {"background-color": value, "background-image": value}
    if name == "overflow":
        words = value.split()
        return {"overflow-x": words[0], "overflow-y": words[-1]}
    if name in {"margin", "inset"}:
        words = value.split()[:4]
        top, right, bottom, left = (words * 4)[:4] if len(words) != 3 else [*words, words[1]]
        prefix = "margin-" if name == "margin" else ""
        return dict(zip((prefix + side for side in _SIDES), (top, right, bottom, left), strict=True))
    return {name.removeprefix("-webkit-") if name in {"-webkit-clip-path", "-webkit-transform"} else name: value}


def _font(value: str) -> Declarations:
    if value in {"inherit", "unset"}:
        return {"font-size": "inherit", "line-height": "inherit"}
    found = _FONT_SIZE.search(value)
    return {"font-size": found[1], "line-height": found[2] or "normal"} if found else {}


def _inert(found: re.Match[str]) -> str:
    text = found[0]
    if text.startswith("/*"):
        return ""
    return '""' if not _STRUCTURAL.isdisjoint(text) else text
