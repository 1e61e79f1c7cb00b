"""Charset labels and what they decode to; those that transform text are never decoded."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proton_safe.mime import charsets
from proton_safe.mime.charsets import Decoded

KNOWN: list[tuple[bytes, str | None, str]] = [
    (b"\x93x\x94", "iso-8859-1", "\u201cx\u201d"),
    (b"\x93x\x94", "Windows-1252", "\u201cx\u201d"),
    (b"\xa4", "iso-8859-15", "\u20ac"),
    (b"\xfe", "ISO-8859-9", "\u015f"),
    (b"\xc4\xe3", "gb2312", "\u4f60"),
    (b"\x81\x40", "shift_jis", "\u3000"),
    (b"\xb0\xa1", "ks_c_5601-1987", "\uac00"),
    (b"\xd0\xd2", "koi8-r", "\u043f\u0440"),
    ("\xe9".encode("utf-16-be"), "utf-16be", "\xe9"),
    # a byte order mark wins over the label
    ("\ufeff\xe9".encode(), "iso-8859-1", "\xe9"),
    ("\ufeff\xe9".encode("utf-16-le"), "utf-8", "\xe9"),
    # no label: UTF-8, else windows-1252
    (b"\xc3\xa9", None, "\xe9"),
    (b"\xe9", "us-ascii", "\xe9"),
    (b"\xe9", "utf-8", "\xe9"),
    (b"\xc3\xa9\xe9", "utf-8", "\xe9\ufffd"),
    (b"x", ' "UTF-8" ', "x"),
]
REFUSED = [
    "utf-7",
    "unicode_escape",
    "raw_unicode_escape",
    "punycode",
    "idna",
    "rot13",
    "hex",
    "zlib",
    "mbcs",
    "x-evil",
    "a" * 5_000,
    "a\0b",
    "../../x",
]


@pytest.mark.parametrize("octets, label, text", KNOWN)
def test_a_label_means_what_the_encoding_standard_says(octets: bytes, label: str | None, text: str) -> None:
    """WHATWG Encoding 4.2; peer faults A10 and B21."""
    assert charsets.decode(octets, label) == Decoded(text)


@pytest.mark.parametrize("label", REFUSED)
def test_what_is_not_in_the_list_is_read_as_utf_8_with_a_warning(label: str) -> None:
    """Attack catalogue text/charset-unknown and text/charset-codecs: those codecs transform text or raise."""
    assert charsets.decode(b"+ADw-b+AD4- \\u202e", label) == Decoded("+ADw-b+AD4- \\u202e", ("charset-unknown",))


def test_ascii_that_claims_to_be_utf_16_is_not_turned_into_other_words() -> None:
    """Attack catalogue text/charset-lie."""
    assert charsets.decode(b"pay ten", "utf-16") == Decoded("pay ten", ("charset-unknown",))


def test_a_character_that_was_cut_at_the_end_is_left_out() -> None:
    """Product page 4: sections are fetched with octet ranges, which know no characters."""
    assert charsets.decode(b"a\xc3", "utf-8", complete=False).text == "a"
    assert charsets.decode(b"a\xe4\xbd", "utf-8", complete=False).text == "a"


@pytest.mark.parametrize(
    "octets, text",
    [
        (b'\x1b$B$"\x1b(B!', "\u3042!"),
        # characters that Windows added to row 13 of JIS X 0208
        (b"\x1b$B-b\x1b(B", "\u2116"),
        (b"\x1b(I1\x1b(B", "\uff71"),
        # JIS X 0212 (RFC 2237)
        (b'\x1b$(D"/\x1b(B', "\u02d8"),
        (b'\x1b$B$"', "\u3042"),
        (b"\x1b$B!A", "\uff5e"),
    ],
)
def test_japanese_mail_reads_as_its_programs_meant_it(octets: bytes, text: str) -> None:
    """RFC 1468 with the extensions that mail from Windows carries."""
    assert charsets.decode(octets, "iso-2022-jp") == Decoded(text)


@given(st.binary(max_size=200), st.sampled_from(sorted(charsets._CODECS)) | st.text(max_size=50))
def test_any_octets_under_any_label_give_a_text(octets: bytes, label: str) -> None:
    """Product page 4: reading never raises; what leaves must be encodable."""
    charsets.decode(octets, label).text.encode("utf-8")
