"""Encoded words (RFC 2047): reading them, and writing them as Bridge does.

``encode`` turns a whole text into Q-encoded utf-8 words if it holds anything but printable ASCII, ``encode_b`` the same in base64
(display names with specials). A word holds at most 63 encoded characters and never cuts a letter (dialogues 14, 20, 23, 43).
"""

import base64
import binascii
from typing import Final

from fakebridge.message.charset import UnknownCharset, decoder_for

_WORD_CONTENT: Final = 63
_BASE64_CONTENT: Final = 45
_Q_PLAIN: Final = frozenset(range(0x21, 0x7F)) - frozenset(b"=?_")
_HEX: Final = frozenset(b"0123456789abcdefABCDEF")


class WordError(Exception):
    """An encoded word cannot be read; ``text`` is Bridge's sentence."""

    def __init__(self, text: str = "mime: invalid RFC 2047 encoded-word") -> None:
        super().__init__(text)
        self.text = text


def needs_encoding(text: str) -> bool:
    """Whether the text holds anything but printable ASCII, blanks and tabs."""
    return any((char < " " or char > "~") and char != "\t" for char in text)


def encode(text: str) -> str:
    """The text, Q-encoded as a whole if it needs it; several words are separated by a blank."""
    if not needs_encoding(text):
        return text
    words: list[list[str]] = [[]]
    length = 0
    for char in text:
        octets = char.encode("utf-8", "surrogateescape")
        plain = octets[0] == 0x20 or octets[0] in _Q_PLAIN
        size = 1 if plain else 3 * len(octets)
        if length + size > _WORD_CONTENT:
            words.append([])
            length = 0
        words[-1].append(("_" if char == " " else char) if plain else "".join(f"={octet:02X}" for octet in octets))
        length += size
    return " ".join("=?utf-8?q?" + "".join(word) + "?=" for word in words)


def encode_b(text: str) -> str:
    """The text, base64-encoded as a whole if it needs it; several words are separated by a blank."""
    if not needs_encoding(text):
        return text
    chunks: list[bytes] = [b""]
    whole = text.encode("utf-8", "surrogateescape")
    if 4 * ((len(whole) + 2) // 3) <= _WORD_CONTENT:
        chunks = [whole]
    else:
        for char in text:
            octets = char.encode("utf-8", "surrogateescape")
            if len(chunks[-1]) + len(octets) > _BASE64_CONTENT:
                chunks.append(b"")
            chunks[-1] += octets
    return " ".join("=?utf-8?b?" + base64.b64encode(chunk).decode() + "?=" for chunk in chunks)


def decode_word(word: str) -> str:
    """One encoded word, whole.

    Raises:
        WordError: it is none, or its charset is unknown.
    """
    if len(word) < 8 or not word.startswith("=?") or not word.endswith("?=") or word.count("?") != 4:
        raise WordError
    charset, encoding, text = word[2:-2].split("?")
    if not charset or len(encoding) != 1:
        raise WordError
    return _convert(charset, _content(encoding, text))


def decode_header(value: str) -> str:
    """A header value with every encoded word in it decoded; blanks between two words vanish, broken words stay as they are.

    Raises:
        WordError: the charset of a readable word is unknown.
    """
    return _decode_header(value, known_only=False)


def decode_header_plain(value: str) -> str:
    """As ``decode_header``, but knowing only utf-8, iso-8859-1 and us-ascii.

    Raises:
        WordError: the charset of a readable word is another one.
    """
    return _decode_header(value, known_only=True)


def _decode_header(value: str, *, known_only: bool) -> str:
    out: list[str] = []
    position, between = 0, False
    while True:
        start = value.find("=?", position)
        if start < 0:
            break
        mark = value.find("?", start + 2)
        if mark < 0 or len(value) < mark + 5 or value[mark + 2] != "?":
            break
        end = value.find("?=", mark + 3)
        if end < 0:
            break
        try:
            content = _content(value[mark + 1], value[mark + 3 : end])
        except WordError:
            between = False
            out.append(value[position : start + 2])
            position = start + 2
            continue
        before = value[position:start]
        if before and (not between or before.strip(" \t\n\r")):
            out.append(before)
        out.append(_convert(value[start + 2 : mark], content, known_only=known_only))
        position, between = end + 2, True
    out.append(value[position:])
    return "".join(out)


def _content(encoding: str, text: str) -> bytes:
    """Octets of an encoded text."""
    octets = text.encode("utf-8", "surrogateescape")
    if encoding in "bB":
        return _base64(octets)
    if encoding in "qQ":
        return _q(octets)
    raise WordError


def _base64(octets: bytes) -> bytes:
    try:
        return base64.b64decode(octets.replace(b"\r", b"").replace(b"\n", b""), validate=True)
    except (binascii.Error, ValueError):
        raise WordError from None


def _q(octets: bytes) -> bytes:
    out = bytearray()
    position = 0
    while position < len(octets):
        octet = octets[position]
        if octet == 0x3D:
            pair = octets[position + 1 : position + 3]
            if len(pair) < 2 or not _HEX.issuperset(pair):
                raise WordError
            out.append(int(pair, 16))
            position += 2
        elif octet == 0x5F:
            out.append(0x20)
        elif 0x20 <= octet <= 0x7E or octet in b"\n\r\t":
            out.append(octet)
        else:
            raise WordError
        position += 1
    return bytes(out)


def _convert(charset: str, content: bytes, *, known_only: bool = False) -> str:
    name = charset.lower()
    if name == "utf-8":
        return content.decode("utf-8", "surrogateescape")
    if name == "iso-8859-1":
        return content.decode("latin-1")
    if name == "us-ascii":
        return content.decode("ascii", "replace")
    if known_only:
        raise WordError(f'unknown charset: message: unhandled charset "{name}"')
    try:
        return decoder_for(name)(content)
    except UnknownCharset as unknown:
        raise WordError(unknown.text) from None
