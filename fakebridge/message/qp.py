"""Transfer encodings as Bridge writes them: quoted-printable with lines of at most 76, base64 in lines of 76.

``quoted_printable`` keeps line ends (a lone CR or LF becomes CRLF), encodes a blank at the end of a line and wraps with ``=``
(dialogues 14, 20, 43). ``base64_lines`` has no line end behind its last line.
"""

import base64
import re
from typing import Final

_LINE: Final = 76
_SAFE: Final = re.compile(rb"[\t !-<>-~]*[!-<>-~]|")
_TOKENS: Final = [bytes((o,)) if o in b"\t " or (0x21 <= o <= 0x7E and o != 0x3D) else b"=%02X" % o for o in range(256)]
_LINE_END: Final = re.compile(rb"\r\n|\r|\n")


def quoted_printable(octets: bytes) -> bytes:
    """The octets in quoted-printable; cost is linear in the input."""
    out: list[bytes] = []
    position = 0
    for match in _LINE_END.finditer(octets):
        out += (_line(octets[position : match.start()]), b"\r\n")
        position = match.end()
    out.append(_line(octets[position:]))
    return b"".join(out)


def _line(line: bytes) -> bytes:
    """One line without its line end."""
    if len(line) < _LINE and _SAFE.fullmatch(line):
        return line
    out: list[bytes] = []
    width = 0
    tokens = [_TOKENS[octet] for octet in line]
    if tokens and tokens[-1] in {b" ", b"\t"}:
        # A blank at the end is put on the line as it is and encoded when the end is seen: on this line if three more fit, else the next.
        blank = tokens.pop()
        out, width = _wrapped([*tokens, blank])
        out.pop()
        width -= 1
        tokens = [b"=%02X" % blank[0]]
    more, _ = _wrapped(tokens, width)
    return b"".join(out + more)


def _wrapped(tokens: list[bytes], width: int = 0) -> tuple[list[bytes], int]:
    """The tokens with soft line ends between them, from that column on, and the column reached."""
    out: list[bytes] = []
    for token in tokens:
        if width + len(token) > _LINE - 1:
            out.append(b"=\r\n")
            width = 0
        out.append(token)
        width += len(token)
    return out, width


def base64_lines(octets: bytes) -> bytes:
    """The octets in base64, lines of 76 separated by CRLF."""
    encoded = base64.b64encode(octets)
    return b"\r\n".join(encoded[at : at + _LINE] for at in range(0, len(encoded), _LINE))
