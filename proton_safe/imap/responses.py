"""What Bridge says, response by response: RFC 3501 section 7, and the odd lines that Bridge adds. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, Final

from proton_safe.imap.grammar import Atom, BadSyntax, is_structure, parse, parse_cut

if TYPE_CHECKING:
    from collections.abc import Sequence

    from proton_safe.imap.grammar import Value

# 1 status word, 2 response code; the human-readable rest is never looked at.
_STATUS: Final = re.compile(rb"(OK|NO|BAD|BYE|PREAUTH)(?: \[([^\]\r\n]*)\])?(?: .*)?", re.DOTALL)
_NUMBERED: Final = re.compile(rb"(0|[1-9][0-9]{0,9}) (EXISTS|EXPUNGE|RECENT|FETCH)(?= |\Z)")
_NAMED: Final = re.compile(rb"[A-Z][A-Z0-9.-]{0,63}(?= |\Z)")
# A list row (RFC 3501 7.4.2, in the order in which rows are asked for) up to its envelope, which comes last and is what makes it long.
_ROW: Final = re.compile(rb' \(UID [0-9]++ FLAGS \([^()"\r\n]*+\) INTERNALDATE "[^"\r\n]*+" RFC822\.SIZE [0-9]++ ENVELOPE(?= \()')
_TAGGED: Final = re.compile(rb"([A-Za-z0-9]{1,16}) (.*)", re.DOTALL)


class Kind(Enum):
    """What sort of line it was."""

    DATA = auto()
    STATUS = auto()
    TAGGED = auto()
    CONTINUATION = auto()
    HEADLESS = auto()
    EMPTY = auto()


@dataclass(frozen=True, slots=True)
class Response:
    """One response. `word` is the status or data keyword, `code` the response code without its brackets, `tag` of a tagged one."""

    kind: Kind
    word: bytes = b""
    number: int = 0
    values: tuple[Value, ...] = ()
    code: bytes = b""
    tag: bytes = b""


_CONTINUATION: Final = Response(Kind.CONTINUATION)
_HEADLESS: Final = Response(Kind.HEADLESS)
_EMPTY: Final = Response(Kind.EMPTY)


def read(pieces: Sequence[bytes]) -> Response:
    """The response that the framed pieces hold. Raises `BadSyntax` for what is none."""
    line = pieces[0]
    if line.startswith(b"* "):
        return _status(line[2:], Kind.STATUS) or _data(pieces)
    if not line:
        return _EMPTY  # behind a NO whose text held a line end (bridge-behaviour 1.7)
    if line == b"+" or line.startswith(b"+ "):
        return _CONTINUATION  # Bridge's SASL one is `+` without a blank (bridge-behaviour 1.6)
    if line.startswith((b" BAD ", b" NO ")):
        return _HEADLESS  # an answer that lost its tag (bridge-behaviour 1.7)
    tagged = _TAGGED.fullmatch(line)
    answer = _status(tagged[2], Kind.TAGGED) if tagged else None
    if tagged is None or answer is None or answer.word not in {b"OK", b"NO", b"BAD"}:
        raise BadSyntax
    return Response(Kind.TAGGED, answer.word, code=answer.code, tag=tagged[1])


def read_cut(pieces: Sequence[bytes]) -> Response:
    """A FETCH response that was too long, with the items that stood before the cut; `BadSyntax` when UID isn't among them.

    Of a row's envelope nothing is read: begun, it would be left out all the same, and a hundred of them would take the call's whole time.
    """
    numbered = _NUMBERED.match(pieces[0][2:])
    if numbered is None or numbered[2] != b"FETCH":
        raise BadSyntax
    row = _ROW.match(pieces[0], 2 + numbered.end())
    items = parse_cut((row[0],) if row else (pieces[0][2 + numbered.end() :], *pieces[1:]))
    if not any(isinstance(name, Atom) and name.upper() == b"UID" for name in items[::2]):
        raise BadSyntax
    return Response(Kind.DATA, b"FETCH", int(numbered[1]), (items,))


def _status(text: bytes, kind: Kind) -> Response | None:
    status = _STATUS.fullmatch(text)
    return Response(kind, status[1], code=status[2] or b"") if status else None


def _data(pieces: Sequence[bytes]) -> Response:
    first = pieces[0][2:]
    numbered = _NUMBERED.match(first)
    if numbered:
        number = int(numbered[1])
        if number >= 2**32:
            raise BadSyntax
        values = parse((first[numbered.end() :], *pieces[1:]))
        if numbered[2] == b"FETCH" and not _is_fetch(values):
            raise BadSyntax
        return Response(Kind.DATA, numbered[2], number, values)
    named = _NAMED.match(first)
    if named is None:
        raise BadSyntax
    return Response(Kind.DATA, named[0], values=parse((first[named.end() :], *pieces[1:])))


def _is_fetch(values: tuple[Value, ...]) -> bool:
    """Whether this is one list of names with values (RFC 3501 9, msg-att), asked for or not. What may stand in it is up to its reader."""
    if len(values) != 1 or not isinstance(values[0], tuple) or len(values[0]) % 2:
        return False
    pairs = zip(values[0][::2], values[0][1::2], strict=True)
    return all(isinstance(name, Atom) and (name.upper() != b"BODYSTRUCTURE" or is_structure(value)) for name, value in pairs)
