"""Octets that cases talk about: files of the fixtures, noise, texts, and the smallest sound file of each type that can be attached.

A source is a dict: `{"pdf": "pdf/invoice"}`, `{"noise": n, "seed": text}`, `{"text": text}`, `{"hex": digits}`,
`{"kind": "docx" | "xlsx" | "pptx" | "png" | "jpeg"}`, `{"container": {"entries": n}}`, `{"bomb": name}`.
`from` and `to` cut a piece out of any of them, `padded_to` appends zeros, `repeat` repeats it.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib

from conformance.bombs import bomb
from conformance.model import Json
from fixtures.pdfs.catalogue import octets as pdf_octets
from fixtures.seeding import noise

_MAIN_PARTS = {
    "docx": ("word/document.xml", "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"),
    "xlsx": ("xl/workbook.xml", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"),
    "pptx": ("ppt/presentation.xml", "application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"),
}
_FIXED_TIME = (2026, 12, 1, 9, 0, 0)


def octets_of(source: Json) -> bytes:
    """The octets that `source` describes. Raises KeyError or ValueError for a source that does not exist."""
    octets = _whole(source) * int(source.get("repeat", 1))
    octets = octets.ljust(int(source.get("padded_to", 0)), b"\0")
    return octets[source.get("from", 0) : source.get("to")]


def _whole(source: Json) -> bytes:
    match source:
        case {"pdf": str(name)}:
            return pdf_octets(name)
        case {"noise": int(size)}:
            return noise(str(source.get("seed", "conformance")), size)
        case {"text": str(text)}:
            return text.encode()
        case {"hex": str(digits)}:
            return bytes.fromhex(digits)
        case {"bomb": str(name)}:
            return bomb(name)
        case {"kind": "png"}:
            return _png()
        case {"kind": "jpeg"}:
            return _jpeg()
        case {"kind": str(kind)}:
            return _office(kind)
        case {"container": {"entries": int(entries)}}:
            return _office("docx", entries)
        case _:
            raise ValueError(f"no such source: {source!r}")


def _office(kind: str, entries: int = 3) -> bytes:
    """An Office file (ECMA-376 part 2) with so many entries in its container."""
    part, content_type = _MAIN_PARTS[kind]
    names = "http://schemas.openxmlformats.org/package/2006"
    override = f'<Override PartName="/{part}" ContentType="{content_type}"/>'
    types = f'<?xml version="1.0"?><Types xmlns="{names}/content-types">{override}</Types>'
    link = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
    relations = (
        f'<?xml version="1.0"?><Relationships xmlns="{names}/relationships">'
        f'<Relationship Id="r1" Type="{link}" Target="{part}"/></Relationships>'
    )
    contents = {"[Content_Types].xml": types, "_rels/.rels": relations, part: '<?xml version="1.0"?><part/>'}
    contents |= {f"extra/{number}.xml": "<x/>" for number in range(entries - len(contents))}
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as container:
        for name, text in contents.items():
            container.writestr(zipfile.ZipInfo(name, _FIXED_TIME), text)
    return file.getvalue()


def _png() -> bytes:
    """One grey dot (PNG 3rd edition, 11.2)."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\0\x80")) + chunk(b"IEND", b"")


def _jpeg() -> bytes:
    """Start, a JFIF segment, a comment, end (JFIF 1.02): no picture, but the structure of one."""
    app0 = b"JFIF\0\x01\x02\0\0\x01\0\x01\0\0"
    comment = b"a picture without dots"
    return (
        b"\xff\xd8\xff\xe0"
        + struct.pack(">H", len(app0) + 2)
        + app0
        + b"\xff\xfe"
        + struct.pack(">H", len(comment) + 2)
        + comment
        + b"\xff\xd9"
    )
