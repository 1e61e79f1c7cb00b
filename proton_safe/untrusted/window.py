"""The piece of a long text that one answer shows: from an offset, so many characters, and no more octets than an answer can carry."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from proton_safe.untrusted.clean import clean

# A text leaves twice, as structured content and as a block, in an answer of at most 1 MiB.
MAX_OCTETS: Final = 384_000
_ESCAPED_IN_JSON: Final = ('"', "\\", "\n", "\t")


@dataclass(frozen=True, slots=True)
class Window:
    """`text` of the whole; `next_offset` is where to read on, None at the end."""

    text: str
    next_offset: int | None

    @property
    def truncated(self) -> bool:
        """Whether text follows."""
        return self.next_offset is not None


def window(text: str, *, offset: int, max_chars: int) -> Window:
    """The window of a cleaned text. Beyond its end it is empty and nothing follows."""
    piece = text[offset : offset + max_chars]
    while _octets(piece) > MAX_OCTETS:
        # No character takes more than four octets, so this keeps at least a quarter and needs few rounds.
        piece = piece[: max(1, len(piece) * MAX_OCTETS // _octets(piece))]
    end = offset + len(piece)
    return Window(piece, end if end < len(text) else None)


def fitting(text: str) -> str:
    """The longest beginning of an uncleaned text that still fits into an answer when it has been cleaned, which can make it longer."""
    piece = text
    while (octets := _octets(clean(piece).text)) > MAX_OCTETS:
        piece = piece[: max(1, len(piece) * MAX_OCTETS // octets)]
    return piece


def _octets(piece: str) -> int:
    return len(piece.encode("utf-8", "replace")) + sum(piece.count(char) for char in _ESCAPED_IN_JSON)
