"""PDFs of a few kilobytes that need far more work than any answer is worth. Built when a case asks for one, never stored."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Final


def bomb(name: str) -> bytes:
    """The file of this name. Raises KeyError."""
    return _BOMBS[name]()


def _file(objects: list[bytes]) -> bytes:
    """Numbered objects as a file with its cross-reference table (ISO 32000-1, 7.5)."""
    out, offsets = bytearray(b"%PDF-1.7\n"), []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    table = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    return bytes(out + b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, table))


def _stream(data: bytes) -> bytes:
    packed = zlib.compress(data, 9)
    return b"<< /Length %d /Filter /FlateDecode >>\nstream\n%b\nendstream" % (len(packed), packed)


def _page(content: bytes, *, fonts: bytes = b"/F1 5 0 R", more: tuple[bytes, ...] = ()) -> bytes:
    """One page with this content; font objects follow as number 5 and up."""
    helvetica = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
    return _file(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << %b >> >> /Contents 4 0 R >>" % fonts,
            _stream(content),
            *(more or (helvetica,)),
        ]
    )


def _inflating() -> bytes:
    """A stream of 100 MB that packs into 100 kB."""
    return _page(b"%" + b"A" * 100_000_000)


def _quadratic() -> bytes:
    """A long text and then many line starts: an extractor that copies the text at each of them never ends."""
    return _page(b"BT /F1 12 Tf (" + b"A" * 3_300_000 + b") Tj ET BT (a) Tj " + b"T*\n" * 190_000 + b"ET")


def _font_flood() -> bytes:
    """One font with 65,535 widths under 1,500 names: each name may get a table of its own."""
    descendant = b"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /X /CIDSystemInfo << /Registry (A) /Ordering (I) /Supplement 0 >> /W [0 65534 500] >>"
    font = b"<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /Identity-H /DescendantFonts [6 0 R] >>"
    names = b" ".join(b"/G%d 5 0 R" % number for number in range(1_500))
    content = b"BT " + b" ".join(b"/G%d 12 Tf <0041> Tj" % number for number in range(1_500)) + b" ET"
    return _page(content, fonts=names, more=(font, descendant))


_BOMBS: Final[dict[str, Callable[[], bytes]]] = {"inflating": _inflating, "quadratic": _quadratic, "font-flood": _font_flood}
