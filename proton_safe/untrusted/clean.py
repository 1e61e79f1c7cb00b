"""Text that a sender chose, without what a reader can't see.

Characters that reorder text become visible escapes; other controls, zero-width and tag characters, surplus marks and lone
surrogates are left out; both are counted. Cleaning what was cleaned changes nothing. One pass, no normalisation (which is quadratic
on long runs of marks). The ranges are those of the Unicode Character Database; the reasons are in Unicode TR 36 and 39.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Final

MAX_MARKS_IN_A_ROW: Final = 30
LINE_BREAKS: Final = "\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"

_BIDI: Final = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_JOINERS: Final = "\u200c\u200d"
_SELECTORS: Final = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
_REMOVED: Final = (
    "\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f\xad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u2060-\u2065\u206a-\u206f"
    "\u3164\ud800-\udfff\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e00ff\U000e01f0-\U000e0fff"
)
_NONCHARACTERS: Final = "\ufdd0-\ufdef" + "".join(f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0, 0x110000, 0x10000))
_BREAKS_CLASS: Final = "\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029"

_SPECIAL: Final = re.compile(f"[{_BIDI}{_JOINERS}{_SELECTORS}{_REMOVED}{_NONCHARACTERS}]")
_BIDI_CHAR: Final = re.compile(f"[{_BIDI}]")
_JOINER: Final = re.compile(f"[{_JOINERS}]")
_SELECTOR: Final = re.compile(f"[{_SELECTORS}]")
_NONCHARACTER: Final = re.compile(f"[{_NONCHARACTERS}]")
_BREAK: Final = re.compile(f"\r\n|[{_BREAKS_CLASS}]")
_BLANKS: Final = re.compile(f"\r\n|[\n\t{_BREAKS_CLASS}]")
# Scripts whose letters change their shape at a joiner: Arabic and its neighbours, the scripts of India and South East Asia.
_JOINING_LETTER: Final = re.compile(
    "[\u0600-\u08ff\u0900-\u0dff\u1000-\u109f\u1780-\u17b3\u17b6-\u17ff\u1800-\u180a\u1810-\u18af\ufb50-\ufdcf\ufe70-\ufefc]"
)
_EMOJI: Final = re.compile("[\u2190-\u21ff\u2300-\u23ff\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]")
_IDEOGRAPH: Final = re.compile("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003fffd]")


@dataclass(frozen=True, slots=True)
class Clean:
    """Cleaned text, how many characters were escaped and how many were left out."""

    text: str
    escaped: int = 0
    removed: int = 0


def clean(text: str) -> Clean:
    """Clean a text of several lines: every kind of line break becomes a line feed, tabs stay."""
    return _without_hidden(_BREAK.sub("\n", text))


def clean_line(text: str) -> Clean:
    """Clean a text that must stay on one line: line breaks and tabs become blanks."""
    return _without_hidden(_BLANKS.sub(" ", text))


def _without_hidden(text: str) -> Clean:
    if text.isascii() and _SPECIAL.search(text) is None:
        return Clean(text)
    kept: list[str] = []
    escaped = removed = marks = 0
    for at, char in enumerate(text):
        if _SPECIAL.match(char) is None:
            marks = marks + 1 if not char.isascii() and unicodedata.category(char) in {"Mn", "Me"} else 0
            if marks > MAX_MARKS_IN_A_ROW:
                removed += 1
            else:
                kept.append(char)
        elif _BIDI_CHAR.match(char):
            escaped += 1
            kept.append(f"\\u{{{ord(char):04x}}}")
        elif _NONCHARACTER.match(char):
            removed += 1
            kept.append("\ufffd")
        elif _may_stay(char, before=kept[-1] if kept else "", after=text[at + 1 : at + 2]):
            kept.append(char)
        else:
            removed += 1
    return Clean("".join(kept), escaped, removed)


def _may_stay(char: str, *, before: str, after: str) -> bool:
    """Whether an invisible character does visible work between its neighbours: joined letters and emoji, one variant of a glyph."""
    if _JOINER.match(char):
        if char == "\u200d" and after and _EMOJI.match(after):
            return bool(_EMOJI.match(before)) or before == "\ufe0f"
        # What follows must be a letter that surely stays: a mark could be one too many.
        return bool(_JOINING_LETTER.match(before) and _JOINING_LETTER.match(after)) and unicodedata.category(after).startswith("L")
    if _SELECTOR.match(char):
        if char >= "\U000e0100":
            return bool(_IDEOGRAPH.match(before))
        return bool(before) and not before.isspace() and len(before) == 1 and _SELECTOR.match(before) is None
    return False
