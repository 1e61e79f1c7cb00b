"""Content-Transfer-Encoding undone (RFC 2045 6): one decoder, tolerant and linear, whose octets every reader here sees."""

from __future__ import annotations

import binascii
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from proton_safe.mime.defects import Defect

# What a base64 text is read without. Padding counts as data here.
NOT_BASE64: Final = bytes(octet for octet in range(256) if not (chr(octet).isascii() and (chr(octet).isalnum() or chr(octet) in "+/=")))
_NOT_STRAY: Final = bytes(octet for octet in range(256) if octet not in NOT_BASE64) + b"\r\n\t "
# An equals sign that begins neither an escape nor a soft line break (RFC 2045 6.7).
_NO_ESCAPE: Final = re.compile(rb"=(?![0-9A-Fa-f]{2}|[ \t]*+(?:\r?\n|\Z))")
_UUENCODE: Final = frozenset({"uuencode", "x-uuencode", "x-uue", "uue"})
# A line of uuencode begins with its length, as a blank to a grave accent.
_LEAST_UU: Final = 0x20
_MOST_UU: Final = 0x60
_BEGIN: Final = re.compile(rb"^begin [0-7]{3,4} [^\r\n]*\r?\n", re.MULTILINE)
_PADDED_SOFT_BREAK: Final = re.compile(rb"=[ \t]+(?=\r?\n)")


@dataclass(frozen=True, slots=True)
class Octets:
    """Decoded octets and what was wrong with their encoding."""

    octets: bytes
    warnings: tuple[Defect, ...] = ()


def decode(encoded: bytes, encoding: str, *, complete: bool = True) -> Octets:
    """The octets of a part's body; never raises. An unknown encoding, like 7bit, 8bit and binary, leaves them as they are.

    base64: what is outside the alphabet is skipped, the first padding ends the data, missing padding is added.
    quoted-printable: what is no escape stays as it is. uuencode: what is between its
    two lines. With `complete=False` an unfinished end is no defect.
    """
    name = encoding.strip(" \t\r\n\"';").lower()
    if name == "base64":
        return _base64(encoded, complete=complete)
    if name == "quoted-printable":
        damaged = _NO_ESCAPE.search(encoded if complete else encoded[:-2]) is not None
        return Octets(binascii.a2b_qp(_PADDED_SOFT_BREAK.sub(b"=", encoded)), ("body-damaged",) if damaged else ())
    if name in _UUENCODE:
        return _uuencoded(encoded, complete=complete)
    return Octets(encoded)


def _uuencoded(encoded: bytes, *, complete: bool) -> Octets:
    """What stands between the lines `begin` and `end`; the octets as they are where nothing begins. Linear."""
    begin = _BEGIN.search(encoded)
    if begin is None:
        return Octets(encoded, ("body-damaged",) if encoded.strip() else ())
    pieces: list[bytes] = []
    damaged, ended = False, False
    for line in encoded[begin.end() :].splitlines():
        if line.strip() in {b"end", b"`", b""}:
            ended = ended or line.strip() == b"end"
            if ended:
                break
            continue
        if not _LEAST_UU <= line[0] <= _MOST_UU:
            damaged = True
            continue
        try:
            pieces.append(binascii.a2b_uu(line))
        except binascii.Error:
            # Some programs write more signs in the last group than the line's length says.
            pieces.append(_as_far_as_it_says(line))
            damaged = True
    return Octets(b"".join(pieces), ("body-damaged",) if damaged or (complete and not ended) else ())


def _as_far_as_it_says(line: bytes) -> bytes:
    length = (line[0] - 32) & 63
    try:
        return binascii.a2b_uu(line[: 1 + (length + 2) // 3 * 4])
    except binascii.Error:
        return b""


def _base64(encoded: bytes, *, complete: bool) -> Octets:
    data, padding, rest = encoded.translate(None, NOT_BASE64).partition(b"=")
    surplus = len(data) % 4
    # Six bits are no octet; two or three characters stand for one or two octets and want padding.
    whole = data[:-1] if surplus == 1 else data
    unfinished = complete and (surplus == 1 or (surplus > 0 and not padding))
    damaged = unfinished or bool(rest.strip(b"=")) or bool(encoded.translate(None, _NOT_STRAY))
    return Octets(binascii.a2b_base64(whole + b"=" * (-len(whole) % 4)), ("body-damaged",) if damaged else ())
