"""What a received attachment is taken for, and how its size is judged before it is fetched."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proton_safe.extract.kinds import Kind, check_signature, declared_kind
from proton_safe.extract.plain_text import PlainText, read_text
from proton_safe.extract.sizes import least_size
from proton_safe.refusals import Code, Refusal


@pytest.mark.parametrize(
    "media_type, filename, kind",
    [
        ("application/pdf", "a.pdf", Kind.PDF),
        ("application/pdf", "unnamed", Kind.PDF),
        ("application/x-pdf", "a.PDF", Kind.PDF),
        ("application/octet-stream", "a.b.csv", Kind.TEXT),
        ("text/plain", "a.csv", Kind.TEXT),
        ("text/plain", "notes", Kind.TEXT),
        ("text/csv", "a.log", Kind.TEXT),
    ],
)
def test_type_and_name_agree_on_a_kind(media_type: str, filename: str, kind: Kind) -> None:
    """Product page 5: type by declared type and name; the name decides where nothing is declared."""
    assert declared_kind(media_type, filename) is kind


@pytest.mark.parametrize(
    "media_type, filename, code",
    [
        ("application/pdf", "a.txt", Code.ATTACHMENT_TYPE_MISMATCH),
        ("text/plain", "a.pdf", Code.ATTACHMENT_TYPE_MISMATCH),
        ("application/octet-stream", "a.exe", Code.ATTACHMENT_TYPE),
        ("application/octet-stream", "pdf", Code.ATTACHMENT_TYPE),
        ("image/png", "a.pdf", Code.ATTACHMENT_TYPE),
        ("", "a.pdf", Code.ATTACHMENT_TYPE),
    ],
)
def test_a_kind_that_is_not_promised_or_promised_twice_is_refused(media_type: str, filename: str, code: Code) -> None:
    """Attack catalogue, filename/multiple-sources and filename/extension-games."""
    with pytest.raises(Refusal) as raised:
        declared_kind(media_type, filename)
    assert raised.value.code is code


@pytest.mark.parametrize(
    "kind, octets, charset",
    [
        (Kind.PDF, b"%PDF-1.7", ""),
        (Kind.TEXT, b"", ""),
        (Kind.TEXT, b"plain", ""),
        (Kind.TEXT, b"\xff\xfea\0", ""),
        (Kind.TEXT, b"a\0b\0", "UTF-16LE"),
        (Kind.TEXT, b"\xef\xbb\xbfbom", ""),
        (Kind.TEXT, "\u4f60\u597d\n".encode("utf-16-be"), "utf-16"),
        (Kind.TEXT, "\u4f60 ok\n".encode("utf-32-le"), "utf-32"),
        (Kind.TEXT, "\u4f60 ok\n".encode("utf-32-be"), "utf-32be"),
        (Kind.TEXT, b'\x1b$B$"\x1b(B\f\r\n\tx', "iso-2022-jp"),
        (Kind.TEXT, b"eleven and some more 1\x08", ""),
    ],
)
def test_octets_that_begin_as_their_kind_does_pass(kind: Kind, octets: bytes, charset: str) -> None:
    """Product page 5: and by signature."""
    check_signature(kind, octets, charset)


@pytest.mark.parametrize(
    "kind, octets",
    [
        (Kind.PDF, b" %PDF-1.7"),
        (Kind.PDF, b"<html>%PDF-1.7"),
        (Kind.TEXT, b"%PDF-1.7"),
        (Kind.TEXT, b"a\0b"),
        (Kind.TEXT, b"MZ\x90"),
        (Kind.TEXT, b"\xef\xbb\xbfPK\x03\x04"),
        (Kind.TEXT, b"\x7fELF"),
        (Kind.TEXT, b"\xfd7zXZ\0"),
        (Kind.TEXT, b"\x01\x02\x03 few words"),
    ],
)
def test_octets_of_another_kind_are_refused(kind: Kind, octets: bytes) -> None:
    """Attack catalogue, pdf-active/polyglot-html and text/binary-as-txt."""
    with pytest.raises(Refusal) as raised:
        check_signature(kind, octets, "us-ascii")
    assert raised.value.code is Code.ATTACHMENT_TYPE_MISMATCH


@pytest.mark.parametrize("label", ["utf-16", "utf-16le", "utf-32", "utf-32be"])
@pytest.mark.parametrize("octets", [b"\x7fELF\x02\0\0\0", b"x\0\0x" * 20])
def test_a_wide_label_makes_no_text_of_a_program(label: str, octets: bytes) -> None:
    """Attack catalogue, text/binary-as-txt; peer fault B21."""
    with pytest.raises(Refusal) as raised:
        check_signature(Kind.TEXT, octets, label)
    assert raised.value.code is Code.ATTACHMENT_TYPE_MISMATCH


@given(st.integers(0, 3_000), st.booleans())
def test_the_least_size_is_at_most_two_below_what_base64_holds(count: int, closed: bool) -> None:
    """RFC 2045 6.8: four characters are three octets, the last four one to three; a last line end may be missing."""
    encoded = base64.encodebytes(b"x" * count).replace(b"\n", b"\r\n")
    least = least_size(len(encoded) if closed else len(encoded.removesuffix(b"\r\n")), "BASE64")
    assert max(count - 2, 0) <= least <= count


def test_other_encodings_are_judged_by_their_worst_case() -> None:
    """RFC 2045 6.7: quoted-printable may spend three octets on one."""
    assert (least_size(300, "quoted-printable"), least_size(300, "7bit"), least_size(300, "")) == (100, 300, 300)


@given(
    st.text(st.characters(codec="utf-8", exclude_characters="\r\ufeff"), max_size=300),
    st.integers(0, 400),
    st.integers(1, 400),
)
def test_any_range_of_a_text_is_that_range(text: str, offset: int, size: int) -> None:
    """Attack catalogue, text/txt-25mb: decoded as far as the range needs, cut on a character."""
    found = read_text(text.replace("\n", "\r\n").encode(), "utf-8", offset_chars=offset, max_chars=size)
    assert found.text == text[offset : offset + size]
    assert found.cut or found == PlainText(found.text, len(text), cut=False)


def test_a_long_text_is_decoded_only_as_far_as_needed() -> None:
    """As above: what follows is told, not decoded."""
    found = read_text(b"x" * 1_000_000, "", offset_chars=10, max_chars=500)
    assert (found.text, found.cut) == ("x" * 500, True)
    assert found.warnings == ()
    assert 510 < found.total_chars < 10_000


def test_octets_that_do_not_fit_the_charset_are_told() -> None:
    """Attack catalogue, text/charset-lie; peer fault B21: Windows-1252 without a label, and another label on it."""
    assert read_text(b"caf\xe9", "", offset_chars=0, max_chars=500) == PlainText("caf\xe9", 4, cut=False, warnings=("charset-mismatch",))
    assert read_text(b"caf\xe9", "windows-1252", offset_chars=0, max_chars=500) == PlainText("caf\xe9", 4, cut=False)
