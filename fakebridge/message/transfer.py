"""Decoding of transfer encodings, with the tolerance and the error texts of Bridge's MIME parser.

``decode`` takes a part's body off the wire; ``KNOWN`` are the encodings it accepts. Only the draft and SMTP path uses it.
"""

import base64
import re
from typing import Final

from fakebridge.message.goquote import go_quote

KNOWN: Final = frozenset({"quoted-printable", "base64", "7bit", "8bit", "binary", ""})
_BUFFER: Final = 4096
_BAD: Final = re.compile(rb"[^A-Za-z0-9+/]")
_HEX: Final = frozenset(b"0123456789abcdefABCDEF")


class TransferError(Exception):
    """A body cannot be decoded; ``text`` is Bridge's sentence."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


def unhandled(encoding: str) -> str:
    """Bridge's sentence about an encoding it does not know."""
    return f"unhandled encoding {go_quote(encoding)}"


def decode(encoding: str, body: bytes) -> bytes:
    """The decoded body.

    Raises:
        TransferError: broken base64 or quoted-printable, or an encoding outside ``KNOWN``.
    """
    match encoding.lower():
        case "quoted-printable":
            return quoted_printable(body)
        case "base64":
            return base64_text(body)
        case name if name in KNOWN:
            return body
        case _:
            raise TransferError(unhandled(encoding))


def base64_text(body: bytes) -> bytes:
    """Base64 with CR and LF skipped.

    Raises:
        TransferError: any other octet, octets behind the padding, or an incomplete group.
    """
    text = body.replace(b"\r", b"").replace(b"\n", b"")
    bad = _BAD.search(text)
    end = bad.start() if bad else len(text)
    padding = text[end:]
    wanted = -end % 4
    if wanted == 3:
        raise TransferError(f"illegal base64 data at input byte {end}" if padding else "unexpected EOF")
    if padding and padding[: wanted or 1] != b"=" * (wanted or 1):
        raise TransferError(f"illegal base64 data at input byte {end}")
    if padding and (not wanted or len(padding) > wanted):
        raise TransferError(f"illegal base64 data at input byte {end + wanted}")
    if wanted and not padding:
        raise TransferError("unexpected EOF")
    return base64.b64decode(text[:end] + b"=" * wanted)


def quoted_printable(body: bytes) -> bytes:
    """Quoted-printable: blanks at line ends dropped, a stray ``=`` kept, a ``=`` at the very end dropped.

    Raises:
        TransferError: a control character, a broken soft line end, or a line of more than 4096 octets.
    """
    out: list[bytes] = []
    for line in body.splitlines(keepends=True) if b"\r" not in body.replace(b"\r\n", b"") else _lines(body):
        if len(line) > _BUFFER:
            raise TransferError("bufio: buffer full")
        out.append(_quoted_line(line, last=not line.endswith(b"\n")))
    return b"".join(out)


def _lines(body: bytes) -> list[bytes]:
    """Lines that end in LF, lone CRs kept inside."""
    lines = [line + b"\n" for line in body.split(b"\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines


def _quoted_line(line: bytes, *, last: bool) -> bytes:
    text = line.rstrip(b" \t\r\n")
    if text.endswith(b"="):
        rest = line[len(text) :]
        if not rest.startswith((b"\n", b"\r\n")) and not (last and not rest and len(text) > 1):
            raise TransferError(f"quotedprintable: invalid bytes after =: {go_quote(rest.decode('latin-1'))}")
        text = text[:-1]
    elif line.endswith(b"\r\n"):
        text += b"\r\n"
    elif line.endswith(b"\n"):
        text += b"\n"
    if b"=" not in text and all(octet in b"\t\r\n" or 0x20 <= octet <= 0x7E or octet >= 0x80 for octet in text):
        return text
    return _unescape(text)


def _unescape(text: bytes) -> bytes:
    out = bytearray()
    position = 0
    while position < len(text):
        octet = text[position]
        if octet == 0x3D:
            pair = text[position + 1 : position + 3]
            if len(pair) == 2 and _HEX.issuperset(pair):
                out.append(int(pair, 16))
                position += 3
                continue
            if not pair or pair[:1] in {b"\r", b"\n"}:
                raise TransferError("unexpected EOF" if len(pair) < 2 else f"quotedprintable: invalid hex byte 0x{pair[0]:02x}")
        elif octet not in b"\t\r\n" and (octet < 0x20 or octet == 0x7F):
            raise TransferError(f"quotedprintable: invalid unescaped byte 0x{octet:02x} in body")
        out.append(octet)
        position += 1
    return bytes(out)
