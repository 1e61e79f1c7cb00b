"""The little of CSS that decides whether text can be seen: declarations of a `style` attribute and simple rules of a `<style>` element.

Rules count if their selector is a tag, a class, an id, or a tag with one class; rules inside at-rules (`@media`) and other
selectors do not. Generated content (`::before`) is not evaluated. One pass, bounded input.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Declarations = dict[str, str]

MAX_SHEET_CHARS: Final = 131_072
MAX_INLINE_CHARS: Final = 4_096
MAX_RULES: Final = 4_000
MAX_SELECTORS: Final = 50
MAX_CLASSES: Final = 20
_MAX_VALUE_CHARS: Final = 200
_RELEVANT: Final = frozenset(
    {
        *("display", "visibility", "opacity", "filter", "font-size", "font", "line-height", "color", "background", "background-color"),
        *("background-image", "max-height", "height", "max-width", "width", "overflow", "overflow-x", "overflow-y", "clip", "clip-path"),
        *(
            "position",
            "left",
            "right",
            "top",
            "bottom",
            "text-indent",
            "margin",
            "margin-left",
            "margin-top",
            "transform",
            "zoom",
            "white-space",
        ),
    }
)
_IMPORTANT: Final = re.compile(r"!\s*important\s*\Z")
_BRACE: Final = re.compile(r"[{}]")
_SELECTOR: Final = re.compile(r"[a-z][a-z0-9]{0,20}|[a-z]?[a-z0-9]{0,20}\.[a-z0-9_-]{1,100}|#[a-z0-9_-]{1,100}")


@dataclass(slots=True)
class Sheet:
    """Simple rules by selector, each merged into one set of declarations; `important` ones win over a `style` attribute."""

    normal: dict[str, Declarations] = field(default_factory=dict)
    important: dict[str, Declarations] = field(default_factory=dict)
    rules: int = 0

    def of(self, name: str, attributes: Mapping[str, str | None], inline: Declarations) -> Declarations:
        """The declarations that hold for an element: tag, then class, then tag with class, then id, then its own, then important ones."""
        if not self.rules:
            return inline
        classes = (attributes.get("class") or "").lower().split()[:MAX_CLASSES]
        keys = [
            name,
            *(f".{each}" for each in classes),
            *(f"{name}.{each}" for each in classes),
            f"#{(attributes.get('id') or '').lower()}",
        ]
        merged: Declarations = {}
        for key in keys:
            merged.update(self.normal.get(key, {}))
        merged.update(inline)
        for key in keys:
            merged.update(self.important.get(key, {}))
        return merged


def declarations(text: str) -> Declarations:
    """The relevant declarations of a `style` attribute's first 4,096 characters, lower case, later ones winning."""
    normal, important = _declarations(_without_comments(text[:MAX_INLINE_CHARS].lower()))
    return {**normal, **important}


def sheet(texts: Iterable[str]) -> Sheet:
    """The simple rules of all `<style>` elements, at most 128 KiB and 4,000 rules."""
    made = Sheet()
    css = _without_comments("\n".join(texts)[:MAX_SHEET_CHARS].lower())
    at = 0
    while made.rules < MAX_RULES:
        opening = css.find("{", at)
        if opening < 0:
            break
        selectors = css[at:opening].rpartition(";")[2].strip()
        if selectors.startswith("@"):
            at = _end_of_block(css, opening)
            continue
        closing = css.find("}", opening)
        body = css[opening + 1 : closing if closing >= 0 else len(css)]
        _add(made, selectors.lstrip("}").strip(), body)
        if closing < 0:
            break
        at = closing + 1
    return made


def _add(made: Sheet, selectors: str, body: str) -> None:
    made.rules += 1
    normal, important = _declarations(body)
    if not normal and not important:
        return
    for selector in selectors.split(",")[:MAX_SELECTORS]:
        key = selector.strip()
        if _SELECTOR.fullmatch(key):
            made.normal.setdefault(key, {}).update(normal)
            made.important.setdefault(key, {}).update(important)


def _end_of_block(css: str, opening: int) -> int:
    depth = 0
    for match in _BRACE.finditer(css, opening):
        depth += 1 if match[0] == "{" else -1
        if depth == 0:
            return match.end()
    return len(css)


def _declarations(text: str) -> tuple[Declarations, Declarations]:
    normal: Declarations = {}
    important: Declarations = {}
    for declaration in text.split(";"):
        name, _, value = declaration.partition(":")
        name = name.strip()
        if name not in _RELEVANT:
            continue
        value = value.strip()[:_MAX_VALUE_CHARS]
        plain = _IMPORTANT.sub("", value).strip()
        (important if plain != value else normal)[name] = plain
    return normal, important


def _without_comments(css: str) -> str:
    pieces: list[str] = []
    at = 0
    while (opening := css.find("/*", at)) >= 0:
        pieces.append(css[at:opening])
        closing = css.find("*/", opening + 2)
        if closing < 0:
            return "".join(pieces)
        at = closing + 2
    pieces.append(css[at:])
    return "".join(pieces).replace("<!--", " ").replace("-->", " ")
