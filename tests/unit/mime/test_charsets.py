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
    # undeclared Japanese, which no other octets look like
    (b'\x1b$B$"\x1b(B', None, "\u3042"),
    # UTF-16 that leaves the order of its octets open
    ("pay \xe9".encode("utf-16-le"), "utf-16", "pay \xe9"),
    ("pay \xe9".encode("utf-16-be"), "utf-16", "pay \xe9"),
    # all octets below 128, and no text in UTF-8 either
    ("\u5951\u7d04".encode("utf-16-le"), "utf-16le", "\u5951\u7d04"),
    ("pay \xe9".encode("utf-32-le"), "utf-32", "pay \xe9"),
    ("pay \xe9".encode("utf-32-be"), "utf-32", "pay \xe9"),
    (b"\xad\xb5\xb0\xa1\x8e\xb1\x8f\xa2\xafx", "euc-jp", "\u2160\u4e9c\uff71\u02d8x"),
    (b"x", ' "UTF-8" ', "x"),
    # a comment that a server hands on, and labels of old mail
    (b"\xb9", "iso-8859-2 (Central)", "\u0161"),
    (b'\x1b$B$"\x1b(B', "iso-2022-jp-2", "\u3042"),
    (b"\x8f", "mac-cyrillic", "\u041f"),
    (b"\x8f", "cp1125", "\u041f"),
]
MISMATCHED: list[tuple[bytes, str | None, str]] = [
    (b"\xe9", "us-ascii", "\xe9"),
    (b"\xe9", None, "\xe9"),
    (b"\xe9", "utf-8", "\xe9"),
    (b"\xc3\xa9\xe9", "utf-8", "\xe9\ufffd"),
    # overlong forms of "/" and a surrogate in UTF-8
    (b"\xc3\xa9\xc0\xaf\xed\xa0\x80", "utf-8", "\xe9" + "\ufffd" * 5),
    # an octet that windows-1252 has not, which must not become a C1 control
    (b"a\x81b", "iso-8859-1", "a\ufffdb"),
    (b"pay ten", "utf-16", "pay ten"),
    (b"pay \xc3\xa9", "utf-16be", "pay \xe9"),
    (b"\x00\xd8x\x00", "utf-16le", "\ufffdx"),
    # an escape that is left open ends with its line
    (b'\x1b$B$"\npay ten', "iso-2022-jp", "\u3042\npay ten"),
    (b'\x1b$B$"', "iso-2022-jp", "\u3042"),
    (b"\xff\xb0", "euc-jp", "\ufffd\ufffd"),
]


def test_html_may_name_its_charset_itself() -> None:
    """WHATWG HTML 13.2.3.2: near its beginning, in a `meta` element."""
    assert charsets.in_html(b'<html><META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=KOI8-R">') == "koi8-r"
    assert charsets.in_html(b"<meta charset = 'windows-1251'/>") == "windows-1251"
    assert charsets.in_html(b"<p charset=x>" + b" " * 2_048 + b"<meta charset=koi8-r>") == ""


