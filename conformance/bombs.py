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


def _page(content: bytes, *, more: tuple[bytes, ...] = ()) -> bytes:
    """One page with this content and one font, object 5; `more` begins with it and holds what it needs."""
    helvetica = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
    return _file(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 5 0 R >> >> /Contents 4 0 R >>",
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


def _character_flood() -> bytes:
    """Each of 1.2 million letters stands for 128 characters beyond the basic plane: the text needs more than half a gigabyte."""
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R >>"
    mapping = b"1 beginbfchar <41> <" + b"D83DDE00" * 128 + b"> endbfchar"
    table = b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap 1 begincodespacerange <00> <ff> endcodespacerange "
    return _page(b"BT /F1 12 Tf (" + b"A" * 1_200_000 + b") Tj ET", more=(font, _stream(table + mapping + b" endcmap end end")))


_BOMBS: Final[dict[str, Callable[[], bytes]]] = {"inflating": _inflating, "quadratic": _quadratic, "character-flood": _character_flood}
