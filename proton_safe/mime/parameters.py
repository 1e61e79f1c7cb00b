"""Parameters of MIME fields as BODYSTRUCTURE gives them: file names and charsets, with RFC 2231 and encoded words undone.

Bridge sends them decoded (bridge-behaviour 3.7); other servers send what the header says.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote_to_bytes

from proton_safe.mime import charsets, words
from proton_safe.mime.defects import MAX_FIELD_OCTETS

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_SECTIONS: Final = 100
_SECTION: Final = re.compile(r"([^*]+)\*([0-9]{1,3})(\*?)")


def value(parameters: Mapping[str, bytes], name: str) -> str:
    """The decoded value of a parameter; '' if absent. RFC 2231 section 3 and 4 first, then the plain name with encoded words."""
    if extended := parameters.get(f"{name}*"):
        return _extended(extended)
    sections = _sections(parameters, name)
    if sections:
        return sections
    plain = parameters.get(name, b"")
    if re.match(rb"[A-Za-z0-9_-]{2,20}'[A-Za-z-]{0,20}'[^ ]*%[0-9A-Fa-f]{2}", plain):
        return _extended(plain)
    return words.decode(plain).text.strip()


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