LABELS = """\
utf-8: unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 x-unicode20utf8
ibm866: 866 cp866 csibm866 ibm866
iso-8859-2: csisolatin2 iso-8859-2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2
iso-8859-3: csisolatin3 iso-8859-3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3
iso-8859-4: csisolatin4 iso-8859-4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4
iso-8859-5: csisolatincyrillic cyrillic iso-8859-5 iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988
iso-8859-6: arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6 iso-8859-6-e iso-8859-6-i iso-ir-127
iso-8859-6: iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987
iso-8859-7: csisolatingreek ecma-118 elot_928 greek greek8 iso-8859-7 iso-ir-126 iso8859-7 iso88597 iso_8859-7 iso_8859-7:1987 sun_eu_greek
iso-8859-8: csiso88598e csisolatinhebrew hebrew iso-8859-8 iso-8859-8-e iso-ir-138 iso8859-8 iso88598 iso_8859-8 iso_8859-8:1988 visual
iso-8859-8-i: csiso88598i iso-8859-8-i logical
iso-8859-10: csisolatin6 iso-8859-10 iso-ir-157 iso8859-10 iso885910 l6 latin6
iso-8859-13: iso-8859-13 iso8859-13 iso885913
iso-8859-14: iso-8859-14 iso8859-14 iso885914
iso-8859-15: csisolatin9 iso-8859-15 iso8859-15 iso885915 iso_8859-15 l9
iso-8859-16: iso-8859-16
koi8-r: cskoi8r koi koi8 koi8-r koi8_r
koi8-u: koi8-ru koi8-u
macintosh: csmacintosh mac macintosh x-mac-roman
windows-874: dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 windows-874
windows-1250: cp1250 windows-1250 x-cp1250
windows-1251: cp1251 windows-1251 x-cp1251
windows-1252: ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1
windows-1252: iso88591 iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii windows-1252 x-cp1252
windows-1253: cp1253 windows-1253 x-cp1253
windows-1254: cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5 latin5 windows-1254 x-cp1254
windows-1255: cp1255 windows-1255 x-cp1255
windows-1256: cp1256 windows-1256 x-cp1256
windows-1257: cp1257 windows-1257 x-cp1257
windows-1258: cp1258 windows-1258 x-cp1258
x-mac-cyrillic: x-mac-cyrillic x-mac-ukrainian
gbk: chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 gbk iso-ir-58 x-gbk
gb18030: gb18030
big5: big5 big5-hkscs cn-big5 csbig5 x-x-big5
euc-jp: cseucpkdfmtjapanese euc-jp x-euc-jp
iso-2022-jp: csiso2022jp iso-2022-jp
shift_jis: csshiftjis ms932 ms_kanji shift-jis shift_jis sjis windows-31j x-sjis
euc-kr: cseuckr csksc56011987 euc-kr iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 windows-949
utf-16be: unicodefffe utf-16be
utf-16le: csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 utf-16le
"""
REFUSED = [
    "utf-7",
    "iso-2022-kr",
    "hz-gb-2312",
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


@pytest.mark.parametrize("octets, label, text", MISMATCHED)
def test_octets_that_do_not_fit_their_label_are_told(octets: bytes, label: str | None, text: str) -> None:
    """Attack catalogue text/charset-lie: nothing raises, no words change into others unseen, and the reader is warned."""
    assert charsets.decode(octets, label) == Decoded(text, ("charset-mismatch",))


@pytest.mark.parametrize("line", LABELS.strip().splitlines(), ids=lambda line: line.partition(":")[0])
def test_every_label_of_the_encoding_standard_is_known(line: str) -> None:
    """WHATWG Encoding 4.2, but for the labels of `replacement` and `x-user-defined`, which no mail program writes."""
    name, _, labels = line.partition(": ")
    codec = charsets.codec_of(name)
    assert codec is not None
    assert {charsets.codec_of(label.upper()) for label in labels.split()} == {codec}


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
        (b"\x1b$B!A\x1b(B", "\uff5e"),
    ],
)
def test_japanese_mail_reads_as_its_programs_meant_it(octets: bytes, text: str) -> None:
    """RFC 1468 with the extensions that mail from Windows carries."""
    assert charsets.decode(octets, "iso-2022-jp") == Decoded(text)


@given(st.binary(max_size=200), st.sampled_from(sorted(charsets._CODECS)) | st.text(max_size=50))
def test_any_octets_under_any_label_give_a_text(octets: bytes, label: str) -> None:
    """Product page 4: reading never raises; what leaves must be encodable."""
    charsets.decode(octets, label).text.encode("utf-8")


def test_a_wide_mark_before_utf_8_is_no_reason_to_read_chinese() -> None:
    """Attack catalogue html/charset-meta: what the mail's header says, and the octets bear out, wins over a false byte order mark."""
    assert charsets.decode(b"\xff\xfecaf\xc3\xa9", "utf-8") == Decoded("caf\xe9", ("charset-mismatch",))
    assert charsets.decode("\ufeffcaf\xe9".encode("utf-16-le"), "utf-8") == Decoded("caf\xe9")
