"""What to ask SEARCH for (RFC 3501 6.4.4), when Bridge compares the octets that it stores and decodes nothing (bridge-behaviour 3.8).

Pure. A phrase is looked for in every form in which Bridge would store it: as it is, as the inside of a Q-encoded word, as
quoted-printable, and as base64 at the three alignments; with composed accents (NFC), as mail programs write them, whatever the caller
wrote. What none of these finds: a phrase broken by a soft line end or between
two encoded words, and base64 of another letter case.
"""

from __future__ import annotations

import base64
import re
import unicodedata
from dataclasses import dataclass
from typing import Final, TypeAlias

MAX_KEYS: Final = 8
MIN_BASE64_OCTETS: Final = 4

_WHITE: Final = re.compile(r"\s+")
_QUOTABLE: Final = re.compile(rb"[\x20-\x7e]*")
_Q_KEEPS: Final = frozenset(b"!\"#$%&'()*+,-./0123456789:;<>@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^`abcdefghijklmnopqrstuvwxyz{|}~")


@dataclass(frozen=True, slots=True)
class Literal:
    """A string that is sent with its length in front (RFC 3501 4.3)."""

    octets: bytes


Criteria: TypeAlias = "tuple[bytes | Literal, ...]"
"""The arguments of SEARCH: text to send as it is, and literals."""


@dataclass(frozen=True, slots=True)
class PhraseSearch:
    """How a phrase is searched; `left_out`: there are encodings that it isn't searched in."""

    criteria: Criteria
    keys: tuple[bytes, ...]
    left_out: bool


UNSEEN: Final[Criteria] = (b"UNSEEN",)


def normalised(query: str) -> str:
    """The phrase with every run of white space as one blank, none at the ends."""
    return _WHITE.sub(" ", query).strip()


def phrase(query: str) -> PhraseSearch:
    """TEXT keys for a phrase that isn't blank, at most eight, joined by OR. Raises UnicodeEncodeError for a lone surrogate."""
    written = normalised(query)
    composed = unicodedata.normalize("NFC", written)
    octets = composed.encode("utf-8")
    forms = [octets, q_word(octets), quoted_printable(octets)]
    if len(octets) >= MIN_BASE64_OCTETS:
        forms += [base64_inside(octets, alignment) for alignment in range(3)]
    if composed != written:
        forms += [written.encode("utf-8"), quoted_printable(written.encode("utf-8"))]
    keys = tuple(dict.fromkeys(forms))
    left_out = len(octets) < MIN_BASE64_OCTETS or len(keys) > MAX_KEYS or composed != written
    keys = keys[:MAX_KEYS]
    return PhraseSearch(_either(tuple((b"TEXT", key) for key in keys), charset=not octets.isascii()), keys, left_out)


def header(field: str, value: str) -> Criteria:
    """Messages whose header `field` (a name of ours) holds `value`, which must be printable ASCII."""
    return _joined((b"HEADER " + field.encode("ascii") + b" ", string(value.encode("ascii"))))


def string(octets: bytes) -> bytes | Literal:
    """A value as it may be sent: quoted when it is printable ASCII, else a literal. Never an atom: `{3}` or `ALL` stay text."""
    if _QUOTABLE.fullmatch(octets):
        return b'"' + octets.replace(b"\\", b"\\\\").replace(b'"', b'\\"') + b'"'
    return Literal(octets)


def q_word(octets: bytes) -> bytes:
    """The inside of a Q-encoded word (RFC 2047 4.2), spelt as Bridge spells it."""
    return b"".join(b"_" if octet == 0x20 else bytes([octet]) if octet in _Q_KEEPS else b"=%02X" % octet for octet in octets)


def quoted_printable(octets: bytes) -> bytes:
    """The phrase in a quoted-printable body (RFC 2045 6.7), if no line ends within it."""
    return b"".join(bytes([octet]) if 0x20 <= octet < 0x7F and octet != 0x3D else b"=%02X" % octet for octet in octets)


def base64_inside(octets: bytes, alignment: int) -> bytes:
    """The base64 characters that the phrase alone determines when it begins `alignment` octets into a group of three."""
    encoded = base64.b64encode(b"\0" * alignment + octets)
    first = -(-8 * alignment // 6)
    last = 8 * (alignment + len(octets)) // 6
    return encoded[first:last]


def _either(keys: tuple[tuple[bytes, bytes], ...], *, charset: bool) -> Criteria:
    parts: list[bytes | Literal] = [b"CHARSET UTF-8 "] if charset else []
    for place, (name, value) in enumerate(keys):
        parts += [b"OR " if place + 1 < len(keys) else b"", name + b" ", string(value), b" "]
    return _joined(tuple(parts[:-1]))


def _joined(parts: tuple[bytes | Literal, ...]) -> Criteria:
    """Neighbouring texts as one."""
    joined: list[bytes | Literal] = []
    for part in parts:
        if joined and isinstance(part, bytes) and isinstance(joined[-1], bytes):
            joined[-1] += part
        else:
            joined.append(part)
    return tuple(joined)
