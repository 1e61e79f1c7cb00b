"""Text and octets as printable ASCII lines: header values, quoted-printable, base64, file name parameters.

Every line is at most 76 octets long (RFC 2045 6.7, 6.8, RFC 2047 2), except a file name parameter, which stays one line below 998.
Nothing depends on a library's idea of folding, so that what is read back is exactly what was put in.
"""

from __future__ import annotations

import base64
import re
from types import MappingProxyType
from typing import Final

MAX_LINE: Final = 76
# So many octets are made lines at a time (a line stands for 57), lest a large file is held as a million small values.
_PIECE_OCTETS: Final = 57 * 1_024

_PLAIN_VALUE: Final = re.compile(r"[!-~]+(?: [!-~]+)*")
_WORD_STARTS: Final = MappingProxyType({"q": "=?utf-8?q?", "b": "=?utf-8?b?"})
_WORD_END: Final = "?="
_MAX_WORD: Final = 75
_WORD_SAFE: Final = re.compile(r"[A-Za-z0-9!*+/-]")
# A line that is its own encoding: printable, short, no blank at its end.
_PLAIN_LINE: Final = re.compile(r"(?:[\t !-<>-~]{0,75}[!-<>-~])?")
_ESCAPES: Final = MappingProxyType(
    {octet: f"={octet:02X}" for octet in range(256) if not 32 <= octet < 127 and octet != 9} | {ord("="): "=3D"}
)
_BLANK_AT_END: Final = re.compile(r"[ \t]$")
# What Bridge, an mbox file or a careless mail program would take for something else at the beginning of a line.
_LINE_START: Final = re.compile(r">?From |--|\.")
_FILENAME_PLAIN: Final = re.compile(r"[A-Za-z0-9!#$&+^_`{}~.,;=()\[\]@' -]+")
_FILENAME_SAFE: Final = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!#$&+^_`{}~.-")


def header_field(name: str, text: str) -> str:
    """A field with unstructured text. Plain ASCII that fits on the line stands as it is, anything else as encoded words.

    Text that looks like an encoded word is encoded too, so that it stays literal (RFC 2047 5).
    """
    plain = f"{name}: {text}"
    if not text:
        return f"{name}:"
    if len(plain) <= MAX_LINE and "=?" not in text and _PLAIN_VALUE.fullmatch(text):
        return plain
    return f"{name}: " + "\r\n ".join(_words(text, first_line_used=len(name) + 2))


def list_field(name: str, items: tuple[str, ...], *, separator: str = ",") -> str:
    """A field of items, as many on a line as fit. The name stands in front."""
    lines = [f"{name}:"]
    for number, item in enumerate(items):
        written = " " + item + (separator if number < len(items) - 1 else "")
        if number and len(lines[-1]) + len(written) > MAX_LINE:
            lines.append("")
        lines[-1] += written
    return "\r\n".join(lines)


def filename_parameter(name: str) -> str:
    """`filename="…"` for plain ASCII names, else `filename*=utf-8''…` (RFC 2231 4)."""
    if _FILENAME_PLAIN.fullmatch(name):
        return f'filename="{name}"'
    escaped = "".join(chr(octet) if octet in _FILENAME_SAFE else f"%{octet:02X}" for octet in name.encode("utf-8"))
    return f"filename*=utf-8''{escaped}"


def quoted_printable(text: str) -> bytes:
    """Text whose line breaks are CR LF, as quoted-printable UTF-8 without a final line break (RFC 2045 6.7).

    No encoded line begins with `From `, `>From `, `--` or a dot.
    """
    return "\r\n".join(_quoted_line(line) for line in text.split("\r\n")).encode("ascii")


def base64_lines(octets: bytes) -> bytes:
    """Octets as lines of base64, with a final line break."""
    lines = bytearray()
    for start in range(0, len(octets), _PIECE_OCTETS):
        piece = base64.b64encode(octets[start : start + _PIECE_OCTETS])
        lines += b"\r\n".join([piece[at : at + MAX_LINE] for at in range(0, len(piece), MAX_LINE)]) + b"\r\n"
    return bytes(lines)


def base64_size(count: int) -> int:
    """How many octets `base64_lines` makes of `count` octets."""
    lines = -(-count // 57)
    return -(-count // 3) * 4 + 2 * lines


def _words(text: str, *, first_line_used: int) -> list[str]:
    """Encoded words, each of whole characters; in Q or B, whichever is shorter. The first shares its line with the field's name."""
    octets = text.encode("utf-8")
    letter = "q" if sum(len(_word_char(char)) for char in text) * 3 <= len(octets) * 4 else "b"
    start = _WORD_STARTS[letter]
    room = _MAX_WORD - len(start) - len(_WORD_END)
    left = min(room, MAX_LINE - first_line_used - len(start) - len(_WORD_END))
    pieces: list[str] = []
    piece, used = "", 0
    for char in text:
        size = len(_word_char(char)) if letter == "q" else len(char.encode("utf-8"))
        if used + size > (left if letter == "q" else left // 4 * 3):
            pieces.append(piece)
            piece, used, left = "", 0, room
        piece += char
        used += size
    return [start + _WRITERS[letter](piece) + _WORD_END for piece in (*pieces, piece)]


def _in_q(text: str) -> str:
    return "".join(map(_word_char, text))


def _in_b(text: str) -> str:
    return base64.b64encode(text.encode("utf-8")).decode("ascii")


_WRITERS: Final = MappingProxyType({"q": _in_q, "b": _in_b})


def _word_char(char: str) -> str:
    if char == " ":
        return "_"
    return char if _WORD_SAFE.fullmatch(char) else "".join(f"={octet:02X}" for octet in char.encode("utf-8"))


def _quoted_line(line: str) -> str:
    if _PLAIN_LINE.fullmatch(line) and not _LINE_START.match(line):
        return line
    escaped = line.encode("utf-8").decode("latin-1").translate(_ESCAPES)
    escaped = _BLANK_AT_END.sub(lambda found: f"={ord(found[0]):02X}", escaped)
    pieces: list[str] = []
    place = 0
    while True:
        guard = ""
        if _LINE_START.match(escaped, place):
            guard = f"={ord(escaped[place]):02X}"
            place += 1
        if len(guard) + len(escaped) - place <= MAX_LINE:
            return "=\r\n".join((*pieces, guard + escaped[place:]))
        end = place + MAX_LINE - 1 - len(guard)
        # An escape of three characters stays whole.
        end -= next((back for back in (1, 2) if escaped[end - back] == "="), 0)
        pieces.append(guard + escaped[place:end])
        place = end
