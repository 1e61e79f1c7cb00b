"""Numbers of list items as HTML gives them: `start`, `value`, `reversed`, and letters or Roman numerals by `type`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from justhtml.dom import Element

LISTS: Final = frozenset({"ol", "ul", "menu", "dir"})
BULLET: Final = "-"
_INTEGER: Final = re.compile(r"\s*([+-]?[0-9]{1,9})")
_ROMAN: Final = (
    *((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l")),
    *((40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
)


class Numbering:
    """The marks of one list's items, in order."""

    def __init__(self, element: Element) -> None:
        attributes = element.attrs
        self._ordered = element.name == "ol"
        self._type = attributes.get("type") or ""
        self._step = -1 if "reversed" in attributes else 1
        items = sum(child.name == "li" for child in element.children) if self._ordered and self._step < 0 else 1
        self._next = integer(attributes.get("start"), items)

    def mark(self, item: Element) -> str:
        """The mark of the next item."""
        if not self._ordered:
            return BULLET
        number = integer(item.attrs.get("value"), self._next)
        self._next = number + self._step
        return f"{written(number, item.attrs.get('type') or self._type)}."


def integer(text: str | None, otherwise: int) -> int:
    """The number that an attribute begins with."""
    match = _INTEGER.match(text or "")
    return int(match[1]) if match else otherwise


def written(number: int, style: str) -> str:
    """A list number in letters (`a`, `A`), Roman numerals (`i`, `I`) or digits."""
    if style in {"a", "A"} and number > 0:
        letters = ""
        while number:
            number, place = divmod(number - 1, 26)
            letters = chr(ord(style) + place) + letters
        return letters
    if style in {"i", "I"} and 0 < number < 4_000:
        roman = ""
        for worth, letter in _ROMAN:
            roman += letter * (number // worth)
            number %= worth
        return roman if style == "i" else roman.upper()
    return str(number)
