"""What a part says of itself: read by ourselves, and held against the structure."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proton_safe.mime import own_header
from proton_safe.mime.own_header import OwnHeader
from proton_safe.mime.structure import OPAQUE, Part, Tree

PDF = Part("2", "application/pdf", {"name": b"a.pdf"}, "base64", 9, "attachment", {"filename": b"a.pdf"})
TEXT = Part("1", "text/plain", {"charset": b"utf-8"}, size=9)
UNREADABLE = Part("2", OPAQUE, size=9, unreadable=True)
TYPES = [
    (b"text/html(comment)", "text/html"),
    (b" Text/HTML ; charset=utf-8", "text/html"),
    (b"application/vnd.openxmlformats-officedocument.wordprocessingml.document", None),
    (b"text", ""),
    (b"text/", ""),
    (b"/html", ""),
    (b"text/plain/x", ""),
    (b"application/pdf\0", ""),
    (b"application/" + b"x" * 300, ""),
    (b"application/\xff", ""),
    (b"", ""),
]


def read(*lines: bytes) -> OwnHeader:
    """The header made of these lines."""
    return own_header.read(b"\r\n".join((*lines, b"", b"")))


def repaired(part: Part, *lines: bytes) -> tuple[Part, tuple[str, ...]]:
    """The part as its own header repairs it, and the warnings."""
    found = own_header.repaired(Tree(part), {part.section: read(*lines)})
    return found.root, found.warnings


@pytest.mark.parametrize("value, media_type", TYPES)
def test_a_type_is_read_or_is_none(value: bytes, media_type: str | None) -> None:
    """Attack catalogue mime/content-type-junk."""
    assert read(b"Content-Type: " + value).media_type == (value.decode() if media_type is None else media_type)


def test_all_fields_of_a_part_are_read() -> None:
    """RFC 2045, RFC 2183."""
    found = read(
        b"Content-Type: text/plain; name=C:\\a b.txt;",
        b" charset=utf-8",
        b"Content-Transfer-Encoding: BASE64 (really)",
        b'Content-Disposition: attachment; filename="C:\\Users\\x.txt"',
        b"Content-ID: <x@x.example>",
    )
    assert (found.encoding, found.disposition, found.content_id) == ("base64", "attachment", "x@x.example")
    assert found.parameters == {"name": b"C:\\a b.txt", "charset": b"utf-8"}
    assert found.disposition_parameters == {"filename": b"C:\\Users\\x.txt"}


def test_a_type_that_the_server_could_not_read_is_taken_from_the_part() -> None:
    """bridge-behaviour 3.7: NIL NIL () stands for such a type."""
    part, warnings = repaired(UNREADABLE, b"Content-Type: text/html; charset=utf-8; odd")
    assert (part.media_type, part.charset, part.unreadable, warnings) == ("text/html", "utf-8", False, ("part-header-damaged",))
    part, warnings = repaired(UNREADABLE, b"Content-Type: text")
    assert (part.media_type, part.unreadable, warnings) == (OPAQUE, True, ("part-header-damaged",))
    part, warnings = repaired(UNREADABLE, b"Content-Type: multipart/mixed; boundary=b")
    assert (part.media_type, part.undivided, warnings) == ("text/plain", True, ("bad-boundary", "part-header-damaged"))


def test_a_type_that_contradicts_the_structure_withholds_the_part() -> None:
    """A structure that doesn't match the body is never a wrong part."""
    part, warnings = repaired(PDF, b"Content-Type: text/plain", b"Content-Transfer-Encoding: base64")
    assert (part.withheld, warnings) == (True, ("structure-mismatch",))
    assert repaired(PDF)[0].withheld
    assert repaired(TEXT, b"Content-Type: multipart/mixed; boundary=b")[0].withheld
    assert repaired(TEXT)[0] == TEXT
    assert repaired(PDF, b"Content-Type: application/pdf; name=a.pdf", b"Content-Transfer-Encoding: base64")[1] == ()


def test_what_the_structure_does_not_say_is_no_contradiction() -> None:
    """Servers call a part text when they could not read its type."""
    silent = Part("1", "text/plain", size=9)
    part, warnings = repaired(silent, b"Content-Type: message/partial; id=x")
    assert (part.media_type, part.withheld, warnings) == ("message/partial", False, ("part-header-damaged",))


