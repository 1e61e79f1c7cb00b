"""Decoding of character sets, in mail bodies and encoded words (``decoder_for``) and in SEARCH (``search_decoder``).

No decoder ever fails: what cannot be decoded becomes U+FFFD. Facts: bridge-behaviour 3.8, 8.1; dialogues 17, 40, 43.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from fakebridge.message.charsetnames import IMPLEMENTED, LABELS, REGISTERED
from fakebridge.message.charsetspelling import usual_name

Decoder = Callable[[bytes], str]

_FULL_CODEPAGES: Final = frozenset(f"cp{page}" for page in (*range(1250, 1259), 874))
# Python has no EBCDIC 1047; 037 differs from it in six signs and in no letter or figure.
_STAND_INS: Final = {"cp1047": "cp037"}


class UnknownCharset(Exception):
    """No decoder for this name; ``text`` is Bridge's sentence."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


class Unimplemented(Exception):
    """The name is registered but has no decoder: a SEARCH that names it is never answered."""


def decoder_for(label: str) -> Decoder:
    """The decoder of a body or encoded word with that charset label, in any letter case and many misspellings.

    Raises:
        UnknownCharset: no such label.
    """
    name = label.strip(" \t\r\n").lower()
    if name in {"utf7", "utf-7", "unicode-1-1-utf-7"}:
        return _codec("utf-7")
    wanted = usual_name(name)
    codec = LABELS.get(wanted)
    if codec is None:
        raise UnknownCharset(f"can not get encoding for '{name}' (or '{wanted}')")
    return _codec(codec)


def search_decoder(name: str) -> Decoder:
    """The decoder for ``SEARCH CHARSET name``, by the IANA register, letter case ignored.

    Raises:
        UnknownCharset: not registered; the answer is ``NO [BADCHARSET]``.
        Unimplemented: registered, no decoder; there is no answer at all.
    """
    wanted = name.strip().lower()
    codec = IMPLEMENTED.get(wanted)
    if codec is not None:
        return _codec(codec)
    if wanted in REGISTERED:
        raise Unimplemented(wanted)
    raise UnknownCharset("ianaindex: invalid encoding name")


def guess(body: bytes) -> str:
    """Text of a body without a usable charset: UTF-8 if its start looks so, else windows-1252."""
    for mark, codec in ((b"\xef\xbb\xbf", "utf-8"), (b"\xfe\xff", "utf-16-be"), (b"\xff\xfe", "utf-16-le")):
        if body.startswith(mark):
            return _codec(codec)(body)
    head = body[:1024]
    for cut in range(4):
        part = head[: len(head) - cut] if cut else head
        if _valid(part) and any(octet >= 0x80 for octet in part):
            return _codec("utf-8")(body)
    return _codec("cp1252")(body)


def _valid(octets: bytes) -> bool:
    try:
        octets.decode()
    except UnicodeDecodeError:
        return False
    return True


@lru_cache(maxsize=64)
def _codec(codec: str) -> Decoder:
    codec = _STAND_INS.get(codec, codec)
    if codec == "replacement":
        return lambda octets: "\ufffd" if octets else ""
    if codec == "x-user-defined":
        return lambda octets: "".join(chr(o) if o < 0x80 else chr(0xF700 + o) for o in octets)
    if codec in _FULL_CODEPAGES:
        table = [_one(codec, octet) for octet in range(256)]
        return lambda octets: "".join([table[octet] for octet in octets])
    return lambda octets: octets.decode(codec, "replace")


def _one(codec: str, octet: int) -> str:
    """One octet of a Windows code page; undefined ones of 1252 are C1 controls there."""
    try:
        return bytes((octet,)).decode(codec)
    except UnicodeDecodeError:
        return chr(octet) if codec == "cp1252" else "\ufffd"
