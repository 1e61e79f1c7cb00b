"""ISO-2022-JP as mail programs write it: with the characters that Windows added to JIS X 0208, which the standard codec lacks."""

from __future__ import annotations

import re
from typing import Final

# RFC 1468; ESC ( I is half-width katakana, ESC $ ( D is JIS X 0212 (RFC 2237).
_ESCAPE: Final = re.compile(rb"(\x1b\$[@B]|\x1b\$\([@BD]|\x1b\([BJIH])")
_DOUBLE: Final = re.compile(rb"[\x21-\x7e]{2}")
_SINGLE: Final = re.compile(rb"[\x21-\x5f]")


def decode(octets: bytes) -> str:
    """The text; what can't be read is U+FFFD. Linear; never raises."""
    pieces: list[str] = []
    mode = b"\x1b(B"
    for piece in _ESCAPE.split(octets):
        if _ESCAPE.fullmatch(piece):
            mode = piece
        elif mode == b"\x1b$(D":
            pieces.append((mode + piece + b"\x1b(B").decode("iso2022_jp_1", "replace"))
        elif mode.startswith(b"\x1b$"):
            pieces.append(_DOUBLE.sub(lambda pair: _shifted(pair[0]), piece).decode("cp932", "replace"))
        elif mode == b"\x1b(I":
            pieces.append(_SINGLE.sub(lambda kana: bytes([kana[0][0] | 0x80]), piece).decode("cp932", "replace"))
        else:
            pieces.append(piece.decode("ascii", "replace"))
    return "".join(pieces)


def _shifted(pair: bytes) -> bytes:
    """A character of JIS X 0208 (two octets 21 to 7E) in Shift_JIS, by the arithmetic that relates the two."""
    row, cell = pair[0] - 0x21, pair[1]
    lead = (row >> 1) + 0x81
    trail = cell + 0x7E if row % 2 else cell + 0x1F + (cell >= 0x60)
    return bytes([lead + 0x40 if lead > 0x9F else lead, trail])
