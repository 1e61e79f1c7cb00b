"""Japanese mail as its programs write it: with the characters that Windows added to JIS X 0208, which the standard codecs lack."""

from __future__ import annotations

import re
from typing import Final

# RFC 1468; ESC ( I is half-width katakana, ESC $ ( D is JIS X 0212 (RFC 2237).
_ESCAPE: Final = re.compile(rb"(\x1b\$[@B]|\x1b\$\([@BD]|\x1b\([BJIH])")
_ASCII: Final = b"\x1b(B"
_DOUBLE: Final = re.compile(rb"[\x21-\x7e]{2}")
_SINGLE: Final = re.compile(rb"[\x21-\x5f]")
_EUC: Final = re.compile(
    rb"(?P<double>(?:[\xa1-\xfe]{2})+)|(?P<kana>(?:\x8e[\xa1-\xdf])+)|(?P<rare>(?:\x8f[\xa1-\xfe]{2})+)|(?P<plain>[\x00-\x7f]+)|[\x80-\xff]"
)
_HIGH: Final = re.compile(rb"[\xa1-\xfe]{2}")


def iso_2022_jp(octets: bytes) -> tuple[str, bool]:
    """The text, and whether each line returns to ASCII as RFC 1468 demands. What can't be read is U+FFFD. Linear; never raises.

    A line that doesn't return ends its escape all the same, so that what follows can't hide behind it.
    """
    lines = octets.split(b"\n")
    read = [_line(line) for line in lines]
    return "\n".join(text for text, _ in read), all(closed for _, closed in read)


def euc_jp(octets: bytes) -> str:
    """The text of EUC-JP; what can't be read is U+FFFD. Linear; never raises."""
    return "".join(_euc_run(run) for run in _EUC.finditer(octets))


def is_iso_2022_jp(octets: bytes) -> bool:
    """Whether seven-bit octets switch to Japanese characters, which nothing but this encoding does."""
    return (b"\x1b$B" in octets or b"\x1b$@" in octets) and octets.isascii()


def _line(octets: bytes) -> tuple[str, bool]:
    pieces: list[str] = []
    mode = _ASCII
    for piece in _ESCAPE.split(octets):
        if _ESCAPE.fullmatch(piece):
            mode = piece
        elif mode == b"\x1b$(D":
            pieces.append((mode + piece + _ASCII).decode("iso2022_jp_1", "replace"))
        elif mode.startswith(b"\x1b$"):
            pieces.append(_DOUBLE.sub(lambda pair: _shifted(pair[0]), piece).decode("cp932", "replace"))
        elif mode == b"\x1b(I":
            pieces.append(_SINGLE.sub(lambda kana: bytes([kana[0][0] | 0x80]), piece).decode("cp932", "replace"))
        else:
            pieces.append(piece.decode("ascii", "replace"))
    return "".join(pieces), not mode.startswith(b"\x1b$")


def _euc_run(run: re.Match[bytes]) -> str:
    octets = run[0]
    match run.lastgroup:
        case "double":
            return _HIGH.sub(lambda pair: _shifted(bytes(octet & 0x7F for octet in pair[0])), octets).decode("cp932", "replace")
        case "kana":
            return octets.replace(b"\x8e", b"").decode("cp932", "replace")
        case "rare":
            return octets.decode("euc_jp", "replace")
        case "plain":
            return octets.decode("ascii")
        case _:
            return "\ufffd"


def _shifted(pair: bytes) -> bytes:
    """A character of JIS X 0208 (two octets 21 to 7E) in Shift_JIS, by the arithmetic that relates the two."""
    row, cell = pair[0] - 0x21, pair[1]
    lead = (row >> 1) + 0x81
    trail = cell + 0x7E if row % 2 else cell + 0x1F + (cell >= 0x60)
    return bytes([lead + 0x40 if lead > 0x9F else lead, trail])
