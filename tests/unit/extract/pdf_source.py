"""PDFs written octet by octet, ordinary and hostile ones. Built when a test asks; the hostile ones pack into a few kilobytes."""

from __future__ import annotations

import zlib
from typing import Final

HELVETICA: Final = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"


def stream(data: bytes, extra: bytes = b"") -> bytes:
    """A stream object, compressed."""
    packed = zlib.compress(data, 9)
    return b"<< /Length %d /Filter /FlateDecode %b>>\nstream\n%b\nendstream" % (len(packed), extra, packed)


def plain_stream(data: bytes, extra: bytes = b"") -> bytes:
    """A stream object as it is."""
    return b"<< /Length %d %b>>\nstream\n%b\nendstream" % (len(data), extra, data)


def written(objects: list[bytes], trailer: bytes = b"") -> bytes:
    """A file of these objects, numbered from 1; the first is the catalog."""
    out = bytearray(b"%PDF-1.7\n")
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer\n<< /Size %d /Root 1 0 R %b>>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, trailer, start)
    return bytes(out)


def document(
    contents: list[bytes], *, fonts: bytes = b"/F1 3 0 R", more: tuple[bytes, ...] = (), xobjects: bytes = b"", trailer: bytes = b""
) -> bytes:
    """A page for each content object. Object 3 is Helvetica, `more` begins with object 4."""
    first_page = 4 + len(more)
    kids = b" ".join(b"%d 0 R" % (first_page + 2 * number) for number in range(len(contents)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Count %d /Kids [%b] >>" % (len(contents), kids),
        HELVETICA,
        *more,
    ]
    for number, content in enumerate(contents):
        resources = b"<< /Font << %b >> /XObject << %b >> >>" % (fonts, xobjects)
        page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources %b /Contents %d 0 R >>"
        objects += [page % (resources, first_page + 2 * number + 1), content]
    return written(objects, trailer)


def says(*texts: str) -> bytes:
    """A document with a page for each text."""
    return document([stream(b"BT /F1 12 Tf 72 720 Td (%b) Tj ET" % text.encode("ascii")) for text in texts])


def million_operators() -> bytes:
    """pdf-bomb/ops-1m."""
    return document([stream(b"BT /F1 12 Tf " + b"(a) Tj\n" * 990_000 + b"ET")])


def quadratic() -> bytes:
    """pdf-bomb/tight-quadratic: inside every limit of the library, and never finished."""
    return document([stream(b"BT /F1 12 Tf (" + b"A" * 3_300_000 + b") Tj ET BT /F1 12 Tf (a) Tj " + b"T*\n" * 190_000 + b"ET")])


def wide_mapping(octets: int) -> bytes:
    """pdf-bomb/tounicode-512b: each octet becomes 128 characters beyond the first plane."""
    mapping = stream(
        b"begincmap 1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfchar <41> <" + b"D83DDE00" * 128 + b"> endbfchar endcmap"
    )
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 4 0 R >>"
    return document([stream(b"BT /G 12 Tf (" + b"A" * octets + b") Tj ET")], fonts=b"/G 5 0 R", more=(mapping, font))


def lone_surrogate() -> bytes:
    """pdf-text/lone-surrogate."""
    mapping = stream(b"begincmap 1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfchar <41> <D800> endbfchar endcmap")
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 4 0 R >>"
    return document([stream(b"BT /G 12 Tf (A) Tj ET")], fonts=b"/G 5 0 R", more=(mapping, font))


def nested_forms(depth: int) -> bytes:
    """pdf-structure/xform-chain: each form draws the next, the text is in the last."""
    head = b"/Type /XObject /Subtype /Form /BBox [0 0 9 9] "
    forms = [stream(b"/X Do", head + b"/Resources << /XObject << /X %d 0 R >> >> " % (number + 5)) for number in range(depth - 1)] + [
        stream(b"BT /F1 9 Tf (leaf) Tj ET", head + b"/Resources << /Font << /F1 3 0 R >> >> ")
    ]
    return document([stream(b"BT /F1 9 Tf (page) Tj ET /X Do")], more=tuple(forms), xobjects=b"/X 4 0 R")
