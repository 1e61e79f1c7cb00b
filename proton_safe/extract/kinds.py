"""What a received attachment is: declared type, name and signature must say the same before anything is read from it."""

from __future__ import annotations

import codecs
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from proton_safe.refusals import Code, Refusal


class Kind(StrEnum):
    """The kinds whose text can be extracted."""

    PDF = "pdf"
    TEXT = "text"


_BY_TYPE: Final = MappingProxyType(
    {
        "application/pdf": Kind.PDF,
        "application/x-pdf": Kind.PDF,
        "text/plain": Kind.TEXT,
        "text/csv": Kind.TEXT,
    }
)
_BY_ENDING: Final = MappingProxyType({"pdf": Kind.PDF, "txt": Kind.TEXT, "csv": Kind.TEXT})
_UNDECLARED: Final = frozenset({"application/octet-stream", "application/download", "application/force-download", "binary/octet-stream"})

_PDF_SIGNATURE: Final = b"%PDF-"
# Signatures of what is never text: programs, archives, pictures, documents.
_NEVER_TEXT: Final = (
    b"MZ",
    b"\x7fELF",
    b"PK\x03\x04",
    b"PK\x05\x06",
    b"\x1f\x8b",
    b"\x89PNG",
    b"GIF8",
    b"\xff\xd8\xff",
    b"\xd0\xcf\x11\xe0",
    b"{\\rtf",
    b"Rar!",
    b"7z\xbc\xaf",
    b"\xca\xfe\xba\xbe",
    b"\xcf\xfa\xed\xfe",
    b"\xfd7zXZ\x00",
    b"\x28\xb5\x2f\xfd",
    _PDF_SIGNATURE,
)
# Beyond a few of these, octets are a program's and not a person's: control characters but TAB, LF, FF, CR and the ESC of ISO-2022-JP.
_CONTROLS: Final = bytes(octet for octet in (*range(0x20), 0x7F) if octet not in b"\t\n\f\r\x1b")
_SAMPLE_OCTETS: Final = 65_536
_MOST_CONTROLS: Final = 0.1
_WIDE_BOMS: Final = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def declared_kind(media_type: str, filename: str) -> Kind:
    """The kind that the declared type promises, or the name where no type is declared.

    Raises `attachment-type` when neither promises one, `attachment-type-mismatch` when type and name promise different ones.
    """
    ending = filename.rpartition(".")[2].lower() if "." in filename else ""
    by_name = _BY_ENDING.get(ending)
    by_type = by_name if media_type in _UNDECLARED else _BY_TYPE.get(media_type)
    if by_type is None:
        raise Refusal(Code.ATTACHMENT_TYPE)
    if by_name not in (None, by_type):
        raise Refusal(Code.ATTACHMENT_TYPE_MISMATCH)
    return by_type


def check_signature(kind: Kind, octets: bytes, charset: str) -> None:
    """Raise `attachment-type-mismatch` unless the octets are what their kind demands.

    1. A PDF begins with its signature, text with the signature of nothing else. 2. Outside UTF-16 and UTF-32, text holds no NUL and is
    not made of control characters. 3. Behind such a label NULs stand where those two have them.
    """
    if not (octets.startswith(_PDF_SIGNATURE) if kind is Kind.PDF else _may_be_text(octets, charset)):
        raise Refusal(Code.ATTACHMENT_TYPE_MISMATCH)


def _may_be_text(octets: bytes, charset: str) -> bool:
    content = octets.removeprefix(codecs.BOM_UTF8)
    if content.startswith(_WIDE_BOMS):
        return True
    if content.startswith(_NEVER_TEXT):
        return False
    sample = content[:_SAMPLE_OCTETS]
    if b"\0" not in content:
        return len(sample) - len(sample.translate(None, _CONTROLS)) <= _MOST_CONTROLS * len(sample)
    label = charset.strip().lower()
    return (label.startswith("utf-16") and _is_utf_16(sample)) or (label.startswith("utf-32") and _is_utf_32(sample))


def _is_utf_16(sample: bytes) -> bool:
    """Whether nearly all NULs stand on one side of the pairs, as those of ASCII letters and line ends do."""
    high, low = sample[::2].count(0), sample[1::2].count(0)
    return min(high, low) <= _MOST_CONTROLS * max(high, low)


def _is_utf_32(sample: bytes) -> bool:
    """Whether the first or the last octet of all groups of four is NUL: no character is beyond U+10FFFF."""
    groups = len(sample) // 4
    return groups in {sample[0 : groups * 4 : 4].count(0), sample[3 : groups * 4 : 4].count(0)}
