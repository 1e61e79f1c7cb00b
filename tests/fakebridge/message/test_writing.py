"""How Bridge writes: quoted strings, encoded words, transfer encodings, folding, header parameters."""

import base64
import quopri

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fakebridge.message import mediatype, quoting
from fakebridge.message.headerblock import HeaderBlock, canonical, fold
from fakebridge.message.qp import base64_lines, quoted_printable
from fakebridge.message.qword import WordError, decode_header, decode_header_plain, decode_word, encode, encode_b
from fakebridge.message.transfer import TransferError, decode


@pytest.mark.parametrize(
    "value,written",
    [
        ("plain", b'"plain"'),
        ('q"b\\', b'"q\\"b\\\\"'),
        ("é", '"é"'.encode()),
        ("a\u00a0b\tc\x00\x7f", b'"a\\u00a0b\\tc\\x00\\x7f"'),
        ("\U0001f600\U000e0001\u200b", '"\U0001f600\\U000e0001\\u200b"'.encode()),
        (b"\xff\xc3", b'"\\xff\\xc3"'),
        ("", b'""'),
    ],
)
def test_a_string_is_quoted_with_gos_escapes(value: str | bytes, written: bytes) -> None:
    """bridge-behaviour 3.6: raw 8-bit text, escapes for what cannot be printed."""
    assert quoting.text(value) == written


def test_empty_strings_are_nil_and_empty_parameter_lists_are_not() -> None:
    """bridge-behaviour 3.7: NIL and () rules, parameters sorted."""
    assert quoting.nil_text(None) == quoting.nil_text(b"") == b"NIL"
    assert quoting.parameters({}) == b"()"
    assert quoting.parameters({"name": "b", "charset": ""}) == b'("charset" NIL "name" "b")'


@pytest.mark.parametrize(
    "text,encoded",
    [
        ("plain text", "plain text"),
        ("Re: Réunion", "=?utf-8?q?Re:_R=C3=A9union?="),
        ("tab\tis plain", "tab\tis plain"),
        ("a=b?_é", "=?utf-8?q?a=3Db=3F=5F=C3=A9?="),
    ],
)
def test_a_text_is_encoded_as_a_whole_if_it_needs_it(text: str, encoded: str) -> None:
    """bridge-behaviour 4.2; dialogues 20, 23."""
    assert encode(text) == encoded


@settings(max_examples=100, deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=80))
def test_encoded_text_is_read_back_in_words_of_75_at_most(text: str) -> None:
    """RFC 2047 section 2: no word is longer, and no letter is cut."""
    for encoded in (encode(text), encode_b(text)):
        if encoded != text:
            assert decode_header(encoded) == text
            assert all(len(word) <= 75 and decode_word(word) is not None for word in encoded.split(" "))


@pytest.mark.parametrize(
    "value,decoded",
    [
        ("=?utf-8?q?a?= =?utf-8?b?Yg==?=", "ab"),
        ("=?utf-8?q?a?= x =?iso-8859-1?Q?=E9?=", "a x é"),
        ("=?utf-8?q?broken=?= rest", "=?utf-8?q?broken=?= rest"),
        ("=?utf-8?x?a?=", "=?utf-8?x?a?="),
        ("=?windows-1252?q?=80?=", "€"),
        ("no words =? here", "no words =? here"),
        ("=?us-ascii?q?=E9?=", "\ufffd"),
    ],
)
def test_encoded_words_in_a_header_are_decoded_one_by_one(value: str, decoded: str) -> None:
    """RFC 2047; bridge-behaviour 5.2: broken words stay as they are."""
    assert decode_header(value) == decoded


def test_an_unknown_charset_spoils_the_value_and_a_known_one_only_in_the_wide_reader() -> None:
    """bridge-behaviour 8.1: the MIME reader knows three charsets by itself."""
    with pytest.raises(WordError):
        decode_header("=?nonsense?q?a?=")
    with pytest.raises(WordError):
        decode_header_plain("=?windows-1252?q?=80?=")
    assert decode_header_plain("=?iso-8859-1?q?=E9?=") == "é"
    with pytest.raises(WordError):
        decode_word("=?utf-8?q?open")


@settings(max_examples=150, deadline=None)
@given(st.one_of(st.binary(max_size=300), st.text("a =\t\r\n.é", max_size=300).map(str.encode)))
def test_quoted_printable_has_lines_of_76_and_is_read_back(octets: bytes) -> None:
    """RFC 2045 6.7; dialogues 14, 20, 43: line ends become CRLF, everything else survives."""
    written = quoted_printable(octets)
    assert all(len(line) <= 76 and not line.endswith((b" ", b"\t")) for line in written.split(b"\r\n"))
    assert b"\r" not in written.replace(b"\r\n", b"")
    wanted = octets.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    assert quopri.decodestring(written).replace(b"\r\n", b"\n") == wanted
    assert decode("quoted-printable", written) == wanted.replace(b"\n", b"\r\n")


