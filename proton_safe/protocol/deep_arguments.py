"""Reads a line that nests too deeply for json, if only `params.arguments` does: a fault takes their place, the rest is the message.

Walks the two outer objects by hand and steps over the arguments by counting brackets: linear, without recursion.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from proton_safe.protocol.arguments import TOO_DEEP
from proton_safe.protocol.frames import decoder, object_maker

if TYPE_CHECKING:
    from collections.abc import Callable

    Reader = Callable[[str, int], tuple[object, int]]

_BLANKS: Final = re.compile(r"[ \t\r\n]*")
_STEPS: Final = re.compile(r'[\[{]+|[\]}]+|"(?:[^"\\]|\\.)*"')


def without_arguments(text: str) -> object:
    """The message with a fault for its arguments. Raises ValueError when more than they can't be read."""
    try:
        return _Outer().message(text)
    except (IndexError, RecursionError):
        raise ValueError("not JSON") from None


class _Outer:
    """The two outer objects of a message."""

    def __init__(self) -> None:
        self._made = object_maker()
        self._values = decoder(self._made)

    def message(self, text: str) -> object:
        value, end = self._members(text, _after_blanks(text, 0), {"params": self._params})
        if _after_blanks(text, end) != len(text):
            raise ValueError("text after the message")
        return value

    def _params(self, text: str, start: int) -> tuple[object, int]:
        if text[start] != "{":
            return self._values.raw_decode(text, start)
        return self._members(text, start, {"arguments": _stepped_over})

    def _members(self, text: str, start: int, readers: dict[str, Reader]) -> tuple[object, int]:
        """One object; members named in `readers` are read by those. An object that names a key twice has a fault for its value."""
        _expect(text, start, "{")
        pairs: list[tuple[str, object]] = []
        at = _after_blanks(text, start + 1)
        while text[at] != "}":
            key, at = self._values.raw_decode(text, at)
            if not isinstance(key, str):
                raise ValueError("not JSON")  # noqa: TRY004 - the text is at fault, not a type of ours
            at = _after_blanks(text, at)
            _expect(text, at, ":")
            at = _after_blanks(text, at + 1)
            read: Reader = readers.get(key) or self._values.raw_decode
            value, at = read(text, at)
            pairs.append((key, value))
            at = _after_blanks(text, at)
            if text[at] == ",":
                at = _after_blanks(text, at + 1)
                _expect(text, at, '"')
            else:
                _expect(text, at, "}")
        return self._made(pairs), at + 1


def _expect(text: str, at: int, character: str) -> None:
    if text[at] != character:
        raise ValueError("not JSON")


def _after_blanks(text: str, at: int) -> int:
    match = _BLANKS.match(text, at)
    return match.end() if match is not None else at


def _stepped_over(text: str, start: int) -> tuple[object, int]:
    """A fault, and where the value ends that begins here; it must be an object or a list."""
    if text[start] not in "[{":
        return decoder(object_maker()).raw_decode(text, start)
    depth = 0
    for step in _STEPS.finditer(text, start):
        first = step[0][0]
        if first == '"':
            continue
        depth += len(step[0]) if first in "[{" else -len(step[0])
        if depth <= 0:
            return TOO_DEEP, step.end() + depth
    raise ValueError("not closed")
