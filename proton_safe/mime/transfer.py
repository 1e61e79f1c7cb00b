"""Content-Transfer-Encoding undone (RFC 2045 6): one decoder, tolerant and linear, whose octets every reader here sees."""

from __future__ import annotations

import binascii
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from proton_safe.mime.defects import Defect

_NOT_BASE64: Final = re.compile(rb"[^A-Za-z0-9+/=]+")
_STRAY: Final = re.compile(rb"[^A-Za-z0-9+/=\r\n\t ]")
_PADDED_SOFT_BREAK: Final = re.compile(rb"=[ \t]+(?=\r?\n)")


@dataclass(frozen=True, slots=True)
class Octets:
    """Decoded octets and what was wrong with their encoding."""

    octets: bytes
    warnings: tuple[Defect, ...] = ()


def decode(encoded: bytes, encoding: str, *, complete: bool = True) -> Octets:
    """The octets of a part's body; never raises. An unknown encoding, like 7bit, 8bit and binary, leaves them as they are.

    base64: what is outside the alphabet is skipped, padding ends a group of four and not the data, missing padding is added.
    quoted-printable: what is no escape stays as it is. With `complete=False` an unfinished end is no defect.
    """
    name = encoding.strip().lower()
    if name == "base64":
        return _base64(encoded, complete=complete)
    if name == "quoted-printable":
        return Octets(binascii.a2b_qp(_PADDED_SOFT_BREAK.sub(b"=", encoded)))
    return Octets(encoded)


def _base64(encoded: bytes, *, complete: bool) -> Octets:
    damaged = _STRAY.search(encoded) is not None
    clean = _NOT_BASE64.sub(b"", encoded)
    for tail in (b"", b"=", b"=="):
        try:
            return Octets(binascii.a2b_base64(clean + tail), ("body-damaged",) if damaged or (tail and complete) else ())
        except binascii.Error:
            continue
    # One character too many: six bits are no octet.
    return Octets(binascii.a2b_base64(clean.rstrip(b"=")[:-1]), ("body-damaged",) if damaged or complete else ())
