"""Reading of Content-Type and Content-Disposition, charsets, dates."""

from datetime import UTC, datetime

import pytest

from fakebridge.message.charset import Unimplemented, UnknownCharset, decoder_for, guess, search_decoder
from fakebridge.message.charsetspelling import usual_name
from fakebridge.message.dates import (
    DateError,
    WrittenDate,
    parse_date_time,
    parse_header_date,
    written_rfc1123,
    written_short,
)
from fakebridge.message.mediatype import MediaType, MediaTypeError, parse, parse_plain


@pytest.mark.parametrize(
    "value,kind,params",
    [
        ('TEXT/Plain ; Charset="UTF-8";', "text/plain", {"charset": "UTF-8"}),
        ("a/b; filename*=utf-8''r%C3%A9sum%C3%A9.csv", "a/b", {"filename": "résumé.csv"}),
        ("a/b; filename*=iso-8859-1''%E9", "a/b", {"filename": "é"}),
        ("a/b; n*0*=utf-8''a%20; n*1=b; n*2*=%21", "a/b", {"n": "a b!"}),
        ('a/b; name="=?utf-8?q?r=C3=A9?="', "a/b", {"name": "ré"}),
        ("text/plain; charset=utf-8; charset=us-ascii", "text/plain", {"charset": "us-ascii"}),
        ('a/b; name="C:\\dev\\x"', "a/b", {"name": "C:\\dev\\x"}),
        ("attachment", "attachment", {}),
        ("a/b; x*=broken", "a/b", {}),
        ("a/b; x*=utf-8''%zz", "a/b", {}),
    ],
)
def test_a_media_type_is_read_with_its_parameters_decoded(value: str, kind: str, params: dict[str, str]) -> None:
    """bridge-behaviour 3.7, 8.1; dialogues 13, 21."""
    assert parse(value) == MediaType(kind, params)


@pytest.mark.parametrize(
    "value,text",
    [
        ("", "empty content type"),
        ("/plain", "mime: no media type"),
        ("text plain", "mime: expected slash after first token"),
        ("text/", "mime: expected token after slash"),
        ("text/plain x", "mime: unexpected content after media subtype"),
        ("text/plain; =x", "mime: invalid media parameter"),
        ('text/plain; a="open', "mime: invalid media parameter"),
        ("text/plain; a=\udcff", "header contains non utf8 chars: <nil>"),
    ],
)
def test_a_value_that_is_no_media_type_has_a_text(value: str, text: str) -> None:
    """RFC 2045; the texts are those that a refused draft shows (bridge-behaviour 5.4)."""
    with pytest.raises(MediaTypeError) as refused:
        parse(value)
    assert refused.value.text == text


def test_the_strict_reader_takes_no_parameter_with_two_values() -> None:
    """The draft path asks the strict reader first."""
    with pytest.raises(MediaTypeError, match="duplicate"):
        parse_plain("a/b; x=1; x=2")
    assert parse_plain("a/b; x=1; x=1").params == {"x": "1"}
    assert (MediaType("attachment", {}).main, MediaType("attachment", {}).sub) == ("", "")


@pytest.mark.parametrize(
    "label,octets,text",
    [
        ("UTF-8", b"\xc3\xa9\xff", "é\ufffd"),
        ("iso-8859-1", b"\x80\xe9", "€é"),
        ("latin1", b"\x81", "\x81"),
        ("cp1251", b"\xdf", "Я"),
        ("koi8", b"\xf1", "Я"),
        ("koi8_u", b"\xa4", "є"),
        ("Windows 1250", b"\x9a", "š"),
        ("iso_8859-15", b"\xa4", "€"),
        ("l6", b"\xa2", "Ē"),
        ("utf-7", b"+AOk-", "é"),
        ("shift-jis", b"\x93\xfa", "日"),
        ("euckr", b"\xc7\xd1", "한"),
        ("ISO-2022-JP", b"\x1b$BF|\x1b(B", "日"),
        ("hz-gb-2312", b"x", "\ufffd"),
        ("x-user-defined", b"a\x80", "a\uf780"),
        ("windows-874", b"\x80\xa1\xdb", "€ก\ufffd"),
    ],
)
def test_a_body_is_decoded_by_many_spellings_of_its_charset(label: str, octets: bytes, text: str) -> None:
    """bridge-behaviour 8.1: labels as web browsers read them; us-ascii and latin-1 are windows-1252."""
    assert decoder_for(label)(octets) == text


@pytest.mark.parametrize(
    "label,name",
    [
        *[(label, "koi8-r") for label in ("koi", "cskoi8r", "koi_8_ru", "koi8", "my-koi8-r")],
        *[(label, "koi8-u") for label in ("koi8u", "koi-8-uk")],
        *[(label, "windows-1251") for label in ("cp1251", "cswindows1251", "win-1251", "windows_1251")],
        *[(label, "windows-874") for label in ("cp874", "win 874")],
        *[(label, "iso-8859-1") for label in ("iso8859", "iso_8859_1", "iso-8859-1:1987")],
        *[(label, "iso-8859-8-i") for label in ("iso-8859-8-i", "iso88598i")],
        ("iso2022jp", "iso-2022-jp"),
        *[(label, "windows-1252") for label in ("l1", "latin-1", "csisolatin1")],
        *[(label, "iso-8859-15") for label in ("latin9", "iso8859-15")],
        *[(label, "ascii") for label in ("iso646-us", "ibm367")],
        *[(label, "shift_jis") for label in ("cp932", "windows-932")],
        *[(label, label) for label in ("koi--8", "cp12510", "cp1259", "iso-8859-12", "latin7", "iso-2022-kr", "utf-8", "")],
    ],
)
def test_a_misspelt_charset_has_a_usual_name(label: str, name: str) -> None:
    """bridge-behaviour 8.1; inferred: one separator or none between the parts, and unknown labels stay as they are."""
    assert usual_name(label) == name


