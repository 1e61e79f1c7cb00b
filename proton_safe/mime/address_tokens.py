"""An address field's characters as tokens: atoms, quoted strings, comments, domain literals, specials, blanks (RFC 5322 3.2).

One pass from left to right. A quote, comment or literal that never ends is taken as ordinary text from its first character on,
and after that no further one is looked for, so that the cost stays linear.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_SPECIALS: Final = frozenset("<>,;:")
# Octets stand for themselves here (latin-1), so only the blanks of ASCII are blanks.
_ATOM: Final = re.compile(r"(?:[^\s<>,;:@()\[\]\"\\=]|=(?!\?))+|=", re.ASCII)
_BLANK: Final = re.compile(r"\s+", re.ASCII)
# An encoded word is one atom even where its text holds a special character that it should not.
_ENCODED_WORD: Final = re.compile(r"=\?[^?\s]{1,60}\?[bBqQ]\?[^?\s]*\?=", re.ASCII)
_QUOTED: Final = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_LITERAL: Final = re.compile(r"\[[^\[\]\\]*\]")
_ESCAPED: Final = re.compile(r"\\(.)", re.DOTALL)


class Kind(Enum):
    """What a token is."""

    ATOM = auto()
    QUOTED = auto()
    COMMENT = auto()
    SPECIAL = auto()
    BLANK = auto()


@dataclass(frozen=True, slots=True)
class Token:
    """A token's meaning (`text`, without quotes and escapes) and how it was written (`source`)."""

    kind: Kind
    text: str
    source: str


def tokens(text: str) -> Iterator[Token]:
    """All tokens of `text` in order; together their sources are `text`."""
    at = 0
    plain: set[str] = set()
    while at < len(text):
        char = text[at]
        token = None
        if char in '"([' and char not in plain:
            token = _enclosed(text, at)
            if token is None:
                plain.add(char)
        if token is None:
            token = _simple(text, at)
        at += len(token.source)
        yield token


def _simple(text: str, at: int) -> Token:
    char = text[at]
    if char in _SPECIALS:
        return Token(Kind.SPECIAL, char, char)
    if blank := _BLANK.match(text, at):
        return Token(Kind.BLANK, " ", blank[0])
    if word := _ENCODED_WORD.match(text, at):
        return Token(Kind.ATOM, word[0], word[0])
    if atom := _ATOM.match(text, at):
        return Token(Kind.ATOM, atom[0], atom[0])
    # `@` stands alone, and so do the characters that have no place here.
    return Token(Kind.ATOM if char == "@" else Kind.SPECIAL, char, char)


def _enclosed(text: str, at: int) -> Token | None:
    if text[at] == '"':
        quoted = _QUOTED.match(text, at)
        return Token(Kind.QUOTED, _ESCAPED.sub(r"\1", quoted[1]), quoted[0]) if quoted else None
    if text[at] == "[":
        literal = _LITERAL.match(text, at)
        return Token(Kind.ATOM, literal[0], literal[0]) if literal else None
    return _comment(text, at)


def _comment(text: str, at: int) -> Token | None:
    depth = 0
    end = at
    while end < len(text):
        char = text[end]
        if char == "\\":
            end += 1
        elif char == "(":
            depth += 1
        elif char == ")":
            depth -= 1
            if depth == 0:
                source = text[at : end + 1]
                return Token(Kind.COMMENT, _ESCAPED.sub(r"\1", source[1:-1]), source)
        end += 1
    return None
