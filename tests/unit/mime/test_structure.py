"""BODYSTRUCTURE as a tree: section numbers, the shapes of Bridge, and bounds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proton_safe.mime import structure
from proton_safe.mime.structure import Part, Tree

TEXT = (b"text", b"plain", (b"charset", b"utf-8"), None, None, b"quoted-printable", b"25", b"2", None, None, None, None)
HTML = (b"TEXT", b"HTML", (), None, None, None, b"7", b"1", None, None, None, None)
BOUNDARY = (b"boundary", b"b")
PDF = (
    *(b"application", b"pdf", (b"filename", b"a.pdf", b"name", b"a.pdf"), b"<id@x>", None, b"base64", b"400"),
    *(None, (b"attachment", (b"filename", b"a.pdf")), None, None),
)


def test_a_single_part_is_section_one() -> None:
    """RFC 3501 6.4.5; bridge-behaviour 3.7."""
    assert structure.tree(TEXT) == Tree(Part("1", "text/plain", {"charset": b"utf-8"}, "quoted-printable", 25))


def test_parts_are_numbered_by_their_place() -> None:
    """RFC 3501 6.4.5; the example of bridge-behaviour 3.7, with related parts inside."""
    related = (HTML, PDF, b"related", (b"boundary", b"r"), None, None, None)
    found = structure.tree((TEXT, related, PDF, b"mixed", (b"boundary", b"b"), None, None, None))
    assert [(part.section, part.media_type) for part in found.leaves()] == [
        ("1", "text/plain"),
        ("2.1", "text/html"),
        ("2.2", "application/pdf"),
        ("3", "application/pdf"),
    ]
    assert found.root == Part("", "multipart/mixed", {"boundary": b"b"}, children=found.root.children)
    pdf = found.root.children[2]
    assert (pdf.filename, pdf.disposition, pdf.encoding, pdf.size, pdf.content_id) == ("a.pdf", "attachment", "base64", 400, "id@x")
    assert found.warnings == ()


def test_an_attached_message_is_one_part() -> None:
    """Peer fault A12; RFC 3501 7.4.2: envelope, structure and line count come behind the size."""
    envelope = (None,) * 10
    message = (
        b"message",
        b"rfc822",
        (),
        None,
        None,
        None,
        b"200",
        envelope,
        TEXT,
        b"9",
        None,
        (b"attachment", (b"filename", b"m.eml")),
        None,
        None,
    )
    found = structure.tree((TEXT, message, b"mixed", BOUNDARY, None, None, None))
    assert [(part.section, part.media_type, part.size, part.filename) for part in found.leaves()] == [
        ("1", "text/plain", 25, ""),
        ("2", "message/rfc822", 200, "m.eml"),
    ]


def test_an_attached_message_in_the_shape_of_a_multipart_is_one_part_too() -> None:
    """Bridge hands down the children of a message inside a message (bridge-behaviour 3.5); its text must not join the outer text."""
    inside = (TEXT, HTML, b"rfc822", (b"name", b"m.eml"), (b"inline", ()), None, None)
    found = structure.tree((TEXT, inside, b"mixed", BOUNDARY, None, None, None))
    assert [(part.section, part.media_type, part.size, part.disposition, part.filename) for part in found.leaves()] == [
        ("1", "text/plain", 25, "", ""),
        ("2", "message/rfc822", 32, "inline", "m.eml"),
    ]


def test_a_type_that_cannot_be_read_is_text_for_a_message_and_anything_for_a_part() -> None:
    """Bridge sends NIL NIL () (bridge-behaviour 3.7); RFC 2045 5.2; attack catalogue mime/content-type-junk."""
    junk = (None, None, (), None, None, None, b"5", None, None, None, None)
    assert structure.tree(junk) == Tree(Part("1", "text/plain", size=5, unreadable=True), ("part-header-damaged",))
    inside = structure.tree((TEXT, junk, b"mixed", BOUNDARY, None, None, None))
    assert inside.root.children[1].media_type == "application/octet-stream"


def test_a_multipart_without_parts_is_shown_as_text() -> None:
    """Attack catalogue mime/boundary-missing and mime/boundary-empty."""
    empty = (b"multipart", b"mixed", (), None, None, None, b"5", None, None, None, None)
    assert structure.tree(empty) == Tree(Part("1", "text/plain", size=5, undivided=True), ("bad-boundary",))


@pytest.mark.parametrize("boundary", [b"", b" ", b"x" * 2_000, b"a\0b", b"a\rb"])
def test_a_multipart_whose_boundary_divides_nothing_is_shown_as_text(boundary: bytes) -> None:
    """Attack catalogue mime/boundary-empty: everything or nothing would be a boundary."""
    odd = (TEXT, PDF, b"mixed", (b"boundary", boundary), None, None, None)
    whole = Part("TEXT", "text/plain", size=425, sized=False, undivided=True)
    assert structure.tree(odd) == Tree(whole, ("bad-boundary",))
    inside = structure.tree((TEXT, odd, b"mixed", (b"boundary", b"b"), None, None, None))
    assert [(part.section, part.media_type) for part in inside.leaves()] == [("1", "text/plain"), ("2", "text/plain")]


def test_a_boundary_that_is_only_longer_than_allowed_is_used_with_a_warning() -> None:
    """RFC 2046 5.1.1 allows 70 characters; mail programs read more."""
    found = structure.tree((TEXT, PDF, b"mixed", (b"boundary", b"x" * 71), None, None, None))
    assert (len(found.root.children), found.warnings) == (2, ("bad-boundary",))


def test_the_silent_parts_of_a_digest_are_messages() -> None:
    """RFC 2046 5.1.5; peer fault A12: their text is not the sender's."""
    silent = (b"text", b"plain", (), None, None, None, b"9", b"1", None, None, None, None)
    found = structure.tree((silent, TEXT, b"digest", (b"boundary", b"b"), None, None, None))
    assert [part.media_type for part in found.leaves()] == ["message/rfc822", "text/plain"]


