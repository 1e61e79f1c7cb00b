"""Which line is what: tagged, data, status, continuation, and Bridge's odd ones."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proton_safe.imap.grammar import Atom, BadSyntax
from proton_safe.imap.responses import Kind, Response, read

KNOWN = [
    (b"a1 OK", Response(Kind.TAGGED, b"OK", tag=b"a1")),
    (b"a1 BAD", Response(Kind.TAGGED, b"BAD", tag=b"a1")),
    (b"p2 OK command completed in 5 microsec.", Response(Kind.TAGGED, b"OK", tag=b"p2")),
    (b"p2 NO [BADCHARSET]", Response(Kind.TAGGED, b"NO", code=b"BADCHARSET", tag=b"p2")),
    (b"p2 OK [APPENDUID 7 1] APPEND", Response(Kind.TAGGED, b"OK", code=b"APPENDUID 7 1", tag=b"p2")),
    (b"p2 NO [ALERT] \x1b]52;c;AAAA\x07 text {5}", Response(Kind.TAGGED, b"NO", code=b"ALERT", tag=b"p2")),
    (b"* BYE", Response(Kind.STATUS, b"BYE")),
    (b"* OK [UIDNEXT 15]", Response(Kind.STATUS, b"OK", code=b"UIDNEXT 15")),
    (b"* OK still here {9}", Response(Kind.STATUS, b"OK")),
    (b"* 3 EXISTS", Response(Kind.DATA, b"EXISTS", 3)),
    (b"* 0 RECENT", Response(Kind.DATA, b"RECENT", 0)),
    (b"* SEARCH", Response(Kind.DATA, b"SEARCH")),
    (b"* SEARCH 2 3", Response(Kind.DATA, b"SEARCH", values=(Atom(b"2"), Atom(b"3")))),
    (b"+", Response(Kind.CONTINUATION)),
    (b"+ Ready", Response(Kind.CONTINUATION)),
    (b" BAD [Error offset=12]: expected CR", Response(Kind.HEADLESS)),
    (b" NO bad command", Response(Kind.HEADLESS)),
    (b"", Response(Kind.EMPTY)),
]


@pytest.mark.parametrize("line, response", KNOWN)
def test_a_line_is_what_it_is(line: bytes, response: Response) -> None:
    """RFC 3501 section 7; bridge-behaviour 1.6 and 1.7 for the last ones."""
    assert read((line,)) == response


@pytest.mark.parametrize(
    "line",
    [
        b"a1 MAYBE",
        b"a1 ok fine",
        b"garbage",
        b"*",
        b"*BAD",
        b"* ",
        b"* 5",
        b"* 5 NOSUCH",
        b"* 4294967296 EXISTS",
        b"* 4294967296 FETCH (UID 1)",
        b"* 05 EXISTS",
        b"* lower",
        b"a1 BYE",
        b"HTTP/1.1 200 OK",
    ],
)
def test_other_lines_are_refused(line: bytes) -> None:
    """Attack catalogue, imap/tag-games and imap/greeting-odd."""
    with pytest.raises(BadSyntax):
        read((line,))


LEAF = b'("text" "plain" () NIL NIL "7bit" 1 1)'


@pytest.mark.parametrize(
    "fetch",
    [
        b"()",
        b"(UID 1 BODYSTRUCTURE " + LEAF + b")",
        b"(UID 1 BODYSTRUCTURE (" + LEAF * 2 + b' "mixed" () NIL NIL NIL))',
        b"(UID 1 BODYSTRUCTURE " + b"(" * 300 + LEAF + b' "mixed" ())' * 300 + b")",
        b"(BODYSTRUCTURE (" + LEAF + b" NIL ()))",
        # An embedded message: its envelope has lists of lists, which are no parts.
        b'(BODYSTRUCTURE ("message" "rfc822" () NIL NIL NIL 9 (NIL "s" ((NIL NIL "a" "b")) NIL NIL NIL NIL NIL NIL NIL)' + LEAF + b" 1))",
        b"(UID 1 BODYSTRUCTURE NIL)",
        b"(UID 1 bodystructure ())",
    ],
)
def test_a_fetch_is_names_with_values(fetch: bytes) -> None:
    """RFC 3501 7.4.2; a mail may be nested as deep as its sender likes."""
    assert read((b"* 1 FETCH " + fetch,)).word == b"FETCH"


@pytest.mark.parametrize(
    "fetch",
    [
        b"",
        b"UID 1",
        b"(UID 1) (FLAGS ())",
        b"(UID 1 FLAGS)",
        b'(UID 1 "FLAGS" ())',
        b"((UID 1) 2)",
        b"(BODYSTRUCTURE text)",
        b'(BODYSTRUCTURE (("text")))',
        b"(UID 1 BODYSTRUCTURE (" + LEAF + b"))",
        b"(UID 1 BodyStructure (((" + LEAF + b') "mixed") "mixed"))',
        b"(UID 1 BODYSTRUCTURE " + b"(" * 500 + b'"text"' + b")" * 500 + b")",
        b"(BODYSTRUCTURE " + b"(" * 100_000 + b")" * 100_000 + b")",
    ],
)
def test_a_fetch_of_another_shape_is_refused(fetch: bytes) -> None:
    """Attack catalogue, imap/nested-lists and imap/bad-fetch-items."""
    with pytest.raises(BadSyntax):
        read((b"* 1 FETCH " + fetch,))


@given(st.binary(max_size=100))
def test_any_line_is_a_response_or_bad_syntax(line: bytes) -> None:
    """Nothing else comes out."""
    try:
        read((line,))
    except BadSyntax:
        return
