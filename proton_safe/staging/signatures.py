"""Whether the octets are what name and type say: signature, structure, and nothing much behind the end.

Nothing is decoded, inflated or rendered; each check reads the octets once.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from proton_safe.refusals import Code, Refusal
from proton_safe.staging.file_types import FileType
from proton_safe.staging.office_containers import check_office_container

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_TRAILING_OCTETS: Final = 1_024
SNIFFED_OCTETS: Final = 1_445

_PNG_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_PNG_CHUNK_EXTRA: Final = 12
# In entropy-coded data 0xFF is followed by 0 or by a restart marker; anything else begins a segment (ITU-T T.81, B.1.1.2).
_JPEG_NEXT_MARKER: Final = re.compile(rb"\xff+[^\x00\xd0-\xd7\xff]")
_JPEG_END: Final = 0xD9
_JPEG_SCAN: Final = 0xDA
_JPEG_ALONE: Final = frozenset({0x01, *range(0xD0, 0xD9)})
# What a browser looks at when it guesses a type (WHATWG MIME Sniffing 7.1), and signatures of what is never text.
_MARKUP: Final = re.compile(rb"<(?:!doctype\s+html|html|head|script|iframe|svg|object|embed)[\s>/]", re.IGNORECASE)
_BINARY: Final = (
    b"MZ",
    b"%PDF-",
    b"PK\x03\x04",
    b"\x7fELF",
    b"GIF8",
    b"\x89PNG",
    b"\xff\xd8\xff",
    b"\xd0\xcf\x11\xe0",
    b"{\\rtf",
    b"\xca\xfe\xba\xbe",
)
_BOM: Final = b"\xef\xbb\xbf"
_CONTROLS: Final = re.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f]")


def check_content(file_type: FileType, octets: bytes) -> None:
    """Raise `attachment-type-mismatch`, or `attachment-too-complex` for a container that is too much to check."""
    if file_type in _OFFICE_FOLDERS:
        check_office_container(octets, _OFFICE_FOLDERS[file_type])
    elif not _CHECKS[file_type](octets):
        raise Refusal(Code.ATTACHMENT_TYPE_MISMATCH)


def _is_pdf(octets: bytes) -> bool:
    end = octets.rfind(b"%%EOF")
    return octets.startswith(b"%PDF-") and end > 0 and len(octets) - end - 5 <= MAX_TRAILING_OCTETS


def _is_png(octets: bytes) -> bool:
    """PNG (RFC 2083 3): the signature, then chunks of length, type, data and checksum; IHDR first, IEND last."""
    if not octets.startswith(_PNG_SIGNATURE) or octets[12:16] != b"IHDR":
        return False
    place = len(_PNG_SIGNATURE)
    while place + _PNG_CHUNK_EXTRA <= len(octets):
        kind = octets[place + 4 : place + 8]
        place += int.from_bytes(octets[place : place + 4], "big") + _PNG_CHUNK_EXTRA
        if kind == b"IEND":
            return 0 <= len(octets) - place <= MAX_TRAILING_OCTETS
    return False


def _is_jpeg(octets: bytes) -> bool:
    """JPEG (ITU-T T.81, B): segments from the start of image to its end; scans are stepped over."""
    if not octets.startswith(b"\xff\xd8\xff"):
        return False
    place = 2
    while (found := _JPEG_NEXT_MARKER.match(octets, place)) is not None:
        marker = octets[found.end() - 1]
        place = found.end()
        if marker == _JPEG_END:
            return len(octets) - place <= MAX_TRAILING_OCTETS
        if marker in _JPEG_ALONE:
            continue
        length = int.from_bytes(octets[place : place + 2], "big")
        if length < 2:
            return False
        place += length
        if marker == _JPEG_SCAN:
            following = _JPEG_NEXT_MARKER.search(octets, place)
            if following is None:
                return False
            place = following.start()
    return False


def _is_text(octets: bytes) -> bool:
    """Text without NUL and other controls, in UTF-8, UTF-16 with a byte order mark, or an octet-wide charset; no program, no page."""
    if octets.startswith((b"\xff\xfe", b"\xfe\xff")):
        try:
            octets = octets.decode("utf-16").encode("utf-8")
        except UnicodeDecodeError:
            return False
    content = octets.removeprefix(_BOM)
    return not content.startswith(_BINARY) and _CONTROLS.search(content) is None and _MARKUP.search(content[:SNIFFED_OCTETS]) is None


_CHECKS: Final[MappingProxyType[FileType, Callable[[bytes], bool]]] = MappingProxyType(
    {FileType.PDF: _is_pdf, FileType.PNG: _is_png, FileType.JPEG: _is_jpeg, FileType.TXT: _is_text, FileType.CSV: _is_text}
)
_OFFICE_FOLDERS: Final = MappingProxyType({FileType.DOCX: b"word/", FileType.XLSX: b"xl/", FileType.PPTX: b"ppt/"})
