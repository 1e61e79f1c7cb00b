"""Text of a TXT or CSV attachment: decoded as far as the range needs, never interpreted (a CSV stays lines with commas)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from proton_safe.mime import charsets

if TYPE_CHECKING:
    from proton_safe.mime.defects import Defect

# The longest encoding of a character in the closed list of charsets, with its escape sequences.
_OCTETS_OF_A_CHAR: Final = 8


@dataclass(frozen=True, slots=True)
class PlainText:
    """The range asked for and the length of what was decoded; `cut`: octets follow that were not decoded."""

    text: str
    total_chars: int
    cut: bool
    warnings: tuple[Defect, ...] = ()


def read_text(octets: bytes, charset: str, *, offset_chars: int, max_chars: int) -> PlainText:
    """At most `max_chars` characters from `offset_chars` on; each line end counts as one line feed.

    A byte order mark wins over the declared charset, then UTF-8. Octets that don't fit the charset are told.
    """
    needed = (offset_chars + max_chars + 1) * _OCTETS_OF_A_CHAR
    cut = len(octets) > needed
    decoded = charsets.decode(octets[:needed], charset or None, complete=not cut)
    text = decoded.text.replace("\r\n", "\n").replace("\r", "\n")
    return PlainText(text[offset_chars : offset_chars + max_chars], len(text), cut, decoded.warnings)
