"""Decoding of character sets, in mail bodies and encoded words (``decoder_for``) and in SEARCH (``search_decoder``).

No decoder ever fails: what cannot be decoded becomes U+FFFD. Facts: bridge-behaviour 3.8, 8.1; dialogues 17, 40, 43.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from fakebridge.message.charsetnames import IMPLEMENTED, LABELS, REGISTERED

Decoder = Callable[[bytes], str]

_FULL_CODEPAGES: Final = frozenset(f"cp{page}" for page in (*range(1250, 1259), 874))
# Python has no EBCDIC 1047; 037 differs from it in six signs and in no letter or figure.
_STAND_INS: Final = {"cp1047": "cp037"}
_KOI: Final = re.compile(r"(?:cs)?koi[-_ ]?8?[-_ ]?(r|ru|u|uk)?$")
_WINDOWS: Final = re.compile(r"(?:cp|(?:cs)?win(?:dows)?)[-_ ]?(874|125[0-8])$")
_ISO: Final = re.compile(r"iso[-_ ]?8859[-_ ]?([0-9]+)?[-_ ]?(i|e)?")
_LATIN: Final = re.compile(r"(?:cs|csiso)?l(?:atin)?[-_ ]?([0-9]{1,2})$")
_LATIN_PARTS: Final = {"1": "windows-1252", "6": "iso-8859-10", "8": "iso-8859-14", "9": "iso-8859-15", "10": "iso-8859-16"}
_EXTRA: Final = {
    **dict.fromkeys(("csutf8", "iso-utf-8", "utf8mb4"), "utf-8"),
    **dict.fromkeys(("cp932", "windows-932", "ibm-943", "cp943"), "shift_jis"),
    **dict.fromkeys(("eucjp", "ibm-eucjp"), "euc-jp"),
    **dict.fromkeys(("euckr", "ibm-euckr", "cp949"), "euc-kr"),
    **dict.fromkeys(("euccn", "ibm-euccn"), "gbk"),
    **dict.fromkeys(("zht16mswin950", "cp950"), "big5"),
    **dict.fromkeys(
        ("csascii", "ansi_x3.4-1986", "ansi_x3.110-1983", "cp850", "cp858", "us", "iso646", "iso-646", "iso646-us"),
        "ascii",
    ),
    **dict.fromkeys(("iso_646.irv:1991", "cp367", "ibm367", "ibm-367", "iso-ir-6"), "ascii"),
    "ibm852": "iso-8859-2",
    "iso-ir-199": "iso-8859-14",
    "iso-celtic": "iso-8859-14",
    "iso-ir-226": "iso-8859-16",
    "macroman": "macintosh",
}


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
    wanted = _normal(name)
    codec = LABELS.get(wanted)
    if codec is None:
        raise UnknownCharset(f"can not get encoding for '{name}' (or '{wanted}')")
    return _codec(codec)


def _normal(name: str) -> str:
    """The label that a misspelt name stands for."""
    if found := _KOI.search(name):
        name = "koi8-u" if found.group(1) in {"u", "uk"} else "koi8-r"
    if found := _WINDOWS.search(name):
        name = "windows-" + found.group(1)
    if re.search(r"iso[-_ ]?2022[-_ ]?jp", name):
        name = "iso-2022-jp"
    elif found := _ISO.search(name):
        part = found.group(1) or "1"
        if part in {"1", "2", "3", "4", "5", "7", "8", "9", "10", "11", "13", "14", "15", "16"}:
            name = f"iso-8859-{part}" + ("-i" if found.group(2) == "i" and found.group(1) else "")
    if found := _LATIN.match(name):
        part = found.group(1)
        name = _LATIN_PARTS.get(part, f"iso-8859-{part}" if part in {"2", "3", "4", "5"} else name)
    return _EXTRA.get(name, name)


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