def test_an_encoding_comes_from_where_the_octets_come_from() -> None:
    """A structure that names another one would make other octets of them."""
    part, warnings = repaired(TEXT, b"Content-Type: text/plain", b"Content-Transfer-Encoding: quoted-printable")
    assert (part.encoding, warnings) == ("quoted-printable", ("structure-mismatch",))


@pytest.mark.parametrize("said, told", [("7bit", b""), ("", b"Content-Transfer-Encoding: 7bit")])
def test_an_encoding_that_is_not_named_is_7bit(said: str, told: bytes) -> None:
    """RFC 2045 6.1: some servers say it where the message doesn't, others say nothing where it does."""
    part, warnings = repaired(Part("1", "text/plain", encoding=said, size=9), b"Content-Type: text/plain", *([told] if told else []))
    assert (part.encoding, warnings) == (said, ())


def test_a_disposition_and_names_that_were_lost_are_taken_from_the_part() -> None:
    """Gluon drops a field that it can't read, octets above 127, and names in pieces of another charset."""
    part, warnings = repaired(TEXT, b"Content-Type: text/plain", b"Content-Disposition: attachment; filename=a b.txt; x")
    assert (part.disposition, part.filename, warnings) == ("attachment", "a b.txt", ("part-header-damaged",))
    spoiled = Part("2", "application/pdf", {"name": b"gre.pdf"}, "base64", 9)
    part, warnings = repaired(spoiled, 'Content-Type: application/pdf; name="größe.pdf"'.encode(), b"Content-Transfer-Encoding: base64")
    assert (part.filename, warnings) == ("größe.pdf", ())


def test_a_part_whose_fields_stand_twice_is_told() -> None:
    """Attack catalogue mime/duplicate-content-type, inside."""
    part, warnings = repaired(TEXT, b"Content-Type: text/plain", b"Content-Type: text/html")
    assert (part.media_type, warnings) == ("text/plain", ("part-header-damaged",))


def test_ordinary_mail_leaves_nothing_in_doubt() -> None:
    """No question is asked of a mail that Bridge built; of others only where a role hangs on it."""
    assert own_header.doubtful(Tree(Part("", "multipart/mixed", children=(TEXT, PDF)))) == ()
    later, silent = Part("3", "text/plain", {"charset": b"utf-8"}, size=9), Part("1", "text/plain", size=9)
    mixed = Part("", "multipart/mixed", children=(silent, UNREADABLE, later))
    assert [part.section for part in own_header.doubtful(Tree(mixed))] == ["1", "2", "3"]
    forms = Part("", "multipart/alternative", children=(TEXT, Part("2", "text/html", {"charset": b"utf-8"}, size=9)))
    assert own_header.doubtful(Tree(forms)) == ()
    many = Part("", "multipart/mixed", children=(TEXT, *(Part(str(at), "text/plain", size=9) for at in range(2, 99))))
    assert len(own_header.doubtful(Tree(many))) == own_header.MAX_DOUBTFUL


@given(
    st.lists(
        st.sampled_from([b"Content-Type: ", b"Content-Disposition:", b";", b"=", b'"', b"*0*=", b"\r\n", b"\\", b"(", b"a"]), max_size=40
    )
)
def test_any_header_is_read(pieces: list[bytes]) -> None:
    """product.md 4: no header value may raise."""
    own_header.repaired(Tree(UNREADABLE), {"2": own_header.read(b"".join(pieces))})


def test_a_type_that_is_no_type_is_text() -> None:
    """RFC 2045 5.2: for a whole message; what begins as another kind is none."""
    assert own_header.read(b"Content-Type: bogus\r\n").textual
    assert own_header.read(b"Content-Type: text/\r\n").textual
    assert not own_header.read(b"Content-Type: image\r\n").textual
    assert not own_header.read(b"Content-Type: bogus/x\r\n").textual


def test_parameters_that_the_server_lost_are_taken_from_a_silent_part() -> None:
    """A server that can't read a field says plain text and nothing else; the charset stands in the field."""
    part, warnings = repaired(Part("2", "text/plain", size=9), b"Content-Type:text/plain;charset=iso-8859-2")
    assert part.parameters == {"charset": b"iso-8859-2"}
    assert warnings == ()