def test_an_unknown_charset_is_refused_and_text_without_one_is_guessed() -> None:
    """bridge-behaviour 8.1: (detected and) converted."""
    with pytest.raises(UnknownCharset):
        decoder_for("nonsense")
    assert guess("é".encode()) == "é"
    assert guess(b"\xe9") == "é"
    assert guess(b"\xff\xfea\x00") == "\ufeffa"
    assert guess(b"x" * 1023 + "é".encode()) == "x" * 1023 + "Ã©"


@pytest.mark.parametrize(
    "name,octets,text",
    [("UTF-8", b"\xc3\xa9", "é"), ("us-ascii", b"a\xe9", "a\ufffd"), ("ISO_8859-1:1987", b"\xe9", "é"), ("UTF-16", b"\xfe\xff\x00a", "a")],
)
def test_search_decodes_registered_charsets(name: str, octets: bytes, text: str) -> None:
    """bridge-behaviour 3.8; dialogue 17."""
    assert search_decoder(name)(octets) == text


def test_search_tells_an_unknown_charset_from_one_without_a_decoder() -> None:
    """Dialogues 17, 40: BADCHARSET for the first, silence for the second."""
    with pytest.raises(UnknownCharset):
        search_decoder("NOPE")
    with pytest.raises(Unimplemented):
        search_decoder("utf-7")


@pytest.mark.parametrize(
    "value,date",
    [
        (b"Tue, 03 Feb 2026 23:30:00 +0100", WrittenDate(2026, 2, 3, 23, 30, 0, 3600)),
        (b"03 Feb 26 23:30 +0100", WrittenDate(2026, 2, 3, 23, 30, 0, 3600)),
        (b"3 Feb 27 1:02 EST (comment)", WrittenDate(1927, 2, 3, 1, 2, 0, -18000)),
        (b" (c) Tue , 3 Feb 2026 01:02:03", WrittenDate(2026, 2, 3, 1, 2, 3, 0)),
        (b"01 Jan 01 00:00 UTC", WrittenDate(2001, 1, 1, 0, 0, 0, 0)),
    ],
)
def test_a_date_is_read_as_search_reads_it(value: bytes, date: WrittenDate) -> None:
    """bridge-behaviour 3.8; dialogue 18: two-digit years up to the present one lie in this century."""
    assert parse_date_time(value, this_year=2026) == date


@pytest.mark.parametrize(
    "value,text",
    [
        (b"", "[Error offset=0]: expected digit for day value"),
        (b"nonsense", "[Error offset=1]: invalid day name 'nonsense'"),
        (b"3 feb 2026 1:00", "[Error offset=5]: invalid date month 'feb'"),
        (b"3 Feb 2026", "[Error offset=10]: expected valid digit for number"),
        (b"3 Feb 2026 1:00 XYZ", "[Error offset=17]: unknown time zone '{xyz 17}'"),
        (b"Tue 3 Feb 2026", "[Error offset=4]: expected ',' after day of the week"),
    ],
)
def test_a_date_that_cannot_be_read_has_an_offset_and_a_text(value: bytes, text: str) -> None:
    """bridge-behaviour 3.8: the whole SEARCH fails with it."""
    with pytest.raises(DateError) as refused:
        parse_date_time(value, this_year=2026)
    assert str(refused.value) == text


@pytest.mark.parametrize(
    "value,written",
    [
        ("Tue, 03 Feb 2026 23:30:00 +0100", "03 Feb 26 23:30 +0100"),
        ("Wed, 04 Feb 2026 08:00:00 +0000", "04 Feb 26 08:00 UTC"),
        ("4 feb 70 08:00 GMT (later)", "04 Feb 70 08:00 GMT"),
        ("Tue, 03 Feb 2026 23:30:00 -0330", "03 Feb 26 23:30 -0330"),
    ],
)
def test_the_recordings_account_server_writes_dates_short(value: str, written: str) -> None:
    """An artefact of the recordings (dialogues 13, 35)."""
    assert written_short(parse_header_date(value)) == written


@pytest.mark.parametrize("value", ["nonsense", "32 Feb 2026 10:00:00 +0000", "3 Foo 2026 10:00:00 +0000", "3 Feb 2026 25:00:00 +0000"])
def test_the_recordings_account_server_refuses_other_dates(value: str) -> None:
    """Dialogue 26: mail: header could not be parsed."""
    with pytest.raises(DateError):
        parse_header_date(value)


def test_a_moment_is_written_in_utc_and_odd_days_carry_over() -> None:
    """bridge-behaviour 4.2: X-Pm-Date."""
    assert written_rfc1123(datetime(1970, 1, 1, tzinfo=UTC)) == "Thu, 01 Jan 1970 00:00:00 +0000"
    assert WrittenDate(2026, 2, 31, 0, 0, 0, 3600).instant() == datetime(2026, 3, 2, 23, tzinfo=UTC)
