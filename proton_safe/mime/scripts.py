"""Which scripts a domain label mixes: what makes a name with one Cyrillic letter look like one that is known.

A character's script is taken from the first word of its Unicode name, which is exact enough to tell alphabets apart.
"""

from __future__ import annotations

import unicodedata
from typing import Final

MAX_LABEL_CHARS: Final = 63
# UTS 39 5.2, "highly restrictive": scripts that one language writes together.
_TOGETHER: Final = (
    frozenset({"LATIN", "CJK", "HIRAGANA", "KATAKANA"}),
    frozenset({"LATIN", "CJK", "BOPOMOFO"}),
    frozenset({"LATIN", "CJK", "HANGUL"}),
)
_COMMON: Final = frozenset({"DIGIT", "HYPHEN-MINUS", "LOW", "FULL", "KATAKANA-HIRAGANA", "IDEOGRAPHIC", "COMBINING", "MIDDLE"})


def unicode_label(label: str) -> str:
    """A domain label with its `xn--` form undone (RFC 3492); as it is where that fails."""
    if not label.lower().startswith("xn--") or len(label) > MAX_LABEL_CHARS or not label.isascii():
        return label
    try:
        return label[4:].encode("ascii").decode("punycode")
    except (UnicodeError, ValueError, OverflowError):
        return label


def mixed(label: str) -> bool:
    """Whether a label's letters come from scripts that no language writes together."""
    letters = unicode_label(label)[:MAX_LABEL_CHARS]
    if letters.isascii():
        return False  # all letters of ASCII are Latin
    scripts = {_script(char) for char in letters} - {""}
    return len(scripts) > 1 and not any(scripts <= together for together in _TOGETHER)


def _script(char: str) -> str:
    if char.isascii() and not char.isalpha():
        return ""  # signs such as `>` in what is no domain
    first = unicodedata.name(char, "UNKNOWN").partition(" ")[0]
    return "" if first in _COMMON else first
