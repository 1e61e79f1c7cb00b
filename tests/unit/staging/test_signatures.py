"""Content of outgoing files: signature, structure, and nothing much behind the end."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proton_safe.refusals import Code, Refusal
from proton_safe.staging.file_types import FileType
from proton_safe.staging.signatures import check_content
from tests.unit.staging.sample_files import JPEG, PDF, PNG, office

_SAMPLES = {
    FileType.PDF: PDF,
    FileType.PNG: PNG,
    FileType.JPEG: JPEG,
    FileType.DOCX: office("word/"),
    FileType.XLSX: office("xl/"),
    FileType.PPTX: office("ppt/"),
    FileType.TXT: "caf\u00e9\r\n".encode(),
    FileType.CSV: b"a,b\r\n1,2\r\n",
}


def _code(kind: FileType, octets: bytes) -> Code | None:
    try:
        check_content(kind, octets)
    except Refusal as refusal:
        return refusal.code
    return None


@pytest.mark.parametrize("kind", FileType)
def test_each_kind_accepts_its_own_sample_and_no_other_binary(kind: FileType) -> None:
    """Fault A33 of the founding system; attack catalogue, stage/magic-mismatch."""
    text = {FileType.TXT, FileType.CSV}
    accepted = {other for other, octets in _SAMPLES.items() if _code(kind, octets) is None}
    assert accepted == (text if kind in text else {kind})


@pytest.mark.parametrize("kind", [FileType.PDF, FileType.PNG, FileType.JPEG])
def test_a_kilobyte_may_follow_the_end_and_not_one_octet_more(kind: FileType) -> None:
    """Attack catalogue, stage/polyglot."""
    whole = _SAMPLES[kind].rstrip(b"\n")
    assert _code(kind, whole + b"\n" * 1_024) is None
    assert _code(kind, whole + b"\n" * 1_025) is Code.ATTACHMENT_TYPE_MISMATCH


@pytest.mark.parametrize(
    "kind, octets",
    [
        (FileType.PDF, b"x" + PDF),
        (FileType.PDF, b"%PDF-1.4 without an end"),
        (FileType.PDF, b"MZ" + PDF),
        (FileType.PNG, PNG[:-1]),
        (FileType.PNG, PNG[:-12]),
        (FileType.PNG, PNG[:8] + PNG[8:].replace(b"IHDR", b"IDAT", 1)),
        (FileType.PNG, b"<svg xmlns='http://www.w3.org/2000/svg'/>"),
        (FileType.JPEG, JPEG[:-2]),
        (FileType.JPEG, JPEG[:2] + b"\xff\xe0\x00\x01" + JPEG[4:]),
        (FileType.JPEG, b"\xff\xd8\xff"),
        (FileType.JPEG, JPEG[:20] + b"plain octets"),
        (FileType.TXT, b"a\0b"),
        (FileType.TXT, b"\xef\xbb\xbfMZ\x90"),
        (FileType.TXT, b"  <!DOCTYPE html><p>"),
        (FileType.TXT, b"\xff\xfe<\0s\0c\0r\0i\0p\0t\0>\0"),
        (FileType.TXT, b"\xff\xfea"),
        (FileType.TXT, b"\x1b[2J\x08"),
        (FileType.CSV, b"a,<script>alert(1)</script>"),
        (FileType.CSV, b"{\\rtf1"),
    ],
)
def test_files_of_another_make_are_refused(kind: FileType, octets: bytes) -> None:
    """Attack catalogue, stage/magic-mismatch and stage/polyglot."""
    assert _code(kind, octets) is Code.ATTACHMENT_TYPE_MISMATCH


@pytest.mark.parametrize(
    "octets", ["caf\u00e9".encode("cp1252"), "\u65e5\u672c".encode("utf-16"), b"a\tb\x0c\r\n", b"see <b>bold</b>", b"\x1b$B"]
)
def test_text_in_common_charsets_passes(octets: bytes) -> None:
    """Text is not asked for its charset, only for being text."""
    assert _code(FileType.TXT, octets) is None


def test_jpeg_markers_without_length_are_stepped_over() -> None:
    """ITU-T T.81, B.1.1.3: TEM and restart markers stand alone."""
    assert _code(FileType.JPEG, JPEG[:2] + b"\xff\x01\xff\xff" + JPEG[2:].removeprefix(b"\xff")) is None


@pytest.mark.parametrize(
    "octets, code",
    [
        (office("xl/"), Code.ATTACHMENT_TYPE_MISMATCH),
        (office(content_types=False), Code.ATTACHMENT_TYPE_MISMATCH),
        (office(names=("word/vbaProject.bin",)), Code.ATTACHMENT_TYPE_MISMATCH),
        (b"junk" + office(), Code.ATTACHMENT_TYPE_MISMATCH),
        (office() + b"junk", Code.ATTACHMENT_TYPE_MISMATCH),
        (office()[:-30], Code.ATTACHMENT_TYPE_MISMATCH),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, Code.ATTACHMENT_TYPE_MISMATCH),
        (office(names=tuple(f"word/{number}" for number in range(1_999))), Code.ATTACHMENT_TOO_COMPLEX),
    ],
    ids=["another document", "no content types", "macros", "before", "behind", "cut", "encrypted office file", "2,001 entries"],
)
def test_containers_that_are_no_plain_document_are_refused(octets: bytes, code: Code) -> None:
    """Attack catalogue, stage/zip-bombs and stage/magic-mismatch."""
    assert _code(FileType.DOCX, octets) is code


def test_two_thousand_entries_and_a_comment_pass() -> None:
    """The bound itself; a comment may close a ZIP file (APPNOTE 4.3.16)."""
    assert _code(FileType.DOCX, office(names=tuple(f"word/{number}" for number in range(1_998)), comment=b"PK\x05\x06 a comment")) is None


def _patched(octets: bytes, signature: bytes, offset: int, value: bytes) -> bytes:
    place = octets.rindex(signature) + offset
    return octets[:place] + value + octets[place + len(value) :]


@pytest.mark.parametrize(
    "signature, offset, value, code",
    [
        (b"PK\x05\x06", 8, struct.pack("<HH", 0xFFFF, 0xFFFF), Code.ATTACHMENT_TOO_COMPLEX),
        (b"PK\x05\x06", 8, struct.pack("<HH", 1, 1), Code.ATTACHMENT_TYPE_MISMATCH),
        (b"PK\x05\x06", 8, struct.pack("<HH", 3, 3), Code.ATTACHMENT_TYPE_MISMATCH),
        (b"PK\x05\x06", 4, struct.pack("<H", 1), Code.ATTACHMENT_TYPE_MISMATCH),
        (b"PK\x01\x02", 8, struct.pack("<H", 1), Code.ATTACHMENT_TYPE_MISMATCH),
        (b"PK\x01\x02", 10, struct.pack("<H", 12), Code.ATTACHMENT_TYPE_MISMATCH),
        (b"PK\x01\x02", 42, struct.pack("<L", 0), Code.ATTACHMENT_TOO_COMPLEX),
        (b"PK\x01\x02", 0, b"XX", Code.ATTACHMENT_TYPE_MISMATCH),
    ],
    ids=["ZIP64", "too few entries", "too many entries", "another disk", "encrypted", "unknown method", "overlap", "no entry"],
)
def test_a_directory_that_lies_is_refused(signature: bytes, offset: int, value: bytes, code: Code) -> None:
    """Attack catalogue, stage/zip-bombs: overlapping entries, size lies."""
    assert _code(FileType.DOCX, _patched(office(), signature, offset, value)) is code


@settings(deadline=None)
@given(st.sampled_from(list(FileType)), st.data())
def test_any_octets_end_in_a_verdict(kind: FileType, data: st.DataObject) -> None:
    """No content makes a check fail in another way, however it was cut or changed."""
    octets = bytearray(_SAMPLES[kind])
    for _ in range(data.draw(st.integers(0, 6))):
        octets[data.draw(st.integers(0, len(octets) - 1))] = data.draw(st.integers(0, 255))
    assert _code(kind, bytes(octets[: data.draw(st.integers(0, len(octets)))])) in {
        None,
        Code.ATTACHMENT_TYPE_MISMATCH,
        Code.ATTACHMENT_TOO_COMPLEX,
    }
