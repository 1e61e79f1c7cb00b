"""Unstructured header text: unfolding, encoded words (RFC 2047), octets above 127.

Each field is cut before anything is decoded, the scan goes forward only, and a word that can't be decoded stays as it is written.
"""

from __future__ import annotations

import binascii
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from proton_safe.mime import charsets, japanese
from proton_safe.mime.charsets import Decoded
from proton_safe.mime.defects import MAX_FIELD_OCTETS, merged

if TYPE_CHECKING:
    from proton_safe.mime.defects import Defect

_OPENING: Final = re.compile(r"=\?([!#-)+\-./0-9A-Z^_`a-z{|}~:]{1,40})(?:\*[A-Za-z0-9-]{0,20})?\?([BbQq])\?")
# What is left of a word whose end was cut off, within the length that senders keep to (RFC 2047 2: 75, in practice some more).
_HALF_WORD: Final = re.compile(rb"(?<!\?)=(?:\?[^?\s]{0,60}(?:\?[bBqQ]?(?:\?[^?\s]*\??)?)?)?\Z")
_MAX_WORD_OCTETS: Final = 300
_Q_ESCAPE: Final = re.compile(rb"=([0-9A-Fa-f]{2})")
_NOT_BASE64: Final = re.compile(rb"[^A-Za-z0-9+/]")


@dataclass(frozen=True, slots=True)
class _Word:
    """An encoded word. `payload` has one character per octet."""

    charset: str
    encoding: str
    payload: str
    end: int


def unfold(raw: bytes) -> bytes:
    """One line: a line end before a blank vanishes (RFC 5322 2.2.3), any other becomes a blank."""
    if b"\n" not in raw and b"\r" not in raw:
        return raw
    joined = raw.replace(b"\r\n", b"\n").replace(b"\r", b" ")
    return joined.replace(b"\n ", b" ").replace(b"\n\t", b"\t").replace(b"\n", b" ")


def decode(raw: bytes, *, otherwise: str = "") -> Decoded:
    """The text of a field's value, at most the first 8 KiB of it. Control characters stay for `untrusted.clean`, but for NUL.

    `otherwise`: the charset that octets above 127 may be in, which should be UTF-8 and are not.

    NUL becomes U+FFFD: programs in C stop reading there, so a reader should see the place.
    """
    if len(raw) <= MAX_FIELD_OCTETS and b"=?" not in raw and raw.isascii() and (text := raw.decode("ascii")).isprintable():
        return Decoded(text.strip(" "))  # most fields: nothing to unfold, decode or replace
    warnings: list[Defect] = []
    if len(raw) > MAX_FIELD_OCTETS:
        warnings.append("header-truncated")
    line = unfold(_whole(raw)).strip(b" \t")
    # One character per octet: octets above 127 inside of a word are the word's, and in its charset.
    decoded = _decode_words(line.decode("latin-1"), otherwise) if b"=?" in line else _plain(line, otherwise)
    return Decoded(decoded.text.replace("\0", "\ufffd"), merged(warnings, decoded.warnings))


def _whole(raw: bytes) -> bytes:
    """The first 8 KiB, without the encoded word that the cut falls into: half of one is no text."""
    if len(raw) <= MAX_FIELD_OCTETS:
        return raw
    cut = raw[:MAX_FIELD_OCTETS]
    half = _HALF_WORD.search(cut, MAX_FIELD_OCTETS - _MAX_WORD_OCTETS)
    return cut[: half.start()] if half else cut


def charset_of(raw: bytes) -> str:
    """The label of the first encoded word of a field's value; '' if there is none."""
    found = _OPENING.search(raw[:MAX_FIELD_OCTETS].decode("latin-1"))
    return found[1].lower() if found else ""


def _plain(octets: bytes, otherwise: str) -> Decoded:
    """Text outside of encoded words, which should be ASCII or UTF-8."""
    if japanese.is_iso_2022_jp(octets):
        return charsets.decode(octets, "iso-2022-jp")
    if octets.isascii():
        return Decoded(octets.decode("ascii"))
    text = charsets.guess(octets, otherwise=otherwise)
    return Decoded(text, ("header-raw-8bit",) if "\ufffd" in text or text.encode("utf-8", "replace") != octets else ())


