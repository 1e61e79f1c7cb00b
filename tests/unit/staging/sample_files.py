"""The smallest files of each kind, and ways to spoil them."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from typing import Final

PDF: Final = b"%PDF-1.4\n1 0 obj\n<<>>\nendobj\n%%EOF\n"


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


PNG: Final = (
    b"\x89PNG\r\n\x1a\n"
    + _chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
    + _chunk(b"IDAT", zlib.compress(b"\0\0"))
    + _chunk(b"IEND", b"")
)
JPEG: Final = (
    b"\xff\xd8"
    b"\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00"
    b"\xff\xda\x00\x08\x01\x01\x00\x00\x3f\x00"
    b"\x12\xff\x00\x34\xff\xd0\x56"
    b"\xff\xda\x00\x08\x01\x01\x00\x00\x3f\x00\x78"
    b"\xff\xd9"
)


def office(folder: str = "word/", *, names: tuple[str, ...] = (), content_types: bool = True, comment: bytes = b"") -> bytes:
    """An OOXML container whose document lies in `folder`, with more entries."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        if content_types:
            archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr(f"{folder}document.xml", "<document/>")
        for name in names:
            archive.writestr(name, "")
        archive.comment = comment
    return out.getvalue()
