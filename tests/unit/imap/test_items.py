"""FETCH items as typed values, and what becomes of odd ones."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proton_safe.imap import items
from proton_safe.imap.grammar import Atom, BadSyntax, Value, parse
from proton_safe.imap.items import Envelope, EnvelopeAddress, RowItems


def _items(text: bytes) -> dict[bytes, Value]:
    return items.pairs(parse((text,))[0])


ADA = EnvelopeAddress(b"Ada Example", b"ada", b"proton.local")
KIM = EnvelopeAddress(b'Quote " Back\\slash', b"kim", b"example.test")


def test_a_whole_row_is_read() -> None:
    """Bridge's recorded answer to FETCH ALL of a mail with a quoted display name."""
    text = (
        b'(UID 1 FLAGS (\\Recent \\Seen) INTERNALDATE "30-Nov-2026 23:37:21 +0000" RFC822.SIZE 552 ENVELOPE '
        b'("03 Feb 26 23:30 +0100" "odd headers" (("Quote \\" Back\\\\slash" NIL "kim" "example.test")) '
        b'(("Quote \\" Back\\\\slash" NIL "kim" "example.test")) (("Quote \\" Back\\\\slash" NIL "kim" "example.test")) '
        b'(("Ada Example" NIL "ada" "proton.local")) NIL () NIL "<f4e84abd@protonmail.internalid>"))'
    )
    assert items.row(_items(text)) == RowItems(
        uid=1,
        flags=frozenset({"\\recent", "\\seen"}),
        received=datetime(2026, 11, 30, 23, 37, 21, tzinfo=UTC),
        size=552,
        envelope=Envelope(
            b"03 Feb 26 23:30 +0100", b"odd headers", (KIM,), (KIM,), (KIM,), (ADA,), (), (), b"", b"<f4e84abd@protonmail.internalid>"
        ),
    )


@pytest.mark.parametrize(
    "text, missing",
    [
        (b"(UID 1)", {"flags", "received", "size", "envelope"}),
        (b"(UID 1 FLAGS NIL RFC822.SIZE -5 INTERNALDATE NIL ENVELOPE NIL)", {"flags", "received", "size", "envelope"}),
        (b'(UID 1 FLAGS ("quoted") RFC822.SIZE abc INTERNALDATE "yesterday" ENVELOPE ())', {"flags", "received", "size", "envelope"}),
        (b'(UID 1 FLAGS () RFC822.SIZE "5" INTERNALDATE "31-Feb-2026 00:00:00 +0000" ENVELOPE (1 2 3))', {"received", "size", "envelope"}),
        (b'(UID 1 FLAGS () RFC822.SIZE 5 INTERNALDATE "01-Jan-2026 00:00:00 +9999" ENVELOPE "text")', {"received", "envelope"}),
        (b'(UID 1 FLAGS () RFC822.SIZE 5 INTERNALDATE "31-Dec-9999 23:59:59 -2300" ENVELOPE (NIL))', {"received", "envelope"}),
    ],
)
def test_what_cannot_be_read_is_absent_and_said_to_be(text: bytes, missing: set[str]) -> None:
    """Attack catalogue, imap/bad-fetch-items: that row is degraded."""
    row = items.row(_items(text))
    assert row.incomplete
    assert {name for name in ("flags", "received", "size", "envelope") if getattr(row, name) is None} == missing


@pytest.mark.parametrize("text", [b"(UID)", b"UID", b"(UID 1 UID 1)", b"(UID 1 FLAGS () flags ())", b'("UID" 1)', b"((UID) 1)"])
def test_items_that_are_no_pairs_are_refused(text: bytes) -> None:
    """The last of doubled answers must not win (attack catalogue, imap/wrong-uid)."""
    with pytest.raises(BadSyntax):
        _items(text)


@pytest.mark.parametrize("text", [b"(FLAGS ())", b"(UID NIL)", b"(UID 0)", b"(UID 99999999999999999999)", b'(UID "1")', b"(UID (1))"])
def test_a_row_without_a_usable_uid_is_refused(text: bytes) -> None:
    """Nothing can be said about a message that isn't named."""
    with pytest.raises(BadSyntax):
        items.row(_items(text))


def test_damaged_addresses_are_left_out_and_said_to_be() -> None:
    """Lists that Bridge could not parse, group marks and wrong shapes (bridge-behaviour 3.6)."""
    groups = b'((NIL NIL "team" NIL)(NIL NIL NIL NIL))'
    text = b'(NIL (s) (("raw, text" NIL NIL NIL)("a" NIL "b")) NIL NIL ' + groups + b' "x" ((() NIL "a" "b")) NIL NIL)'
    envelope = items.envelope(parse((text,))[0])
    assert envelope == Envelope(
        date=b"",
        subject=b"",
        from_=(EnvelopeAddress(b"raw, text", None, None),),
        sender=(),
        reply_to=(),
        to=(EnvelopeAddress(None, b"team", None), EnvelopeAddress(None, None, None)),
        cc=(),
        bcc=(),
        in_reply_to=b"",
        message_id=b"",
        damaged=True,
    )


def test_a_message_brings_its_structure() -> None:
    """BODYSTRUCTURE stays as it was sent, for the layer that knows MIME."""
    message = items.message(_items(b'(UID 4 BODYSTRUCTURE ("text" "plain" ("charset" "utf-8") NIL NIL "7bit" 5 1 NIL NIL NIL NIL))'))
    structure = message.structure
    assert structure is not None
    assert structure[:3] == (b"text", b"plain", (b"charset", b"utf-8"))
    assert isinstance(structure[6], Atom)
    assert items.message(_items(b"(UID 4 BODYSTRUCTURE NIL)")).structure is None


_VALUES = st.recursive(
    st.none() | st.binary(max_size=30) | st.sampled_from([Atom(b"UID"), Atom(b"1"), Atom(b"-5"), Atom(b"\\Seen"), Atom(b"FLAGS")]),
    lambda inner: st.lists(inner, max_size=11).map(tuple),
    max_leaves=60,
)


@given(_VALUES, _VALUES, _VALUES, _VALUES)
def test_any_values_make_a_row(flags: Value, date: Value, size: Value, envelope: Value) -> None:
    """No value of an item may raise."""
    row = items.row({b"UID": Atom(b"9"), b"FLAGS": flags, b"INTERNALDATE": date, b"RFC822.SIZE": size, b"ENVELOPE": envelope})
    assert row.uid == 9


@given(st.tuples(*[_VALUES] * 10))
def test_any_ten_fields_make_an_envelope(fields: tuple[Value, ...]) -> None:
    """Ten values of any kind: strings are kept, the rest is damage."""
    envelope = items.envelope(fields)
    assert envelope is not None
    assert isinstance(envelope.subject, bytes)


def test_only_short_lists_of_flags_are_kept() -> None:
    """Each list that is told once more is the same object; what a peer makes up without end takes no room for good."""
    short = (Atom(b"\\Seen"), Atom(b"$Label7"))
    for value in (tuple(Atom(b"Invented%d" % number) for number in range(100)), (Atom(b"again"),) * 1_000):
        assert items.flags(value) is not items.flags(value)
    assert items.flags(short) is items.flags(short)
