"""One response as nested values: known answers, refused shapes, and the promise about all others."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proton_safe.imap.grammar import MAX_DEPTH, Atom, BadSyntax, Value, number, parse

KNOWN: list[tuple[tuple[bytes, ...], tuple[Value, ...]]] = [
    ((b"",), ()),
    ((b"()",), ((),)),
    ((b"NIL nil",), (None, None)),
    ((b'"NIL" NILE',), (b"NIL", Atom(b"NILE"))),
    ((b'"a \\" b \\\\ c"',), (b'a " b \\ c',)),
    # bridge-behaviour 3.6: Go's escapes inside ENVELOPE strings
    ((b'"\\u00a0\\t\\x00\\U0001F600\\r\\n"',), (b"\xc2\xa0\t\x00\xf0\x9f\x98\x80\r\n",)),
    ((b'"\\ud800\\U99999999"',), (b"?\xef\xbf\xbd",)),
    ((b'"J\xc3\xb6rg"',), ("Jörg".encode(),)),
    ((b"(\\Seen $Forwarded)",), ((Atom(b"\\Seen"), Atom(b"$Forwarded")),)),
    (
        (b"(UID 7 BODY[HEADER.FIELDS (FROM TO)]<0> ", b"From: x\r\n)", b")"),
        ((Atom(b"UID"), Atom(b"7"), Atom(b"BODY[HEADER.FIELDS (FROM TO)]<0>"), b"From: x\r\n)"),),
    ),
    ((b"(body[] NIL)",), ((Atom(b"body[]"), None),)),
    # bridge-behaviour 3.7: no blank between the envelope of an embedded message and its structure
    ((b'("a")("b") "mixed"',), ((b"a",), (b"b",), b"mixed")),
    ((b"",), ()),
    ((b"(", b"one", b" ", b"", b")"), ((b"one", b""),)),
    ((b"  a   b  ",), (Atom(b"a"), Atom(b"b"))),
]

REFUSED: list[tuple[bytes, ...]] = [
    (b"(",),
    (b")",),
    (b"())",),
    (b'"open',),
    (b'"open\\"',),
    (b'"line\nend"',),
    (b"{5}",),
    (b"{5+}",),
    (b"{-5}",),
    (b"{00005}",),
    (b"a\x00b",),
    (b"caf\xc3\xa9",),
    (b"~", b"eight", b""),
    (b"BODY[1", b"x", b""),
    (b"(" * 500 + b'"text"' + b")" * 499,),
    (b"(" * 500 + b'"text"' + b")" * 501,),
    (b"(" * 500 + b'"open' + b")" * 500,),
    (b"(" * 500 + b"a{5}" + b")" * 500,),
]


@pytest.mark.parametrize("pieces, values", KNOWN)
def test_a_response_becomes_its_values(pieces: tuple[bytes, ...], values: tuple[Value, ...]) -> None:
    """RFC 3501 section 9; bridge-behaviour 3.5 to 3.7."""
    parsed = parse(pieces)
    assert parsed == values
    assert [type(value) for value in parsed] == [type(value) for value in values]


@pytest.mark.parametrize("depth", [MAX_DEPTH - 1, MAX_DEPTH, MAX_DEPTH + 1, MAX_DEPTH + 2, 300, 100_000])
def test_lists_are_kept_to_a_depth_and_empty_below_it(depth: int) -> None:
    """A mail of 300 nested multiparts is one that can be read; attack catalogue imap/nested-lists, mime/nesting-900."""
    pieces = (b"(one " * depth, b"literal", b" two)" * depth + b" three")
    found, three = parse(pieces)
    assert three == b"three"
    kept = min(depth, MAX_DEPTH)
    level: Value = found
    for at in range(kept):
        assert isinstance(level, tuple)
        assert (level[0], level[2]) == (b"one", b"two")
        level = level[1]
        assert level == b"literal" if at == depth - 1 else isinstance(level, tuple)
    assert level == (() if depth > MAX_DEPTH else b"literal")


def test_nothing_of_a_list_that_is_left_out_reaches_its_neighbours() -> None:
    """What follows behind a deep list stands where it stands without it."""
    deep = b"(" * 80 + b"inside (again) " + b")" * 80
    left, right, after = parse((deep + b" " + deep + b" after",))
    assert (left, after) == (right, b"after")
    innermost = left
    for _ in range(MAX_DEPTH):
        assert isinstance(innermost, tuple)
        assert len(innermost) == 1
        innermost = innermost[0]
    assert innermost == ()


@pytest.mark.parametrize("pieces", REFUSED)
def test_what_is_not_imap_is_refused(pieces: tuple[bytes, ...]) -> None:
    """Attack catalogue, imap/literal-huge and imap/nested-lists."""
    with pytest.raises(BadSyntax):
        parse(pieces)


@given(st.lists(st.binary(max_size=200), max_size=5))
def test_any_octets_are_values_or_bad_syntax(pieces: list[bytes]) -> None:
    """No other exception leaves the grammar, whatever arrives."""
    try:
        values = parse(pieces)
    except BadSyntax:
        return
    assert isinstance(values, tuple)


@given(st.text(alphabet='()"\\ {}[]<>BODYNIL0123456789\x00\r\né', max_size=120))
def test_any_imap_like_text_is_values_or_bad_syntax(text: str) -> None:
    """As before, with the characters that mean something."""
    try:
        parse((text.encode(),))
    except BadSyntax:
        return


@given(st.recursive(st.binary(max_size=20) | st.none(), lambda inner: st.lists(inner, max_size=4).map(tuple), max_leaves=30))
def test_values_written_down_are_read_back(value: Value) -> None:
    """Strings as literals, NIL and lists survive."""
    pieces = [b""]

    def write(each: Value) -> None:
        if each is None:
            pieces[-1] += b"NIL "
        elif isinstance(each, tuple):
            pieces[-1] += b"("
            for inner in each:
                write(inner)
            pieces[-1] += b") "
        else:
            pieces[-1] += b" "
            pieces.extend((each, b" "))

    write(value)
    assert parse(pieces) == (value,)


@pytest.mark.parametrize("digits", [b"0", b"1", b"4294967295"])
def test_numbers_are_32_bits(digits: bytes) -> None:
    """RFC 3501 section 9: number."""
    assert number(Atom(digits)) == int(digits)


@pytest.mark.parametrize(
    "value", [None, b"5", (), Atom(b""), Atom(b"-5"), Atom(b"05"), Atom(b"abc"), Atom(b"4294967296"), Atom(b"9" * 20), Atom(b"\xb2")]
)
def test_anything_else_is_no_number(value: Value) -> None:
    """Attack catalogue, imap/bad-fetch-items."""
    with pytest.raises(BadSyntax):
        number(value)
    with pytest.raises(BadSyntax):
        number(Atom(b"0"), lowest=1)