@pytest.mark.parametrize(
    "octets,written",
    [
        (b"w" * 77, b"w" * 75 + b"=\r\nww"),
        (b"w" * 74 + b" ", b"w" * 74 + b"=\r\n=20"),
        (b"w" * 75 + b" ", b"w" * 75 + b"=\r\n=20"),
        (b"w" * 72 + b" ", b"w" * 72 + b"=20"),
        (b"w" * 73 + b"=", b"w" * 73 + b"=\r\n=3D"),
        (b"a \nb\t", b"a=20\r\nb=09"),
        (b"   \r\n", b"  =20\r\n"),
        (b"", b""),
    ],
)
def test_a_line_is_cut_where_bridge_cuts_it(octets: bytes, written: bytes) -> None:
    """Dialogues 23, 43: 75 characters and a soft line end; a blank before the end is encoded."""
    assert quoted_printable(octets) == written


@pytest.mark.parametrize("length", [0, 1, 56, 57, 58, 114, 115])
def test_base64_has_lines_of_76_and_no_line_end_behind_the_last(length: int) -> None:
    """Dialogue 14: attachments."""
    octets = bytes(range(length))
    written = base64_lines(octets)
    assert base64.b64decode(written) == octets
    assert not written.endswith(b"\r\n")
    assert all(len(line) <= 76 for line in written.split(b"\r\n"))
    assert decode("base64", written) == octets


@pytest.mark.parametrize(
    "encoding,body,text",
    [
        ("base64", b"AAE", "unexpected EOF"),
        ("base64", b"AA=A", "illegal base64 data at input byte 2"),
        ("base64", b"AAAA=", "illegal base64 data at input byte 4"),
        ("base64", b"AA E", "illegal base64 data at input byte 2"),
        ("base64", b"AA==AA", "illegal base64 data at input byte 4"),
        ("quoted-printable", b"a\x01", "quotedprintable: invalid unescaped byte 0x01 in body"),
        ("quoted-printable", b"a= \t", 'quotedprintable: invalid bytes after =: " \\t"'),
        ("quoted-printable", b"w" * 5000, "bufio: buffer full"),
        ("x-uuencode", b"", 'unhandled encoding "x-uuencode"'),
    ],
)
def test_a_broken_body_is_refused_with_its_text(encoding: str, body: bytes, text: str) -> None:
    """bridge-behaviour 5.4: other MIME trouble."""
    with pytest.raises(TransferError) as refused:
        decode(encoding, body)
    assert refused.value.text == text


def test_quoted_printable_is_read_leniently() -> None:
    """A stray = stays, blanks at line ends go, a = at the very end goes."""
    assert decode("quoted-printable", b"a=zz  \r\nb=\r\nc =\nd=3d\xc3\xa9\rx=") == b"a=zz\r\nbc d=\xc3\xa9\rx"
    assert decode("7BIT", b"as it is") == b"as it is"


@pytest.mark.parametrize(
    "name,value,line",
    [
        ("Subject", "short", "Subject: short\r\n"),
        ("Subject", "", "Subject: \r\n"),
        ("Content-Type", "multipart/mixed; boundary=" + "b" * 64, "Content-Type: multipart/mixed;\r\n boundary=" + "b" * 64 + "\r\n"),
        ("X", "a " * 60, "X: " + "a " * 36 + "a\r\n" + " a" * 23 + " \r\n"),
        ("X", "w" * 100, "X: " + "w" * 100 + "\r\n"),
        ("X", "w" * 1000, "X: " + "w" * 994 + "\r\n " + "w" * 6 + "\r\n"),
    ],
)
def test_a_field_is_folded_before_a_blank_at_76_columns(name: str, value: str, line: str) -> None:
    """bridge-behaviour 4.2: fields that Bridge writes; a longer word goes on up to 998."""
    assert fold(name, value) == line


def test_a_set_field_goes_on_top_and_an_unchanged_one_stays() -> None:
    """bridge-behaviour 4.2: the order of built messages."""
    block = HeaderBlock()
    block.keep("message-ID", "<a>")
    block.keep("X-Long", "w" * 300)
    block.set("Subject", "s")
    block.set_changed("Message-Id", "<a>")
    assert block.octets() == b"Subject: s\r\nmessage-ID: <a>\r\nX-Long: " + b"w" * 300 + b"\r\n\r\n"
    block.set_changed("MESSAGE-ID", "<b>")
    block.drop("x-long")
    assert block.octets() == b"Message-Id: <b>\r\nSubject: s\r\n\r\n"
    assert (block.get("none"), block.values("subject"), block.has("X-Long")) == ("", ["s"], False)
    assert canonical("odd name") == "odd name"


@pytest.mark.parametrize(
    "kind,params,written",
    [
        ("Text/Plain", {"charset": "utf-8", "Boundary": "a b"}, 'text/plain; boundary="a b"; charset=utf-8'),
        ("attachment", {"filename": "é *"}, "attachment; filename*=utf-8''%C3%A9%20%2A"),
        ("attachment", {"filename": 'q"\\'}, 'attachment; filename="q\\"\\\\"'),
        ("attachment", {"filename": ""}, 'attachment; filename=""'),
        ("not a type", {}, ""),
        ("text/plain", {"bad name": "x"}, ""),
    ],
)
def test_parameters_are_written_sorted_and_quoted_where_needed(kind: str, params: dict[str, str], written: str) -> None:
    """Dialogues 14, 21; RFC 2045, 2231."""
    assert mediatype.write(kind, params) == written