def test_a_structure_that_was_cut_keeps_its_whole_parts() -> None:
    """Attack catalogue mime/parts-100k: a multipart without its subtype is one that was cut."""
    found = structure.tree((TEXT, (PDF, PDF)))
    assert [part.section for part in found.leaves()] == ["1", "2.1", "2.2"]
    assert found.warnings == ("structure-truncated",)


def test_what_lies_too_deep_is_one_opaque_part() -> None:
    """Attack catalogue mime/nesting-900 and 0.5: 20 levels."""
    nested: tuple[object, ...] = TEXT
    for _ in range(40):
        nested = (nested, b"mixed", BOUNDARY, None, None, None)
    found = structure.tree(nested)
    leaves = list(found.leaves())
    assert [(part.section.count(".") + 1, part.media_type) for part in leaves] == [(20, "application/octet-stream")]
    assert found.warnings == ("structure-truncated",)


def test_of_very_many_parts_the_first_thousand_are_walked() -> None:
    """Attack catalogue mime/parts-100k and 0.5."""
    found = structure.tree((*(TEXT,) * 5_000, b"mixed", BOUNDARY, None, None, None))
    assert sum(1 for _ in found.leaves()) == structure.MAX_PARTS - 1
    assert found.root.media_type == "multipart/mixed"
    assert found.warnings == ("structure-truncated",)


VALUES = st.recursive(
    st.none() | st.binary(max_size=12) | st.sampled_from([b"text", b"plain", b"multipart", b"message", b"rfc822", b"7", b"99999999999999"]),
    lambda inner: st.lists(inner, max_size=12).map(tuple),
    max_leaves=40,
)


@given(VALUES)
def test_any_value_gives_a_tree(value: object) -> None:
    """Product page 4: what a server or a sender makes of a structure never raises."""
    for part in structure.tree(value).leaves():
        assert part.section
        assert part.size >= 0
        part.filename.encode("utf-8")
