"""Declarations of CSS: the properties that decide whether text can be seen, shorthands taken apart, escapes undone, one line each."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from proton_safe.mime.colours import shade
from proton_safe.mime.css_lengths import number, px
from proton_safe.mime.css_selectors import unescaped
from proton_safe.mime.css_transform import is_transform

if TYPE_CHECKING:
    from collections.abc import Iterable

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
        *("-webkit-text-fill-color", "background", "background-color", "background-image", "background-clip", "max-height", "height"),
        *(
            "max-width",
            "width",
            "min-height",
            "min-width",
            "overflow",
            "overflow-x",
            "overflow-y",
            "clip",
            "clip-path",
            "position",
            *_SIDES,
        ),
        *("inset", "inset-inline", "inset-block", "text-indent", "margin", "margin-inline", "margin-block", "margin-left", "margin-top"),
        *("margin-right", "margin-bottom", "padding", "padding-left", "transform", "scale", "rotate", "translate", "zoom", "white-space"),
        *("float", "contain", "backface-visibility", "text-shadow", "text-stroke", "text-security", "font-size-adjust", "all"),
        *("mask", "mask-image", "content"),
    }
)
_BLANK: Final = " \t\n\r\f"
_BLANKS: Final = re.compile(f"[{_BLANK}]+")
_IMPORTANT: Final = re.compile(r"!\s*important\s*\Z")
_FONT_SIZE: Final = re.compile(
    r"(?<!\S)((?:[0-9.]{1,10}(?:e[+-]?[0-9]{1,2})?(?:[a-z]{1,5}|%)|0|(?:x{1,3}-)?(?:small|large)(?:er)?|medium)|(?:calc|min|max|clamp)\([^()]*\))"
    r"(?:\s*/\s*([0-9.]{1,10}(?:[a-z]{1,5}|%)?|normal))?\s+(?=\S)"
)
_SYSTEM_FONTS: Final = frozenset({"caption", "icon", "menu", "message-box", "small-caption", "status-bar"})
# A comment or a string, to its end or that of the sheet or line. None of the alternatives can fail once begun, so one pass is linear.
_INERT: Final = re.compile(
    r"(?:/\*.*?(?:\*/|\Z))+|\"[^\"\\\n]*(?:\\.[^\"\\\n]*)*\"?|'[^'\\\n]*(?:\\.[^'\\\n]*)*'?"
    r"|(?<![\w-])url\((?!\s*[\"'])(?:[^)\\]|\\.)*+\)?",
    re.DOTALL,
)
# Stands where a comment stood between two names, which makes them no name and no selector.
_IN_NAME: Final = re.compile(r"[\w-]")
_APART: Final = "\x7f"
_ANYWHERE: Final = frozenset({"inherit", "initial", "unset", "revert", "revert-layer"})
_SIZE: Final = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]{1,3})?(?:[a-z]{1,5}|%)?")
# Words that are values of the properties that hide most; browsers pass over a declaration with any other, and so do we.
_DISPLAY: Final = re.compile(
    r"(?:(?:none|block|flow|flow-root|contents|run-in|list-item|math|(?:inline-)?(?:flex|grid|table|block)|inline|ruby(?:-base|-text)?"
    r"|table-(?:row|cell|caption|column|column-group|row-group|header-group|footer-group))(?: |\Z)){1,3}"
)
_LENGTHS: Final = frozenset(
    {
        *("width", "height", "min-width", "min-height", "max-width", "max-height", "line-height", "text-indent", "padding-left", "zoom"),
        *("margin-left", "margin-top", "margin-right", "margin-bottom", *_SIDES),
    }
)
_NOT_NEGATIVE: Final = re.compile("(?:m(?:in|ax)-)?(?:width|height)|line-height|padding-left|zoom|font-size")
_LENGTH_WORD: Final = re.compile(
    "auto|none|normal|(?:-[a-z]+-)?(?:fit|min|max)-content|stretch|(?:-[a-z]+-)?(?:fill-)?available|reset|intrinsic"
)
_LENGTH_FUNCTION: Final = re.compile(
    r"(?:-webkit-)?(?:calc|min|max|clamp|var|env|attr|if|fit-content|minmax|anchor|anchor-size|calc-size|round|mod|rem|abs|sign)\("
)
_WORDS: Final = {
    "visibility": re.compile("visible|hidden|collapse"),
    "display": _DISPLAY,
    "position": re.compile("static|relative|absolute|fixed|(?:-webkit-)?sticky"),
    "overflow-x": re.compile("visible|hidden|clip|scroll|auto|overlay"),
    "overflow-y": re.compile("visible|hidden|clip|scroll|auto|overlay"),
    "float": re.compile("left|right|none|inline-(?:start|end)"),
    "backface-visibility": re.compile("visible|hidden"),
    "text-security": re.compile("none|disc|circle|square"),
    "background-clip": re.compile("text|(?:border|padding|content)-box"),
    "content-visibility": re.compile("visible|auto|hidden"),
    "white-space": re.compile(
        "(?:normal|nowrap|pre|pre-wrap|pre-line|break-spaces|collapse|preserve|wrap|preserve-breaks|preserve-spaces)(?: [a-z-]+)?"
    ),
    "contain": re.compile("none|(?:(?:strict|content|size|inline-size|layout|style|paint)(?: |\\Z))+"),
}
# What can stand in a `background` beside colours and pictures.
_BACKGROUND_WORD: Final = re.compile(
    "none|(?:no-)?repeat(?:-[xy])?|space|round|scroll|fixed|local|top|bottom|left|right|center|auto|cover|contain|text"
    "|(?:border|padding|content)-box|/|,"
)
_PARTS: Final = re.compile(r"[/,]|[a-z-]*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|[^\s/,()]+|\S")
_NOT_WORKED_OUT: Final = re.compile(r"(?:var|env|attr|if)\(|--[a-z0-9_-]+\(")
_OTHER_FILTERS: Final = re.compile(r"(?:brightness|contrast|invert|url)\(")
_MARKS: Final = re.compile(r"[()\[\]{};]")
_CLOSES: Final = {"(": ")", "[": "]", "{": "}"}
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
    "inset-block-end": "bottom",
    "inset-inline-end": "right",
    "padding-inline-start": "padding-left",
    "overflow-block": "overflow-y",
    "overflow-inline": "overflow-x",
}
_STRUCTURAL: Final = frozenset("{};,()[]")


def plain(css: str) -> str:
    """CSS in lower case without comments, and without strings and addresses that hold braces and the like. Linear."""
    found = css.lower()
    if "/*" in found or '"' in found or "'" in found or "url(" in found:
        found = _INERT.sub(_inert, found)
    return found


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
    for declaration in _parted(text):
        name, _, value = declaration.partition(":")
        name = unescaped(name.strip(_BLANK))
        if name != "-webkit-text-fill-color":
            name = name.removeprefix("-webkit-")
        name = _LOGICAL.get(name, name)
        if name not in _RELEVANT:
            continue
        value = _BLANKS.sub(" ", value.strip(_BLANK)[:_MAX_VALUE_CHARS])
        bare = unescaped(_IMPORTANT.sub("", value).strip(_BLANK))
        if bare.strip():
            into = important if _IMPORTANT.search(value) else normal
            if name == "all":
                into.update(dict.fromkeys(into, "unset"))
                continue
            if _unread(name, bare):
                normal[UNREAD] = UNREAD
            for each, meant in _longhand(name, bare).items():
                if _is_value(each, meant):
                    into[each] = meant
    return normal, important


def _parted(text: str) -> Iterable[str]:
    """The declarations of a block: a semicolon inside parentheses, brackets or braces parts none (CSS Syntax 5.4.4)."""
    if not any(mark in text for mark in "([{"):
        return text.split(";")
    found: list[str] = []
    open_marks: list[str] = []
    begin = 0
    for mark in _MARKS.finditer(text):
        if mark[0] in _CLOSES:
            open_marks.append(_CLOSES[mark[0]])
        elif open_marks and mark[0] == open_marks[-1]:
            open_marks.pop()
        elif mark[0] == ";" and not open_marks:
            found.append(text[begin : mark.start()])
            begin = mark.end()
    return [*found, text[begin:]]


def _is_value(name: str, value: str) -> bool:
    """Whether a browser takes the value for one of the property, as far as can be told; another one undoes nothing."""
    if value in _ANYWHERE or _NOT_WORKED_OUT.search(value):
        return True
    if name in _LENGTHS:
        if value.startswith("-") and _NOT_NEGATIVE.fullmatch(name):
            return False
        return (_SIZE.fullmatch(value) or _LENGTH_WORD.fullmatch(value) or _LENGTH_FUNCTION.match(value)) is not None
    if name in _WORDS and "(" not in value and not value.startswith(("-webkit-", "-m")):
        return _WORDS[name].fullmatch(value) is not None
    if name == "transform":
        return is_transform(value)
    if name in {"clip", "clip-path", "filter"}:
        return "(" in value or value in {"none", "auto"} or value.endswith("-box")
    return "(" in value or value.startswith("-webkit-") or _is_word(name, value)


def _is_word(name: str, value: str) -> bool:
    if name == "opacity":
        return number(value) is not None
    if name == "font-size":
        return not value.startswith("-") and (_SIZE.fullmatch(value) or _SIZE_WORD.fullmatch(value)) is not None
    return name not in _COLOURS or _is_colour(value)


def _is_colour(word: str) -> bool:
    return _SYSTEM_COLOUR.fullmatch(word) is not None or shade(word) is not None


def _unread(name: str, value: str) -> bool:
    """Whether a value may hide text in a way that is not worked out here."""
    if name in {"mask", "mask-image"}:
        return "(" in value
    if name == "content":
        return value.startswith("url(") or "gradient(" in value
    if "(" not in value:
        return False
    if _NOT_WORKED_OUT.search(value):
        return True
    if name in _COLOURS or name == "background-color":
        return shade(value) is None
    if name == "filter":
        return _OTHER_FILTERS.search(value) is not None
    if name == "opacity":
        return number(value) is None
    return name in {"display", "visibility"} or (name == "font-size" and px(value, 16.0) is None)


def _longhand(name: str, value: str) -> Declarations:
    """A shorthand as what it sets, its unnamed parts set back; anything else as it is."""
    if name == "font":
        return _font(value)
    if name == "background":
        return _background(value)
    if name in {"margin-inline", "margin-block", "inset-inline", "inset-block"}:
        words = _PARTS.findall(value)
        near, far = ("left", "right") if name.endswith("inline") else ("top", "bottom")
        prefix = "margin-" if name.startswith("margin") else ""
        return {prefix + near: words[0], prefix + far: words[-1]}
    if name == "overflow":
        words = value.split()
        return {"overflow-x": words[0], "overflow-y": words[-1]}
    if name in {"margin", "inset", "padding"}:
        words = _PARTS.findall(value)[:4]
        top, right, bottom, left = (words * 4)[:4] if len(words) != 3 else [*words, words[1]]
        if name == "padding":
            return {"padding-left": left}
        prefix = "margin-" if name == "margin" else ""
        return dict(zip((prefix + side for side in _SIDES), (top, right, bottom, left), strict=True))
    if name == "text-indent":
        return {name: next((word for word in _PARTS.findall(value) if word not in {"hanging", "each-line"}), value)}
    return {name: value}


def _background(value: str) -> Declarations:
    """The colour, the picture and what is filled; nothing if there is a word in it that no background has."""
    words = _PARTS.findall(value)
    if not all(
        "(" in word or word in _ANYWHERE or _BACKGROUND_WORD.fullmatch(word) or _SIZE.fullmatch(word) or _is_colour(word) for word in words
    ):
        return {}
    return {"background-color": value, "background-image": value, "background-clip": "text" if "text" in words else "border-box"}


def _font(value: str) -> Declarations:
    if value in {"inherit", "unset"}:
        return {"font-size": "inherit", "line-height": "inherit"}
    if value in _SYSTEM_FONTS:
        return {"font-size": "13px", "line-height": "normal", "font-size-adjust": "none"}
    found = _FONT_SIZE.search(value)
    return {"font-size": found[1], "line-height": found[2] or "normal", "font-size-adjust": "none"} if found else {}


def _inert(found: re.Match[str]) -> str:
    text = found[0]
    if text.startswith("/*"):
        before, after = found.string[found.start() - 1 : found.start()], found.string[found.end() : found.end() + 1]
        return _APART if _IN_NAME.fullmatch(before) and _IN_NAME.fullmatch(after) else ""
    if text.startswith("url("):
        return "url()"
    return '""' if not _STRUCTURAL.isdisjoint(text) else text
