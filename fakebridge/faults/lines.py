"""The octets of an IMAP answer as lines with their literals, so that a fault can alter one and leave the other alone. Pure.

Texts are what stands outside literals; `{n}` is not part of them. Written again unchanged, the octets are the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

_ANNOUNCED = re.compile(rb"\{(\d+)\}\Z")


@dataclass(frozen=True, slots=True)
class Line:
    """One response. `texts[i]` is followed by `literals[i]`; there is one text more than literals."""

    texts: tuple[bytes, ...]
    literals: tuple[bytes, ...] = ()

    def octets(self) -> bytes:
        """As written, CRLF at the end."""
        parts: list[bytes] = []
        for text, literal in zip(self.texts, self.literals, strict=False):
            parts += [text, b"{%d}\r\n" % len(literal), literal]
        return b"".join([*parts, self.texts[-1], b"\r\n"])

    def has_begin(self, begin: bytes) -> bool:
        """Whether it begins with these octets."""
        return self.texts[0].startswith(begin)

    def altered(self, change: Callable[[bytes], bytes]) -> Line:
        """With each text changed."""
        return replace(self, texts=tuple(change(text) for text in self.texts))


def split(answer: bytes) -> tuple[Line, ...]:
    """The lines of an answer. What is cut short at the end becomes a last line."""
    lines: list[Line] = []
    at = 0
    while at < len(answer):
        texts: list[bytes] = []
        literals: list[bytes] = []
        while True:
            end = answer.find(b"\r\n", at)
            text = answer[at:] if end < 0 else answer[at:end]
            at = len(answer) if end < 0 else end + 2
            announced = _ANNOUNCED.search(text)
            length = int(announced[1]) if announced else 0
            if announced is None or at + length > len(answer) or not at < len(answer):
                texts.append(text)
                break
            texts.append(text[: announced.start()])
            literals.append(answer[at : at + length])
            at += length
        lines.append(Line(tuple(texts), tuple(literals)))
    return tuple(lines)


def joined(lines: Iterable[Line]) -> bytes:
    """The octets of lines."""
    return b"".join(line.octets() for line in lines)
