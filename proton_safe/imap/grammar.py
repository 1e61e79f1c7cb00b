"""One IMAP response as nested values: RFC 3501 section 9, plus the liberties that Bridge takes (Go string escapes, 8-bit text).

Pure: octets in, values or `BadSyntax` out, in linear time and without recursion. A response arrives as pieces, as the wire found
its boundaries: text, literal, text, literal, … text. Lines end where the text ends; no piece holds the CRLF of its line.
"""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence

# Nothing that is read here needs more than a few levels; a mail may have hundreds (multiparts inside multiparts).
MAX_DEPTH: Final = 50

Value: TypeAlias = "bytes | tuple[Value, ...] | None"
"""An atom (`Atom`) or string (`bytes`), NIL (`None`), or a parenthesised list."""


class BadSyntax(Exception):
    """What arrived is not IMAP, or is more of it than is allowed. Carries nothing that the peer wrote."""


class Atom(bytes):
    """An unquoted word: a keyword, a number, a flag."""

    __slots__ = ()


# 1 a quoted string's inside, 2 an opening and 3 a closing parenthesis, 4 what is no token; else a body section with its brackets and
# origin, or an atom. Something matches wherever a text goes on, so that no match is ever searched for. All repetitions are possessive,
# so that no input makes the pattern try again.
_TOKEN: Final = re.compile(
    rb" *+(?:"
    rb"(?i:BODY)\[[^\]\x00-\x1f\x7f]*+\](?:<[0-9]{1,10}+>)?+"
    rb'|"([^"\\\r\n]*+(?:\\[^\r\n][^"\\\r\n]*+)*+)"'
    rb"|(\()"
    rb"|(\))"
    rb'|[^\x00-\x20\x7f-\xff(){"]++'
    rb"|(.)"
    rb")",
    re.DOTALL,
)
_QUOTED: Final = 1
_OPEN: Final = 2
_CLOSE: Final = 3
_OTHER: Final = 4

# RFC 3501 knows \" and \\ only. Bridge quotes like Go's strconv: control octets and unprintable characters become escapes too.
_ESCAPE: Final = re.compile(rb"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))", re.DOTALL)
_GO_LETTERS: Final = {b"a": b"\a", b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"v": b"\v"}
_LAST_CODE_POINT: Final = 0x10FFFF


def parse(pieces: Sequence[bytes]) -> tuple[Value, ...]:
    """The values of one response. Raises `BadSyntax` for anything else.

    Lists are kept `MAX_DEPTH` levels deep. What is nested deeper is checked like the rest and then left out: such a list is `()`.
    """
    lists: list[list[Value]] = [[]]
    for number_of_piece, piece in enumerate(pieces):
        if number_of_piece % 2:
            lists[-1].append(piece)
        elif number_of_piece + 1 < len(pieces) and piece[-1:] not in {b" ", b"("}:
            raise BadSyntax  # a literal in the middle of a word
        else:
            _parse_text(piece.rstrip(b" "), lists)
    if len(lists) != 1:
        raise BadSyntax
    return tuple(lists[0])


def parse_cut(pieces: Sequence[bytes]) -> tuple[Value, ...]:
    """The whole name and value pairs in the one list with which `pieces` begin, when the rest was cut off anywhere."""
    lists: list[list[Value]] = [[]]
    try:
        for number_of_piece, piece in enumerate(pieces):
            if number_of_piece % 2:
                lists[-1].append(piece)
            else:
                _parse_text(piece.rstrip(b" "), lists)
    except BadSyntax:
        pass  # the cut went through a string
    if len(lists) < 2 or lists[0]:
        raise BadSyntax
    pairs = lists[1]
    if len(lists) > 2 and pairs and isinstance(pairs[-1], Atom) and pairs[-1].upper() == b"BODYSTRUCTURE":
        begun = _whole_parts(lists[2 : MAX_DEPTH + 1])
        return (*pairs[:-1], pairs[-1], begun) if begun else tuple(pairs[:-1])
    # Without its value a name is worth nothing; the last value may be cut.
    return tuple(pairs[: -1 if len(pairs) % 2 else max(0, len(pairs) - 2)])


def _whole_parts(lists: list[list[Value]]) -> tuple[Value, ...]:
    """Of the open lists of a body structure that was cut: the parts that are whole, as a multipart without its subtype."""
    found: tuple[Value, ...] = ()
    for values in reversed(lists):
        whole = tuple(itertools.takewhile(lambda each: isinstance(each, tuple), values))
        found = (*whole, found) if found else whole
    return found


def _parse_text(text: bytes, lists: list[list[Value]]) -> None:
    """Add the values in `text`, which does not end in a blank, to the innermost of the open `lists`."""
    values = lists[-1]
    for token in _TOKEN.finditer(text):
        kind = token.lastindex
        if kind == _QUOTED:
            inside = token[_QUOTED]
            values.append(unescaped(inside) if b"\\" in inside else inside)
        elif kind == _OPEN:
            if len(lists) <= MAX_DEPTH + 1:
                values = []  # deeper ones share the last, whose content is dropped
            lists.append(values)
        elif kind == _CLOSE:
            if len(lists) == 1:
                raise BadSyntax
            lists.pop()
            lists[-1].append(tuple(values) if len(lists) <= MAX_DEPTH else ())
            values = lists[-1]
        elif kind == _OTHER:
            raise BadSyntax
        else:
            word = token[0].lstrip(b" ")
            values.append(None if len(word) == 3 and word.upper() == b"NIL" else Atom(word))


def is_structure(value: Value) -> bool:
    """Whether BODYSTRUCTURE has a body's shape: behind the parts of a multipart stands its subtype (RFC 3501 9, body-type-mpart).

    That much holds for any mail, since it is Bridge that writes it; what the words say is up to the mail and isn't looked at.
    """
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, tuple) and part and isinstance(part[0], tuple):
            parts = list(itertools.takewhile(lambda each: isinstance(each, tuple), part))
            if len(parts) == len(part):
                return False
            waiting.extend(parts)
    return value is None or isinstance(value, tuple)


def unescaped(inside: bytes) -> bytes:
    r"""The octets that a quoted string stands for: `\"` and `\\` (RFC 3501), and Go's escapes (bridge-behaviour 3.6)."""
    return _ESCAPE.sub(_octets, inside)


def _octets(escape: re.Match[bytes]) -> bytes:
    octet, short, long, letter = escape.groups()
    if octet is not None:
        return bytes([int(octet, 16)])
    if letter is not None:
        return _GO_LETTERS.get(letter, letter)
    point = int(short or long, 16)
    if point > _LAST_CODE_POINT:
        return b"\xef\xbf\xbd"
    return chr(point).encode("utf-8", "replace")


def number(value: Value, *, lowest: int = 0) -> int:
    """An nz-number or number of RFC 3501: decimal digits, `lowest` to 2**32-1, no leading zeros. Raises `BadSyntax`."""
    if not isinstance(value, Atom) or len(value) > 10 or not value.isdigit() or (value[:1] == b"0" and len(value) > 1):
        raise BadSyntax
    found = int(value)
    if not lowest <= found < 2**32:
        raise BadSyntax
    return found
