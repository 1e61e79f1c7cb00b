"""The kinds of file that a draft may carry, and what is taken as their declaration."""

from __future__ import annotations

from enum import StrEnum
from types import MappingProxyType
from typing import Final

from proton_safe.refusals import Code, Refusal
from proton_safe.staging.filenames import ending

UNDECLARED: Final = "application/octet-stream"
_OFFICE: Final = "application/vnd.openxmlformats-officedocument."


class FileType(StrEnum):
    """A kind of file; the value is the MIME type that the draft states."""

    PDF = "application/pdf"
    DOCX = _OFFICE + "wordprocessingml.document"
    XLSX = _OFFICE + "spreadsheetml.sheet"
    PPTX = _OFFICE + "presentationml.presentation"
    TXT = "text/plain"
    CSV = "text/csv"
    PNG = "image/png"
    JPEG = "image/jpeg"


_BY_ENDING: Final = MappingProxyType(
    {
        "pdf": FileType.PDF,
        "docx": FileType.DOCX,
        "xlsx": FileType.XLSX,
        "pptx": FileType.PPTX,
        "txt": FileType.TXT,
        "csv": FileType.CSV,
        "png": FileType.PNG,
        "jpg": FileType.JPEG,
        "jpeg": FileType.JPEG,
    }
)


def declared_type(filename: str, content_type: str) -> FileType:
    """The kind that name and declared type agree on.

    Raises `attachment-type` for an ending that isn't in the list, `attachment-type-mismatch` for a type of another kind.
    """
    found = _BY_ENDING.get(ending(filename))
    if found is None:
        raise Refusal(Code.ATTACHMENT_TYPE)
    if content_type not in {found.value, UNDECLARED}:
        raise Refusal(Code.ATTACHMENT_TYPE_MISMATCH)
    return found
