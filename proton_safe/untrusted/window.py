"""The piece of a long text that one answer shows: from an offset, so many characters, and no more octets than an answer can carry."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from proton_safe.untrusted.clean import clean

MAX_ANSWER_OCTETS: Final = 1024 * 1024
# A text leaves twice, as structured content and as a block.
MAX_OCTETS: Final = 384_000
_ESCAPED_IN_JSON: Final = ('"', "\\", "\n", "\t")
# What is around the result in its line: the names of JSON-RPC, the marks of the fence.
_AROUND_OCTETS: Final = 4_096
_MOST_OCTETS: Final = 4


@dataclass(frozen=True, slots=True)
class Window:
    """`text` of the whole; `next_offset` is where to read on, None at the end."""

    text: str
    next_offset: int | None

    @property
    def truncated(self) -> bool:
        """Whether text follows."""
        return self.next_offset is not None


def window(text: str, *, offset: int, max_chars: int, max_octets: int = MAX_OCTETS) -> Window:
    """The window of a cleaned text. Beyond its end it is empty and nothing follows."""
    piece = text[offset : offset + max_chars]
    # No character takes more than four octets.
    while _MOST_OCTETS * len(piece) > max_octets and len(piece) > 1 and (octets := octets_in_json(piece)) > max_octets:
        # This keeps at least a quarter and needs few rounds.
        piece = piece[: max(1, len(piece) * max_octets // octets)]
    end = offset + len(piece)
    return Window(piece, end if end < len(text) else None)


def fitting(text: str) -> str:
    """The longest beginning of an uncleaned text that still fits into an answer when it has been cleaned, which can make it longer."""
    piece = text
    while (octets := octets_in_json(clean(piece).text)) > MAX_OCTETS:
        piece = piece[: max(1, len(piece) * MAX_OCTETS // octets)]
    return piece


def room_beside(octets: int, escaped_again: int) -> int:
    """How many octets a text may have in an answer whose other fields take these, as structured content and as text in a text."""
    return max(0, min(MAX_OCTETS, (MAX_ANSWER_OCTETS - _AROUND_OCTETS - octets - escaped_again) // 2))


def octets_in_json(piece: str) -> int:
    """How many octets a cleaned text takes as a JSON string in UTF-8, without its quotes."""
    return len(piece.encode("utf-8", "replace")) + sum(piece.count(char) for char in _ESCAPED_IN_JSON)
