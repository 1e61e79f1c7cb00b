"""Text that a sender chose, without what a reader can't see.

Characters that reorder text become visible escapes; other controls, zero-width and tag characters, surplus marks and lone
surrogates are left out; both are counted. Cleaning what was cleaned changes nothing. One pass, no normalisation (which is quadratic
on long runs of marks). The ranges are those of the Unicode Character Database; the reasons are in Unicode TR 36, 39 and 51.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache
from typing import Final

MAX_MARKS_IN_A_ROW: Final = 30
_MOST_PIECES: Final = 4_096
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
_SPECIAL_CLASS: Final = f"{_BIDI}{_JOINERS}{_SELECTORS}{_REMOVED}{_NONCHARACTERS}"

_SPECIAL: Final = re.compile(f"[{_SPECIAL_CLASS}]")
_STAYING: Final = b"\t\n" + bytes(range(0x20, 0x7F))
# Runs in which anything can need a decision: special characters, and what is neither letter, digit, blank nor ASCII (marks among them).
_BUSY: Final = re.compile(f"(?:[{_SPECIAL_CLASS}]|[^\\w\\s\x00-\x7f])++")
_BIDI_CHAR: Final = re.compile(f"[{_BIDI}]")
_JOINER: Final = re.compile(f"[{_JOINERS}]")
_SELECTOR: Final = re.compile(f"[{_SELECTORS}]")
_NONCHARACTER: Final = re.compile(f"[{_NONCHARACTERS}]")
_BREAK: Final = re.compile(f"[{_BREAKS_CLASS}]")
_BREAKS: Final = frozenset(LINE_BREAKS) - {"\n"}
_BLANKS: Final = re.compile(f"\r\n|[\n\t{_BREAKS_CLASS}]")
# Scripts whose letters change their shape at a joiner: Arabic and its neighbours, the scripts of India and South East Asia.
_JOINING_LETTER: Final = re.compile(
    "[\u0600-\u08ff\u0900-\u0dff\u1000-\u109f\u1780-\u17b3\u17b6-\u17ff\u1800-\u180a\u1810-\u18af\ufb50-\ufdcf\ufe70-\ufefc]"
)
_EMOJI: Final = re.compile("[\u2190-\u21ff\u2300-\u23ff\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]")
_IDEOGRAPH: Final = re.compile("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003fffd]")
# What U+FE0E and U+FE0F tell apart, besides emoji: digits of keycaps and signs that are text or picture (emoji-variation-sequences.txt).
_TEXT_OR_PICTURE: Final = re.compile(
    "[#*0-9\xa9\xae\u203c\u2049\u2122\u2139\u24c2\u25aa\u25ab\u25b6\u25c0\u25fb-\u25fe\u3030\u303d\u3297\u3299]"
)
# What the other variants belong to (StandardizedVariants.txt): mathematical signs, Myanmar letters, ideographs and their punctuation.
_VARIED: Final = re.compile(
    "[0\u2205-\u2aff\u1000-\u109f\uaa60-\uaa7f\u3001-\u30ff\u3400-\u9fff\uf900-\ufaff\uff01-\uff60\U00020000-\U0003fffd]"
)
# The three flags that are written with tag characters (Unicode TR 51, RGI_Emoji_Tag_Sequence): England, Scotland, Wales.
_FLAG_START: Final = "\U0001f3f4"
_FLAG: Final = re.compile(
    _FLAG_START
    + "\U000e0067\U000e0062(?:\U000e0065\U000e006e\U000e0067|\U000e0073\U000e0063\U000e0074|\U000e0077\U000e006c\U000e0073)\U000e007f"
)
_MARKS: Final = frozenset({"Mn", "Me"})


class _Kind(Enum):
    """What is done with a character of a busy run."""

    PLAIN = auto()
    MARK = auto()
    BIDI = auto()
    NONCHARACTER = auto()
    DEPENDS = auto()
    REMOVED = auto()


_STAY: Final = (_Kind.PLAIN, _Kind.MARK)


@dataclass(frozen=True, slots=True)
class Clean:
    """Cleaned text, how many characters were escaped and how many were left out."""

    text: str
    escaped: int = 0
    removed: int = 0


def clean(text: str) -> Clean:
    """Clean a text of several lines: every kind of line break becomes a line feed, tabs stay."""
    text = text.replace("\r\n", "\n")
    odd = _odd(text)
    if not odd.isdisjoint(_BREAKS):
        text, odd = _BREAK.sub("\n", text), odd - _BREAKS
    return _without_hidden(text, odd)


def clean_line(text: str) -> Clean:
    """Clean a text that must stay on one line: line breaks and tabs become blanks."""
    if text.isascii() and text.isprintable():
        return Clean(text)  # most texts: there is nothing to look for
    text = _BLANKS.sub(" ", text)
    return _without_hidden(text, _odd(text))


def _odd(text: str) -> frozenset[str]:
    """Each character of a text that is not one of ASCII which always stays, once. Most texts have few or none."""
    return frozenset(text.encode("utf-8", "surrogatepass").translate(None, _STAYING).decode("utf-8", "surrogatepass"))


def _without_hidden(text: str, odd: frozenset[str]) -> Clean:
    """`odd`: the characters of the text that may need a decision; where each is plain, none does, whatever they stand beside."""
    if all(_kind(char) is _Kind.PLAIN for char in odd):
        return Clean(text)
    kept = _Pieces()
    escaped = removed = done = 0
    for run in _BUSY.finditer(text):
        start, end = run.span()
        if end - start <= MAX_MARKS_IN_A_ROW and _SPECIAL.search(text, start, end) is None:
            continue  # punctuation, a few marks: nothing here needs a decision
        kept.add(text[done:start])
        part = _run(text, start, end)
        kept.add(part.text)
        escaped += part.escaped
        removed += part.removed
        done = end
    return Clean(text) if not done else Clean(kept.text() + text[done:], escaped, removed)


class _Pieces:
    """A text in the making. A piece of its own for each character would take a hundred times the room of the text."""

    def __init__(self) -> None:
        self._done: list[str] = []
        self._short: list[str] = []

    def add(self, piece: str) -> None:
        """Add a piece to the end."""
        self._short.append(piece)
        if len(self._short) >= _MOST_PIECES:
            self._done.append("".join(self._short))
            self._short.clear()

    def text(self) -> str:
        """All of it."""
        return "".join([*self._done, *self._short])


def _run(text: str, start: int, end: int) -> Clean:
    """A run of characters that need a decision; the character before it is none of them."""
    kept = _Pieces()
    before = text[start - 1] if start else ""
    escaped = removed = marks = 0
    flag_ends = start
    for at in range(start, end):
        char = text[at]
        kind = _kind(char)
        if kind in _STAY or at < flag_ends:
            marks = marks + 1 if kind is _Kind.MARK else 0
            if marks > MAX_MARKS_IN_A_ROW:
                removed += 1
                continue
            before = char
            if char == _FLAG_START and (flag := _FLAG.match(text, at)):
                flag_ends = flag.end()
        elif kind is _Kind.BIDI:
            escaped += 1
            before = f"\\u{{{ord(char):04x}}}"
        elif kind is _Kind.NONCHARACTER:
            removed += 1
            before = "\ufffd"
        elif kind is _Kind.DEPENDS and _may_stay(char, before=before, after=text[at + 1 : at + 2]):
            before = char
        else:
            removed += 1
            continue
        kept.add(before)
    return Clean(kept.text(), escaped, removed)


@lru_cache(maxsize=4_096)
def _kind(char: str) -> _Kind:
    if _SPECIAL.match(char) is None:
        return _Kind.MARK if unicodedata.category(char) in _MARKS else _Kind.PLAIN
    if _BIDI_CHAR.match(char):
        return _Kind.BIDI
    if _NONCHARACTER.match(char):
        return _Kind.NONCHARACTER
    return _Kind.DEPENDS if _JOINER.match(char) or _SELECTOR.match(char) else _Kind.REMOVED


def _may_stay(char: str, *, before: str, after: str) -> bool:
    """Whether an invisible character does visible work between its neighbours: joined letters and emoji, one variant of a glyph."""
    if _JOINER.match(char):
        if char == "\u200d" and after and _EMOJI.match(after):
            return bool(_EMOJI.match(before)) or before == "\ufe0f"
        # What follows must be a letter that surely stays: a mark could be one too many.
        return bool(_JOINING_LETTER.match(before) and _JOINING_LETTER.match(after)) and unicodedata.category(after).startswith("L")
    if _SELECTOR.match(char):
        return _chooses(char, before)
    return False


def _chooses(selector: str, before: str) -> bool:
    """Whether there are variants of the character before, so that the selector says something a person sees."""
    if selector >= "\U000e0100":
        return bool(_IDEOGRAPH.match(before))
    if selector >= "\ufe0e":
        return bool(_EMOJI.match(before) or _TEXT_OR_PICTURE.match(before))
    return bool(_VARIED.match(before))
