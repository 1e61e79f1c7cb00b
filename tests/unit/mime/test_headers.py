"""The header block: where fields begin and end, which lines are none, what is bounded."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proton_safe.mime import headers, words
from proton_safe.mime.headers import Field, Headers
from tests.unit.mime.counted_calls import growth


def test_fields_keep_their_order_and_their_folding() -> None:
    """RFC 5322 2.2 and 2.2.3."""
    block = b"From: a@b.example\r\nSubject: one\r\n two\r\n\r\nnot: a header\r\n"
    assert headers.split(block) == Headers((Field("from", b"a@b.example"), Field("subject", b"one\r\n two")))


def test_a_bare_carriage_return_begins_no_field() -> None:
    """Attack catalogue mime/bare-lf-cr: it would smuggle a header into what is shown."""
    found = headers.split(b"From: a@b.example\rSubject: injected\nTo: c@d.example\n")
    assert [field.name for field in found.fields] == ["from", "to"]


def test_a_line_that_is_no_field_is_left_out_with_its_continuation() -> None:
    """Attack catalogue mime/missing-blank-line and header/space-before-colon."""
    found = headers.split(b"From: a@b.example\r\nnonsense\r\n more\r\nTo : x@y.example\r\n: empty\r\nCc: c@d.example\r\n")
    assert found == Headers((Field("from", b"a@b.example"), Field("cc", b"c@d.example")), ("header-damaged",))


@pytest.mark.parametrize("block", [b" From: x@evil.example\r\nFrom: a@b.example\r\n", b"From: a@b.example\r\n from: x@evil.example\r\n"])
def test_a_line_that_begins_with_a_blank_begins_no_field(block: bytes) -> None:
    """Attack catalogue header/space-before-colon: it continues what stands before it, or nothing."""
    found = headers.split(block)
    assert [field.name for field in found.fields] == ["from"]
    assert found.fields[0].value.startswith(b"a@b.example")


@pytest.mark.parametrize(
    "value",
    [b"one\r\n two", b"one\n two", b"one\r\n\ttwo", b"\r\n one\r\n two", b"one\r\n  \r\n two", b"one\r\n two\r\n \t"],
)
def test_folding_of_every_kind_is_undone(value: bytes) -> None:
    """RFC 5322 2.2.3 and 4.2: blanks before a line end, a line of blanks, and line feeds alone are folding too."""
    found = headers.split(b"Subject: " + value + b"\r\nTo: a@b.example\r\n")
    assert [field.name for field in found.fields] == ["subject", "to"]
    assert words.decode(found.fields[0].value).text.split() == ["one", "two"]


def test_of_repeated_fields_the_first_counts_and_the_rest_is_told() -> None:
    """Attack catalogue header/duplicate-from-subject; RFC 5322 3.6."""
    found = headers.split(b"Subject: one\r\nReceived: a\r\nReceived: b\r\nSubject: two\r\n\r\n")
    assert found.first("subject") == b"one"
    assert found.every("received") == (b"a", b"b")
    assert found.warnings == ("duplicate-header",)
    assert found.duplicates == ("subject",)
    assert found.first("date") is None


def test_a_block_of_many_fields_or_long_ones_is_cut() -> None:
    """Attack catalogue 0.5: block 256 KiB, field 8 KiB, 1,000 fields."""
    many = headers.split(b"X: y\r\n" * 2_000)
    assert len(many.fields) == headers.MAX_FIELDS
    assert many.warnings == ("header-truncated",)
    long = headers.split(b"X: " + b"y" * 300_000 + b"\r\nZ: z\r\n")
    assert [len(field.value) for field in long.fields] == [8_193]
    assert long.warnings == ("header-truncated",)


@given(st.binary(max_size=500) | st.text(alphabet="ab: \t\r\n\xe9", max_size=200).map(str.encode))
def test_any_octets_give_fields(block: bytes) -> None:
    """Product page 4: no header value may raise."""
    for field in headers.split(block).fields:
        assert field.name
        assert field.name == field.name.lower()


def test_the_cost_grows_with_the_block_and_no_faster() -> None:
    """Product page 3: nothing that a sender wrote may cost more than its budget."""
    assert growth(lambda size: headers.split(b"Subject: a\r\n b\r\n" * size), small=100, large=400) < 5


BLOCKS = st.lists(
    st.sampled_from(
        [
            b"From: a@b.example",
            b"SUBJECT:x",
            b"subject: y ",
            b"X-A:",
            b": n",
            b"A b: c",
            b" more",
            b"\t",
            b"no field",
            b"\r",
            b"a:\rb",
            b"a:b:c",
        ]
    ),
    max_size=6,
).flatmap(
    lambda lines: st.lists(st.sampled_from([b"\r\n", b"\r\n", b"\r\n", b"\n", b"\r\r\n"]), min_size=len(lines), max_size=len(lines)).map(
        lambda ends: b"".join(line + end for line, end in zip(lines, ends, strict=True))
    )
)


@given(BLOCKS, st.sampled_from([b"", b"\r\n", b"\r\n", b"\nX: y\r\n\r\n"]))
def test_a_usual_block_reads_as_line_by_line(block: bytes, end: bytes) -> None:
    """What the short way reads, it reads as the long one does, which warns of all else."""
    found = headers._usual(block + end)
    if found is not None:
        assert found == headers._line_by_line(block + end)


@pytest.mark.parametrize("block", [b"From: a@b.example\r\nTo: c@d.example\r\n e@f.example\r\n\r\nbody", b"A:" + b"b" * 8_192 + b"\r\n\r\n"])
def test_the_short_way_reads_ordinary_blocks(block: bytes) -> None:
    """And no longer ones than the long way reads without a warning."""
    assert headers._usual(block) == headers._line_by_line(block)
    assert headers._usual(block.replace(b"\r\n\r\n", b"b" * 8_192 + b"\r\n\r\n")) is None
    assert headers._usual(b"x: y\r\n" * headers.MAX_FIELDS + block) is None
    assert headers._usual(block + b"b" * headers.MAX_BLOCK_OCTETS) is None
