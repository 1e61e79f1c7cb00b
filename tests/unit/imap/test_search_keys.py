"""Which octets are searched for, and how they are written down."""

from __future__ import annotations

import base64
import quopri
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proton_safe.imap import search_keys
from proton_safe.imap.search_keys import Literal, base64_inside, header, normalised, phrase, q_word, quoted_printable, string
from proton_safe.tools.rows import PageWarning
from proton_safe.tools.search_messages import SEARCH_MESSAGES


def test_an_ascii_phrase_is_one_command_of_quoted_strings() -> None:
    """Nothing is sent as an atom, no CHARSET without need (attack catalogue, imap/search-atoms)."""
    search = phrase("  hello \t wide   world ")
    assert search.keys == (
        b"hello wide world",
        b"hello_wide_world",
        b"aGVsbG8gd2lkZSB3b3JsZ",
        b"hlbGxvIHdpZGUgd29ybG",
        b"oZWxsbyB3aWRlIHdvcmxk",
        b"SGVsbG8gd2lkZSB3b3JsZ",
        b"IZWxsbyB3aWRlIHdvcmxk",
    )
    text = (
        b'OR TEXT "hello wide world" OR TEXT "hello_wide_world" OR TEXT "aGVsbG8gd2lkZSB3b3JsZ" OR TEXT "hlbGxvIHdpZGUgd29ybG" '
        b'OR TEXT "oZWxsbyB3aWRlIHdvcmxk" OR TEXT "SGVsbG8gd2lkZSB3b3JsZ" TEXT "IZWxsbyB3aWRlIHdvcmxk"'
    )
    assert search.criteria == (text,)
    assert search.limits == ()


def test_an_accented_phrase_is_searched_raw_and_in_both_encodings() -> None:
    """bridge-behaviour 3.8: octets are compared as stored; UTF-8 goes as a literal under CHARSET UTF-8, never UTF-7."""
    search = phrase("Réunion = là")
    assert search.keys[:3] == ("Réunion = là".encode(), b"R=C3=A9union =3D l=C3=A0", b"R=C3=A9union_=3D_l=C3=A0")
    assert len(search.keys) == 8
    assert search.criteria[:2] == (b"CHARSET UTF-8 OR TEXT ", Literal("Réunion = là".encode()))
    assert b"UTF-7" not in b"".join(part for part in search.criteria if isinstance(part, bytes))


@pytest.mark.parametrize("query", ["Re\u0301union", "R\u00e9union"])
def test_accents_are_searched_composed_and_apart_whatever_the_caller_wrote(query: str) -> None:
    """Product page 4: `Réunion` must be found however a keyboard or a file name spells it."""
    keys = phrase(query).keys
    assert {"R\u00e9union".encode(), b"R=C3=A9union", b"Re=CC=81union"} < set(keys)
    assert "\u304b\u3099".encode() in phrase("\u304c").keys


@pytest.mark.parametrize(
    "query, among",
    [
        ("étude", b"=C3=89tude"),
        ("Étude", b"=C3=A9tude"),
        ("привет", "Привет"),
        ("Привет", "ПРИВЕТ"),
        ("lighthouse", base64_inside(b"Lighthouse", 0)),
        ("R&D", b"R&amp;D"),
        ("a < b", b"a &lt; b"),
        ("réunion", b"r&eacute;union"),
        ("会議", b"&#20250;&#35696;"),
    ],
)
def test_other_spellings_are_asked_for_where_bridge_cannot_fold_them(query: str, among: bytes | str) -> None:
    """In an encoding another letter case is other octets; HTML writes some characters in words."""
    assert (quoted_printable(among.encode()) if isinstance(among, str) else among) in phrase(query).keys


@pytest.mark.parametrize(
    "query, limits",
    [
        ("red notebook", ()),
        ("R&D costs", ()),
        ("Mai", ("search-base64-left-out",)),
        ("é", ("search-base64-left-out",)),
        ("会議", ()),
        ("réunion", ("search-case-left-out", "search-decomposed-left-out")),
        ("Étude", ("search-case-left-out", "search-decomposed-left-out")),
        ("Réunion de jeudi", ("search-case-left-out", "search-decomposed-left-out", "search-html-left-out")),
        ("x" * 64, ("search-long-phrase",)),
        ("é" * 11, ("search-case-left-out", "search-decomposed-left-out", "search-long-phrase")),
    ],
)
def test_what_does_not_fit_is_named(query: str, limits: tuple[str, ...]) -> None:
    """product.md 4: at most eight keys, and a warning for each kind of form that is left out."""
    assert phrase(query).limits == limits


