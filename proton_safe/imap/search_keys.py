"""What to ask SEARCH for (RFC 3501 6.4.4), when Bridge compares the octets that it stores and decodes nothing (bridge-behaviour 3.8).

Pure. A phrase is looked for in every form in which Bridge would store it: as it is, as the inside of a Q-encoded word, as
quoted-printable, and as base64 at the three alignments; then in other spellings, as far as the eight keys reach: `&` as HTML writes it,
the first letter small or capital, accents apart, letters as HTML
names them, all capital. Bridge ignores letter case in what it compares, so another case is
another key only where a letter is encoded. What isn't asked for is named by a warning.
"""

from __future__ import annotations

import base64
import html.entities
import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias
from typing import Literal as OneOf

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_KEYS: Final = 8
MIN_BASE64_OCTETS: Final = 4
# RFC 2045 6.7, RFC 2047 2: an encoded line has at most 76 characters, an encoded word 75, of which `=?utf-8?q?` and `?=` take 12.
MAX_UNBROKEN: Final = 63

_WHITE: Final = re.compile(r"\s+")
_QUOTABLE: Final = re.compile(rb"[\x20-\x7e]*")
_Q_KEEPS: Final = frozenset(b"!\"#$%&'()*+,-./0123456789:;<>@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^`abcdefghijklmnopqrstuvwxyz{|}~")
_MARKUP: Final = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}

LeftOut: TypeAlias = OneOf["search-base64-left-out", "search-case-left-out", "search-decomposed-left-out", "search-html-left-out"]
SearchLimit: TypeAlias = OneOf[LeftOut, "search-long-phrase"]


@dataclass(frozen=True, slots=True)
class Literal:
    """A string that is sent with its length in front (RFC 3501 4.3)."""

    octets: bytes


Criteria: TypeAlias = "tuple[bytes | Literal, ...]"
"""The arguments of SEARCH: text to send as it is, and literals."""


@dataclass(frozen=True, slots=True)
class PhraseSearch:
    """How a phrase is searched; `limits`: in which forms it isn't."""

    criteria: Criteria
    keys: tuple[bytes, ...]
    limits: tuple[SearchLimit, ...]


UNSEEN: Final[Criteria] = (b"UNSEEN",)


def normalised(query: str) -> str:
    """The phrase with every run of white space as one blank, none at the ends."""
    return _WHITE.sub(" ", query).strip()


def phrase(query: str) -> PhraseSearch:
    """TEXT keys for a phrase that isn't blank, at most eight, joined by OR. Raises UnicodeEncodeError for a lone surrogate."""
    composed = unicodedata.normalize("NFC", normalised(query))
    octets = composed.encode("utf-8")
    keys = _new((octets, quoted_printable(octets), q_word(octets)), [])
    limits: list[SearchLimit] = []
    if len(octets) >= MIN_BASE64_OCTETS:
        keys += _base64(octets)
    else:
        limits.append("search-base64-left-out")
    for limit, group in _further_forms(composed):
        new = _new(group, keys)
        if len(keys) + len(new) <= MAX_KEYS:
            keys += new
        elif limit not in limits:
            limits.append(limit)
    if max(len(quoted_printable(octets)), len(q_word(octets))) > MAX_UNBROKEN:
        limits.append("search-long-phrase")
    return PhraseSearch(_either(tuple((b"TEXT", key) for key in keys), charset=not octets.isascii()), tuple(keys), tuple(sorted(limits)))


def _new(forms: tuple[bytes, ...], keys: list[bytes]) -> list[bytes]:
    """The forms that find what no key finds yet: Bridge ignores the case of ASCII letters, base64 not excepted."""
    asked = {key.lower() for key in keys}
    new: list[bytes] = []
    for form in forms:
        if form.lower() not in asked:
            asked.add(form.lower())
            new.append(form)
    return new


def _further_forms(composed: str) -> Iterator[tuple[LeftOut, tuple[bytes, ...]]]:
    """Other spellings of a composed phrase, the most valuable first: keys that belong together, and the warning that they are left out."""
    octets = composed.encode("utf-8")
    yield "search-html-left-out", _encoded("".join(_MARKUP.get(character, character) for character in composed))[:1]
    other_first = _other_first_letter(composed)
    yield "search-case-left-out", _encoded(other_first)
    decomposed = unicodedata.normalize("NFD", composed)
    yield "search-decomposed-left-out", _encoded(decomposed)
    yield "search-html-left-out", (_entities(composed),)
    if not composed.isascii():
        yield "search-case-left-out", _encoded(composed.upper())
    yield "search-decomposed-left-out", (decomposed.encode("utf-8"),)
    if not composed.isascii():
        yield "search-case-left-out", _encoded(composed.lower())
    if len(octets) >= MIN_BASE64_OCTETS:
        yield "search-case-left-out", _base64(other_first.encode("utf-8"))


def _encoded(text: str) -> tuple[bytes, ...]:
    """As quoted-printable bodies and Q-encoded words hold it."""
    octets = text.encode("utf-8")
    return quoted_printable(octets), q_word(octets)


def _base64(octets: bytes) -> tuple[bytes, ...]:
    return tuple(base64_inside(octets, alignment) for alignment in range(3))


def _other_first_letter(text: str) -> str:
    """The text with its first letter capital if it was small, and the other way round."""
    first = text[0]
    return (first.lower() if first != first.lower() else first.upper()) + text[1:]


def _entities(text: str) -> bytes:
    """As HTML in ASCII writes it: names where there are any, else decimal numbers (HTML 4.01, 5.3 and 24)."""
    return "".join(
        _MARKUP.get(character, character)
        if character.isascii()
        else f"&{html.entities.codepoint2name[ord(character)]};"
        if ord(character) in html.entities.codepoint2name
        else f"&#{ord(character)};"
        for character in text
    ).encode("ascii")


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
