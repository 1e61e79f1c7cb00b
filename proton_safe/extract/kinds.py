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
    _PDF_SIGNATURE,
)
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
    """Raise `attachment-type-mismatch` unless the octets begin as their kind does; text holds no NUL outside UTF-16 and UTF-32."""
    if kind is Kind.PDF:
        agrees = octets.startswith(_PDF_SIGNATURE)
    else:
        content = octets.removeprefix(codecs.BOM_UTF8)
        wide = content.startswith(_WIDE_BOMS) or charset.strip().lower().startswith(("utf-16", "utf-32"))
        agrees = (wide or b"\0" not in content) and not content.startswith(_NEVER_TEXT)
    if not agrees:
        raise Refusal(Code.ATTACHMENT_TYPE_MISMATCH)