@pytest.mark.parametrize("query, keys", [("abc", (b"abc",)), ("a b", (b"a b", b"a_b"))])
def test_below_four_octets_base64_is_left_out_and_said_to_be(query: str, keys: tuple[bytes, ...]) -> None:
    """Shorter forms would match everything."""
    search = phrase(query)
    assert (search.keys, search.limits) == (keys, ("search-base64-left-out",))


@pytest.mark.parametrize("query", ["ALL", "{3}", "x{40+}", ")", '"', "\\", "NOT (ALL)", "%", "*", "x OR ALL"])
def test_what_looks_like_syntax_stays_text(query: str) -> None:
    """Attack catalogue, imap/search-literal-smuggle and imap/search-atoms."""
    (text,) = phrase(query).criteria
    assert isinstance(text, bytes)
    quoted = b'"' + query.encode().replace(b"\\", b"\\\\").replace(b'"', b'\\"') + b'"'
    assert b"TEXT " + quoted in text


@given(st.text(min_size=1, max_size=60).filter(lambda text: bool(normalised(text))))
def test_every_phrase_makes_at_most_eight_keys_and_no_loose_octet(query: str) -> None:
    """Texts between literals hold printable ASCII only, so that no command can be smuggled (imap/search-crlf)."""
    search = phrase(query)
    assert 1 <= len(search.keys) <= search_keys.MAX_KEYS
    for part in search.criteria:
        assert isinstance(part, Literal) or all(0x20 <= octet < 0x7F for octet in part)
    assert sum(part.count(b"TEXT ") for part in search.criteria if isinstance(part, bytes)) >= len(search.keys)


@given(before=st.binary(max_size=40), phrase_octets=st.binary(min_size=4, max_size=40), after=st.binary(max_size=40))
def test_the_base64_form_of_the_right_alignment_is_found(before: bytes, phrase_octets: bytes, after: bytes) -> None:
    """Wherever the phrase stands in the octets that were encoded, one of the three forms is in the encoding."""
    encoded = base64.b64encode(before + phrase_octets + after)
    form = base64_inside(phrase_octets, len(before) % 3)
    assert len(form) >= 4
    assert form in encoded


@given(st.text(min_size=1, max_size=40).map(normalised).filter(bool))
def test_the_quoted_printable_and_q_forms_decode_to_the_phrase(text: str) -> None:
    """RFC 2045 6.7 and RFC 2047 4.2."""
    assert quopri.decodestring(quoted_printable(text.encode())) == text.encode()
    assert quopri.decodestring(q_word(text.encode()), header=True) == text.encode()


def test_a_header_search_is_one_string() -> None:
    """For finding a draft by its Message-ID."""
    assert header("Message-Id", '<a"b@c.example>') == (b'HEADER Message-Id "<a\\"b@c.example>"',)


@pytest.mark.parametrize("octets", [b"\r\n", b"a\x00", "é".encode(), b"\x7f"])
def test_octets_that_a_quoted_string_cannot_hold_become_a_literal(octets: bytes) -> None:
    """RFC 3501 section 9: quoted."""
    assert string(octets) == Literal(octets)


def test_half_a_character_cannot_be_searched() -> None:
    """The caller turns this into arguments-invalid."""
    with pytest.raises(UnicodeEncodeError):
        phrase("\ud800")


def test_the_tool_says_what_is_compared_and_what_is_missed() -> None:
    """Peer fault B27: a search of the raw source that calls itself one of texts misleads."""
    told = SEARCH_MESSAGES.description
    assert "raw source of headers, bodies and attachments" in told
    assert "a hit may lie in what no reader shows" in told
    assert "Missed are phrases that a line end or markup breaks" in told
    assert set(get_args(PageWarning)) == {*get_args(search_keys.LeftOut), "search-long-phrase", "search-unfinished"}