def _word_at(text: str, start: int) -> _Word | None:
    opening = _OPENING.match(text, start)
    if opening is None:
        return None
    closing = text.find("?=", opening.end())
    if closing < 0:
        return None
    payload = text[opening.end() : closing]
    return _Word(_charset(opening[1].lower(), payload), opening[2].lower(), payload, closing + 2)


def _charset(label: str, payload: str) -> str:
    """The charset of a word; UTF-8 where octets above 127 stand in it as they are and are UTF-8."""
    if payload.isascii():
        return label
    try:
        payload.encode("latin-1").decode("utf-8")
    except UnicodeDecodeError:
        return label
    return "utf-8"


def _decode_words(text: str, otherwise: str) -> Decoded:
    pieces: list[str] = []
    warnings: set[Defect] = set()
    run: list[_Word] = []
    done = 0
    start = text.find("=?")
    while start >= 0:
        word = _word_at(text, start)
        if word is None:
            warnings.add("encoded-word-damaged")
            start = text.find("=?", start + 2)
            continue
        between = text[done:start]
        if run and between.strip(" \t"):
            pieces.append(_flush(run, warnings))
        if not run or between.strip(" \t"):
            pieces.append(_between(between, otherwise, warnings))
        run.append(word)
        done = word.end
        start = text.find("=?", done)
    if run:
        pieces.append(_flush(run, warnings))
    pieces.append(_between(text[done:], otherwise, warnings))
    return Decoded("".join(pieces), tuple(sorted(warnings)))


def _between(text: str, otherwise: str, warnings: set[Defect]) -> str:
    decoded = _plain(text.encode("latin-1"), otherwise)
    warnings.update(decoded.warnings)
    return decoded.text


def _flush(run: list[_Word], warnings: set[Defect]) -> str:
    """Decode adjacent words: octets of one charset are joined first, since some senders split characters between words."""
    text: list[str] = []
    octets = b""
    charset = run[0].charset
    for encoding, word_charset, payload in _joined(run):
        if word_charset != charset:
            text.append(_text(octets, charset, warnings))
            octets, charset = b"", word_charset
        octets += _from_base64(payload, warnings) if encoding == "b" else _from_q(payload, warnings)
    text.append(_text(octets, charset, warnings))
    run.clear()
    return "".join(text)


def _joined(run: list[_Word]) -> list[tuple[str, str, str]]:
    """Words as (encoding, charset, payload); a base64 word that ends inside a group of four is continued by the next one."""
    joined: list[tuple[str, str, str]] = []
    for word in run:
        if joined:
            encoding, charset, payload = joined[-1]
            if encoding == word.encoding == "b" and charset == word.charset and len(payload) % 4 and not payload.endswith("="):
                joined[-1] = (encoding, charset, payload + word.payload)
                continue
        joined.append((word.encoding, word.charset, word.payload))
    return joined


def _text(octets: bytes, charset: str, warnings: set[Defect]) -> str:
    decoded = charsets.decode(octets, charset)
    warnings.update(decoded.warnings)
    return decoded.text


def _from_q(payload: str, warnings: set[Defect]) -> bytes:
    octets = payload.encode("latin-1").replace(b"_", b" ")
    decoded, escapes = _Q_ESCAPE.subn(lambda match: bytes.fromhex(match[1].decode("ascii")), octets)
    if octets.count(b"=") != escapes or not octets.isascii():
        warnings.add("encoded-word-damaged")
    return decoded


def _from_base64(payload: str, warnings: set[Defect]) -> bytes:
    octets = payload.encode("ascii", "replace").rstrip(b"= \t")
    clean = _NOT_BASE64.sub(b"", octets)
    if len(clean) != len(octets) or len(clean) % 4 == 1:
        warnings.add("encoded-word-damaged")
    if len(clean) % 4 == 1:
        clean = clean[:-1]
    return binascii.a2b_base64(clean + b"=" * (-len(clean) % 4))
