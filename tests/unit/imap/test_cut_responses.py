"""A mail of monstrous size costs its own row some items, and no other row anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proton_safe.imap import questions, responses
from proton_safe.imap.grammar import Atom, BadSyntax, parse_cut
from proton_safe.imap.wire import Budget
from proton_safe.refusals import Code
from tests.unit.imap.scripted_folder import ROW, code_of, row

if TYPE_CHECKING:
    from collections.abc import Sequence

    from proton_safe.call import Call
    from proton_safe.imap.connection import Connection
    from proton_safe.imap.deadline import Deadline
    from proton_safe.imap.grammar import Value
    from proton_safe.imap.pool import Pool
    from tests.unit.imap.scripted_bridge import ScriptedBridge

BEGINNING = b'* 2 FETCH (UID 2 FLAGS (\\Seen) INTERNALDATE "01-Jan-2026 00:00:00 +0000" RFC822.SIZE 70 ENVELOPE '
HUGE = 700_000


@pytest.mark.parametrize(
    "envelope",
    [
        b'(NIL "' + b"x" * HUGE + b'" NIL NIL NIL NIL NIL NIL NIL NIL))\r\n',
        b'(NIL "s" (' + b'("n" NIL "m" "h.example")' * (HUGE // 25) + b") NIL NIL NIL NIL NIL NIL NIL))\r\n",
        b"(NIL {%d}\r\n" % HUGE + b"x" * HUGE + b" NIL NIL NIL NIL NIL NIL NIL NIL))\r\n",
        b"(NIL {5}\r\nshort " + b"NIL " * (HUGE // 4) + b"))\r\n",
        b"(NIL {%d}\r\n" % HUGE + b"p1 OK\r\n" * (HUGE // 7) + b" {9}\r\n* 3 EXPU " + b"y" * HUGE + b" {3}\r\n))) NIL))\r\n",
    ],
    ids=["subject", "addresses", "literal", "behind-a-literal", "literals-in-what-is-thrown-away"],
)
def test_a_row_that_is_too_long_is_cut_and_the_others_are_whole(pool: Pool, call: Call, three: ScriptedBridge, envelope: bytes) -> None:
    """product.md 4: a bad message is one row, never a failed list; framing holds while it is thrown away."""
    three.script.answers["UID FETCH 1,2,4"] = row(1, 1) + BEGINNING + envelope + row(3, 4) + b"TAG OK\r\n"
    with pool.examine("INBOX", call) as mailbox:
        rows = mailbox.rows([1, 2, 4])
        assert mailbox.rows([1, 2, 4]) == rows
    assert [rows[uid].incomplete for uid in (1, 2, 4)] == [False, True, False]
    cut = rows[2]
    assert (cut.flags, cut.size, cut.envelope) == (frozenset({"\\seen"}), 70, None)
    assert three.connections == 1


@pytest.mark.parametrize(
    "answer",
    [
        b"* LIST () " + b"x" * HUGE + b"\r\n",
        b"* LIST () {%d}\r\n" % HUGE + b"x" * HUGE + b"\r\n",
        b"* 2 FETCH (FLAGS () UID 2 ENVELOPE {2000000000}\r\nabc",
        b"* 2 FETCH (ENVELOPE (" + b"x" * HUGE + b") UID 2)\r\n",
        b"* 2 FETCH (" + b"x" * HUGE + b")\r\n",
        b"* OK " + b"x" * HUGE + b"\r\n",
    ],
    ids=["no-row", "no-row-literal", "more-than-everything", "no-uid", "no-item", "status"],
)
def test_what_cannot_be_cut_to_a_row_is_a_bad_response(pool: Pool, call: Call, three: ScriptedBridge, answer: bytes) -> None:
    """Attack catalogue, imap/long-line and literal-2g: nothing is kept of it, and no literal is allocated by its word."""
    three.script.answers["UID FETCH 1,2,4"] = answer + b"TAG OK\r\n"
    assert code_of(lambda mailbox: mailbox.rows([1, 2, 4]), pool, call) is Code.BAD_RESPONSE


def test_a_cut_message_keeps_its_structure(pool: Pool, call: Call, three: ScriptedBridge) -> None:
    """The items that senders write without limit are asked for last."""
    beginning = BEGINNING.replace(b"ENVELOPE", b'BODYSTRUCTURE ("text" "plain") ENVELOPE')
    three.script.answers["UID FETCH 2 "] = beginning + b'("' + b"x" * HUGE + b'"))\r\nTAG OK\r\n'
    with pool.examine("INBOX", call) as mailbox:
        message = mailbox.message(2)
    assert (message.structure, message.envelope) == ((b"text", b"plain"), None)


@pytest.mark.parametrize(
    "text, items",
    [
        (b'(UID 2 FLAGS () ENVELOPE ("da', (Atom(b"UID"), Atom(b"2"), Atom(b"FLAGS"), ())),
        (b"(UID 2 FLAGS (a b", (Atom(b"UID"), Atom(b"2"))),
        (b"(UID 2 RFC822.SIZE 82", (Atom(b"UID"), Atom(b"2"))),
        (b"(UID 2 RFC822.SI", (Atom(b"UID"), Atom(b"2"))),
        (b"(UID 2", ()),
        (b"(", ()),
    ],
)
def test_only_whole_pairs_before_the_cut_count(text: bytes, items: tuple[object, ...]) -> None:
    """A number that lost its end is another number."""
    assert parse_cut((text,)) == items


@given(st.lists(st.binary(max_size=80), min_size=1, max_size=4))
def test_any_beginning_is_items_or_bad_syntax(pieces: list[bytes]) -> None:
    """No other exception."""
    for beginning in (b"(", b"* 1 FETCH (", b""):
        try:
            parse_cut((beginning + pieces[0], *pieces[1:]))
            responses.read_cut((beginning + pieces[0], *pieces[1:]))
        except BadSyntax:
            continue


def test_nothing_but_the_rows_is_kept_of_long_answers(pool: Pool, call: Call, three: ScriptedBridge) -> None:
    """A row's items are read as they come in: what nobody asked for, and a list's addresses beyond the limit, are gone before the next."""
    unasked = b" X-OTHER (" + b"a " * 1_000 + b"a))\r\n"
    three.script.answers["UID FETCH 1,2,4"] = b"".join(row(at, uid)[:-3] + unasked for at, uid in ((1, 1), (2, 2), (3, 4))) + b"TAG OK\r\n"

    def ask(connection: Connection, deadline: Deadline) -> questions.Fetched:
        return questions.fetch(connection, uids=(1, 2, 4), what=ROW.encode(), budget=Budget(), deadline=deadline)

    told = pool.ask(ask, call)
    assert (told.items, sorted(told.rows), {each.size for each in told.rows.values()}) == ({}, [1, 2, 4], {9})


def test_nothing_of_a_cut_row_is_read_but_what_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page of rows with endless recipients took the whole call's time for envelopes that are thrown away."""
    read: list[int] = []

    def noted(pieces: Sequence[bytes]) -> tuple[Value, ...]:
        read.append(sum(map(len, pieces)))
        return parse_cut(pieces)

    monkeypatch.setattr(responses, "parse_cut", noted)
    begun = BEGINNING + b'(NIL "s" (' + b'(NIL NIL "m" "h.example")' * 20_000
    told = responses.read_cut((begun,))
    assert told.number == 2
    assert told.values == (parse_cut((BEGINNING[9:],)),)
    assert read == [len(BEGINNING) - 10]
