"""The header reader of the IMAP side and its quirks."""

import pytest

from fakebridge.message.header import HeaderError, erase, fields, first, prepend, select, split, unfold
from fakebridge.message.whitespace import trim_space


@pytest.mark.parametrize(
    "literal,header",
    [
        (b"A: b\r\n\r\nbody", b"A: b\r\n\r\n"),
        (b"A: b\n\nbody", b"A: b\n\n"),
        (b"A: b\r\n\r\r\nbody", b"A: b\r\n\r\r\n"),
        (b"A: b\r\n \r\nbody", b"A: b\r\n \r\nbody"),
        (b"A: b", b"A: b"),
        (b"\r\nbody", b"\r\n"),
        (b"", b""),
    ],
)
def test_a_header_ends_at_the_first_line_of_nothing_but_line_ends(literal: bytes, header: bytes) -> None:
    """bridge-behaviour 8.1: a line of blanks does not end a header, a missing empty line makes all of it header."""
    assert split(literal) == (header, literal[len(header) :])


def test_a_field_is_found_in_any_letter_case_first_instance_only_unfolded() -> None:
    """bridge-behaviour 3.6, 3.8: raw value, lines joined by one blank."""
    header = b"X-A: one\r\n\ttwo  \r\n three\r\nx-a: other\r\n\r\n"
    assert first(header, b"x-A") == b"one two three"
    assert first(header, b"missing") is None


@pytest.mark.parametrize("header", [b"To:bob\r\n\r\n", b"no colon here\r\n\r\n", b": value\r\n\r\n"])
def test_a_line_without_a_usable_name_is_passed_over(header: bytes) -> None:
    """bridge-behaviour 8.1: skipped lines have no name and are in no selection."""
    assert [field.name for field in fields(header)] == [b"", b""]
    assert select(header, [b"To"], keep=False) == b"\r\n"


def test_a_name_followed_by_a_bare_lf_takes_the_next_line_as_its_value() -> None:
    """A quirk of the reader: the octet behind the colon is skipped, whatever it is."""
    assert first(b"To:\nSubject: x\nDate: y\n\n", b"to") == b"Subject: x"


@pytest.mark.parametrize(
    "header,text",
    [
        (b"To : a@b\r\n\r\n", "header key contains invalid characters"),
        ("Tö: a@b\r\n\r\n".encode(), "header key contains invalid characters"),
        (b"no line end", "invalid header key"),
        (b"A: b\rc\r\n\r\n", "expected \\n after \\n"),
        (b"A: b\r", "unexpected EOF"),
    ],
)
def test_a_spoilt_header_is_refused_with_its_text(header: bytes, text: str) -> None:
    """bridge-behaviour 8.1; dialogue 23."""
    with pytest.raises(HeaderError) as refused:
        fields(header)
    assert refused.value.text == text


def test_selections_keep_order_spelling_and_folding_and_the_empty_line() -> None:
    """bridge-behaviour 3.5: every instance, order of the message, names once or twice in the request."""
    header = b"To: a\r\nSUBJECT: s\r\n folded\r\nto: b\r\nX: y\r\n\r\n"
    assert select(header, [b"to", b"TO"], keep=True) == b"To: a\r\nto: b\r\n\r\n"
    assert select(header, [b"to", b"x"], keep=False) == b"SUBJECT: s\r\n folded\r\n\r\n"
    assert select(header, [b"none"], keep=True) == b"\r\n"
    assert select(header[:-2], [b"none"], keep=True) == b""


def test_a_field_is_put_before_the_first_one_and_taken_off_again() -> None:
    """bridge-behaviour 4.2, 5.1 step 7: X-Pm-Gluon-Id goes in front and is erased from drafts."""
    literal = b"junk\r\nA: b\r\n\r\nbody"
    marked = prepend(literal, b"X-Pm-Gluon-Id", b"id")
    assert marked == b"junk\r\nX-Pm-Gluon-Id: id\r\nA: b\r\n\r\nbody"
    assert erase(marked, b"x-pm-gluon-id") == literal
    assert erase(literal, b"x-pm-gluon-id") == literal
    assert prepend(b"\r\nbody", b"N", b"v") == b"\r\nN: v\r\nbody"


@pytest.mark.parametrize(
    "value,joined", [(b" a \r\n", b"a"), (b"a\r\n\r\n b", b"a b"), (b"a\n  \n b", b"a  b"), (b"\r\n", b""), (b"a\r\n b\r\n", b"a b")]
)
def test_lines_of_a_value_are_joined_by_one_blank_each(value: bytes, joined: bytes) -> None:
    """bridge-behaviour 3.6: unfolding."""
    assert unfold(value) == joined


def test_white_space_of_any_script_is_trimmed() -> None:
    """RFC 6532 text may end in a no-break space; inside it stays."""
    assert trim_space("\u00a0\t a\u2003b \u3000".encode()) == "a\u2003b".encode()
    assert trim_space(b" \x85\xa0") == b"\x85\xa0"
