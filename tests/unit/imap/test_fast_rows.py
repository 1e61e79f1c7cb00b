"""The fast path for list rows and the general grammar end in the same rows."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proton_safe.imap import fast_rows, items
from proton_safe.imap.connection import fetched
from proton_safe.imap.grammar import BadSyntax
from proton_safe.imap.responses import read

TEXTS = st.sampled_from(["NIL", '""', '"a b"', '"(x) [y] {3}"', '"Z\u00fcrich"', '"NIL"', '"a\\\\b"', '"\\""', '"' + "l" * 5_000 + '"'])
PLAIN = st.sampled_from(["NIL", '"kestrel"', '"a.b"', '""'])
ADDRESSES = st.builds("({} NIL {} {})".format, TEXTS, PLAIN, PLAIN)
LISTS = st.one_of(
    st.just("NIL"),
    st.builds(lambda each, gap: f"({gap.join(each)})", st.lists(ADDRESSES, min_size=1, max_size=4), st.sampled_from(["", " "])),
)
NUMBERS = st.sampled_from(["1", "17", "4294967295", "4294967296", "9999999999"])
FLAGS = st.sampled_from(["", "\\Seen", "\\Seen \\Flagged", "$Forwarded \\Answered", "\\Recent"])
DATES = st.sampled_from(["04-Mar-2024 08:22:00 +0000", " 4-Mar-2024 08:22:00 -0500", "31-Feb-2024 08:22:00 +0000", ""])
SUBJECTS = st.one_of(TEXTS, st.sampled_from(["{0}\r\n", "{1}\r\n)", "{12}\r\nold lighth\r\n", "{4}\r\n\xe9\xff()"]))


@st.composite
def rows(draw: st.DrawFn) -> bytes:
    """A FETCH response of a list row, in the order in which it was asked for."""
    lists = " ".join(draw(LISTS) for _ in range(6))
    envelope = f"{draw(TEXTS)} {draw(SUBJECTS)} {lists} {draw(TEXTS)} {draw(TEXTS)}"
    head = f"* {draw(NUMBERS)} FETCH (UID {draw(NUMBERS)} FLAGS ({draw(FLAGS)}) INTERNALDATE"
    return f'{head} "{draw(DATES)}" RFC822.SIZE {draw(NUMBERS)} ENVELOPE ({envelope}))\r\n'.encode("latin-1")


def by_grammar(row: bytes) -> tuple[int, items.RowItems]:
    """What the general way makes of it."""
    head, brace, rest = row.removesuffix(b"\r\n").partition(b"}\r\n")
    if brace:
        text, _, digits = head.rpartition(b"{")
        pieces = [text, rest[: int(digits)], rest[int(digits) :]]
    else:
        pieces = [head]
    response = read(pieces)
    return response.number, items.row(fetched(response))


@settings(max_examples=600)
@given(row=rows(), before=st.sampled_from([b"", b"* 3 EXISTS\r\n"]))
def test_both_ways_read_the_same(row: bytes, before: bytes) -> None:
    """What the fast path reads, it reads as the grammar does; what it refuses, the grammar refuses."""
    try:
        fast = fast_rows.read(before + row, len(before))
    except BadSyntax:
        with pytest.raises(BadSyntax):
            by_grammar(row)
        return
    if fast is not None:
        assert fast == (len(before + row), *by_grammar(row))


def test_the_usual_form_is_read_and_nothing_that_is_cut_off() -> None:
    """A row that goes on behind the block is left to the general reader."""
    head = b'* 1 FETCH (UID 7 FLAGS () INTERNALDATE "04-Mar-2024 08:22:00 +0000" RFC822.SIZE 9 ENVELOPE (NIL "s" '
    row = head + b"NIL NIL NIL NIL NIL NIL NIL NIL))\r\n"
    assert fast_rows.read(row, 0) is not None
    assert all(fast_rows.read(row[:length], 0) is None for length in range(len(row)))


def test_a_subject_that_is_a_literal_is_read_by_its_length() -> None:
    """Servers send one for what no quoted string can hold; what looks like a row's end in it is not one."""
    head = b'* 1 FETCH (UID 7 FLAGS () INTERNALDATE "04-Mar-2024 08:22:00 +0000" RFC822.SIZE 9 ENVELOPE (NIL '
    subject = b'x" NIL NIL NIL NIL NIL NIL NIL NIL))\r\n'
    row = head + b"{%d}\r\n" % len(subject) + subject + b" NIL NIL NIL NIL NIL NIL NIL NIL))\r\n"
    found = fast_rows.read(row, 0)
    assert found is not None
    end, _, told = found
    assert (end, told.envelope and told.envelope.subject) == (len(row), subject)
