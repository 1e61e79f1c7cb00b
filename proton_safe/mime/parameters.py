"""Parameters of MIME fields as BODYSTRUCTURE gives them: file names and charsets, with RFC 2231 and encoded words undone.

Bridge sends them decoded (bridge-behaviour 3.7); other servers send what the header says.
"""

from __future__ import annotations

import re
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote_to_bytes

from proton_safe.mime import charsets, words
from proton_safe.mime.defects import MAX_FIELD_OCTETS

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_SECTIONS: Final = 128
MAX_PARAMETERS: Final = 300
_MAX_KNOWN_OCTETS: Final = 128
_SECTION: Final = re.compile(r"([^*]+)\*(0|[1-9][0-9]{0,2})(\*?)")
_EXTENDED: Final = re.compile(rb"[A-Za-z0-9_-]{2,20}'[A-Za-z-]{0,20}'[^ ]*%[0-9A-Fa-f]{2}")
# What the tokens of a value are (RFC 2045 5.1). All repetitions are possessive, so that no input makes the pattern try again.
_QUOTED: Final = re.compile(rb'"((?:[^"\\]|\\.)*+)"?', re.DOTALL)
_PAIR: Final = re.compile(rb'\\(["\\])')
_BLANKS: Final = re.compile(rb"[ \t\r\n]*+")
_NAME: Final = re.compile(rb"[^=;\"\s]*+")
_BARE: Final = re.compile(rb"[^;]*+")
_WORD: Final = re.compile(rb"[^;(]*+")


def split(raw: bytes) -> tuple[str, Mapping[str, bytes]]:
    r"""The first word of a Content-Type or Content-Disposition field in lower case, and its parameters by lower-case name.

    Comments are left out. Quoted values lose their quotes; of a backslash in them only those before `"` and `\\` are marks (Windows
    paths are common in names). A value without quotes goes to the next semicolon. Of equal names the first counts. Linear; at most
    8 KiB are looked at and 300 parameters kept.
    """
    return _split_before(raw) if len(raw) <= _MAX_KNOWN_OCTETS else _split(raw)


def _split(raw: bytes) -> tuple[str, Mapping[str, bytes]]:
    value = words.unfold(raw[:MAX_FIELD_OCTETS])
    found: dict[str, bytes] = {}
    head = _WORD.match(value)
    end = head.end() if head else 0
    word = charsets.guess(value[:end].strip()).lower()
    at = _uncommented(value, end)
    while at < len(value) and len(found) < MAX_PARAMETERS:
        at = _end(_BLANKS, value, at + 1)
        name_end = _end(_NAME, value, at)
        name = value[at:name_end].decode("ascii", "ignore").lower()
        at = _end(_BLANKS, value, name_end)
        if value[at : at + 1] != b"=":
            at = _end(_BARE, value, at)
            continue
        at = _end(_BLANKS, value, at + 1)
        octets, at = _value(value, at)
        if name:
            found.setdefault(name, octets)
    return word, MappingProxyType(found)


# Mails have the same few types and encodings again and again.
_split_before: Final = lru_cache(maxsize=256)(_split)


def _value(value: bytes, at: int) -> tuple[bytes, int]:
    """The value that begins here, and where the next semicolon stands."""
    quoted = _QUOTED.match(value, at)
    if quoted is None:
        end = _end(_BARE, value, at)
        return value[at:end].strip(), end
    return _PAIR.sub(rb"\1", quoted[1]), _end(_BARE, value, quoted.end())


def _uncommented(value: bytes, at: int) -> int:
    """Where the first semicolon behind a comment (RFC 5322 3.2.2) stands."""
    depth = 0
    while at < len(value):
        octet = value[at : at + 1]
        if octet == b"\\":
            at += 1
        elif octet == b"(":
            depth += 1
        elif octet == b")":
            depth -= 1
        elif octet == b";" and depth <= 0:
            return at
        at += 1
    return at


def _end(pattern: re.Pattern[bytes], value: bytes, at: int) -> int:
    found = pattern.match(value, at)
    return found.end() if found else at


def value(parameters: Mapping[str, bytes], name: str) -> str:
    """The decoded value of a parameter; '' if absent. RFC 2231 section 3 and 4 first, then the plain name with encoded words."""
    return next(iter(values(parameters, name)), "")


def values(parameters: Mapping[str, bytes], name: str) -> tuple[str, ...]:
    """Every value that a parameter is given, decoded: in one extended piece, in numbered pieces, plainly. The first one counts."""
    if not parameters:
        return ()
    found: list[str] = []
    if "*" in "".join(parameters):
        if extended := parameters.get(f"{name}*"):
            found.append(_extended(extended))
        found.append(_sections(parameters, name))
    plain = parameters.get(name, b"")
    if b"'" in plain and _EXTENDED.match(plain):
        found.append(_extended(plain))
    elif plain:
        found.append(words.decode(plain).text.strip())
    return tuple(text for text in found if text)


def _extended(octets: bytes) -> str:
    charset, quote, rest = octets[:MAX_FIELD_OCTETS].partition(b"'")
    _, second, text = rest.partition(b"'")
    if not quote or not second:
        return words.decode(unquote_to_bytes(octets[:MAX_FIELD_OCTETS])).text.strip()
    return charsets.decode(unquote_to_bytes(text), charset.decode("ascii", "replace")).text


def _sections(parameters: Mapping[str, bytes], name: str) -> str:
    """`name*0*`, `name*1`, … joined in order, up to the first that is missing (RFC 2231 section 3)."""
    found: dict[int, tuple[bytes, bool]] = {}
    for key, octets in list(parameters.items())[:MAX_FIELD_OCTETS]:
        match = _SECTION.fullmatch(key)
        if match is not None and match[1] == name:
            found[int(match[2])] = (octets, match[3] == "*")
    charset = ""
    text = b""
    for number in range(min(len(found), MAX_SECTIONS)):
        if number not in found:
            break
        octets, encoded = found[number]
        if number == 0 and encoded and octets.count(b"'") >= 2:
            label, _, rest = octets.partition(b"'")
            charset, octets = label.decode("ascii", "replace"), rest.partition(b"'")[2]
        text += unquote_to_bytes(octets) if encoded else octets
    if not text:
        return ""
    return charsets.decode(text, charset).text if charset else words.decode(text).text
