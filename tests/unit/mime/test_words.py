"""Unstructured header text: RFC 2047 words, folding, octets above 127."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proton_safe.mime import words
from proton_safe.mime.charsets import Decoded
from proton_safe.mime.defects import MAX_FIELD_OCTETS

KNOWN: list[tuple[bytes, str, tuple[str, ...]]] = [
    (b"", "", ()),
    (b" plain text ", "plain text", ()),
    # RFC 2047 section 8
    (b"=?ISO-8859-1?Q?a?=", "a", ()),
    (b"=?ISO-8859-1?Q?a?= b", "a b", ()),
    (b"=?ISO-8859-1?Q?a?= =?ISO-8859-1?Q?b?=", "ab", ()),
    (b"=?ISO-8859-1?Q?a?=  =?ISO-8859-1?Q?b?=", "ab", ()),
    (b"=?ISO-8859-1?Q?a?=\r\n    =?ISO-8859-1?Q?b?=", "ab", ()),
    (b"=?ISO-8859-1?Q?a_b?=", "a b", ()),
    (b"=?ISO-8859-1?Q?a?= =?ISO-8859-2?Q?_b?=", "a b", ()),
    (b"=?utf-8?b?w6k=?=", "\xe9", ()),
    # RFC 2231 section 5: a language behind the charset
    (b"=?US-ASCII*EN?Q?Keith_Moore?=", "Keith Moore", ()),
    (b"=?utf-8?q?a?= and =?utf-8?q?b?=", "a and b", ()),
    # a character split between two words, and a group of four
    (b"=?utf-8?q?a=C3?= =?utf-8?q?=A9b?=", "a\xe9b", ()),
    (b"=?utf-8?b?w6nD?= =?utf-8?b?qQ==?=", "\xe9\xe9", ()),
    (b"=?utf-8?b?w6n?= =?utf-8?b?Dqc=?=", "\xe9\xe9", ()),
    # blanks inside a word, question marks inside a word, a word inside other text
    (b"=?utf-8?q?a b?=", "a b", ()),
    (b"=?utf-8?q?what?now?=", "what?now", ()),
    (b"(=?utf-8?q?a?=)", "(a)", ()),
    # what an encoded word yields is decoded once
    (b"=?utf-8?q?=3D=3Futf-8=3Fq=3Fx=3F=3D?=", "=?utf-8?q?x?=", ()),
    (b"=?utf-8?q??=", "", ()),
    # damage
    (b"=?utf-8?q?never ends", "=?utf-8?q?never ends", ("encoded-word-damaged",)),
    (b"=?utf-8?x?a?=", "=?utf-8?x?a?=", ("encoded-word-damaged",)),
    (b"=?utf-8?q?a=ZZ?=", "a=ZZ", ("encoded-word-damaged",)),
    (b"=?utf-8?b?w6k*=?=", "\xe9", ("encoded-word-damaged",)),
    (b"=?utf-8?b?w6lhQ?=", "\xe9a", ("encoded-word-damaged",)),
    (b"=?x-evil?q?a=C3=A9?=", "a\xe9", ("charset-unknown",)),
    (b"=?utf-7?q?+ADw-b+AD4-?=", "+ADw-b+AD4-", ("charset-unknown",)),
    # RFC 6532, and octets that are no UTF-8
    ("Ré".encode(), "Ré", ()),
    (b"R\xe9union", "R\xe9union", ("header-raw-8bit",)),
    (b"\xc3\xa9 \xff", "\xe9 \ufffd", ("header-raw-8bit",)),
    # octets above 127 in a word are in its charset, if they are no UTF-8; beside it they are guessed at as ever
    (b"=?iso-8859-1?Q?J\xfcrgen?=", "J\xfcrgen", ("encoded-word-damaged",)),
    (b"=?iso-8859-2?Q?=B1\xb1?=", "\u0105\u0105", ("encoded-word-damaged",)),
    (b"=?iso-8859-1?Q?J\xc3\xbcrgen?=", "J\xfcrgen", ("encoded-word-damaged",)),
    (b"\xc3\xa9 =?koi8-r?B?wQ==?= \xc3\xa9", "\xe9 \u0430 \xe9", ()),
    (b"\xe9 =?utf-8?q?a?=", "\xe9 a", ("header-raw-8bit",)),
    # RFC 5322 2.2.3
    (b"a\r\n b\n\tc\rd", "a b\tc d", ()),
]


@pytest.mark.parametrize("raw, text, warnings", KNOWN)
def test_a_value_reads_as_its_rfc_says(raw: bytes, text: str, warnings: tuple[str, ...]) -> None:
    """RFC 2047, 2231, 5322 and 6532; product page 4: no header value may raise."""
    assert words.decode(raw) == Decoded(text, warnings)  # type: ignore[arg-type] # the literal type of warnings


def test_an_encoded_line_end_stays_in_the_text_for_the_cleaner() -> None:
    """Attack catalogue header/encoded-crlf: decoding may yield controls, leaving may not."""
    assert words.decode(b"=?utf-8?q?x=0D=0ABcc:_evil?=").text == "x\r\nBcc: evil"


def test_a_value_is_cut_before_it_is_decoded() -> None:
    """Attack catalogue 0.5: one field, raw, 8 KiB."""
    decoded = words.decode(b"=?utf-8?q?a?= " * 20_000)
    assert decoded.text.startswith("a" * (MAX_FIELD_OCTETS // 14))
    assert len(decoded.text) <= MAX_FIELD_OCTETS
    assert decoded.warnings == ("header-truncated",)


@pytest.mark.parametrize("at", range(1, 20))
def test_half_a_word_at_the_cut_is_left_out(at: int) -> None:
    """Attack catalogue header/subject-encoded-words-20k: what would be shown of it is its spelling."""
    word = b"=?utf-8?q?=C3=A9=3D?="
    raw = b"x" * (MAX_FIELD_OCTETS - at) + word + b" end"
    assert words.decode(raw) == Decoded("x" * (MAX_FIELD_OCTETS - at), ("header-truncated",))
    whole = b"x" * (MAX_FIELD_OCTETS - len(word)) + word + b" end"
    assert words.decode(whole).text.endswith("x\xe9=")


@given(st.binary(max_size=300) | st.lists(st.sampled_from([b"=?", b"?=", b"utf-8", b"?q?", b"?b?", b"=", b" ", b"\xff"])).map(b"".join))
def test_any_octets_give_a_text(raw: bytes) -> None:
    """Peer fault A1: a value that a parser can't read must never become an exception."""
    words.decode(raw).text.encode("utf-8")


def test_japanese_without_a_word_around_it_is_read() -> None:
    """Old programs wrote ISO-2022-JP into headers as it is."""
    assert words.decode(b'\x1b$B$"\x1b(B =?utf-8?q?a?=').text == "\u3042 a"
    assert words.decode(b'\x1b$B$"\x1b(B').text == "\u3042"
