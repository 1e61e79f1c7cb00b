"""A message taken apart by ourselves, where Bridge's reader does not find its header or its parts."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from proton_safe.mime import headers, own_split
from proton_safe.mime.structure import MAX_DEPTH, MAX_PARTS, OPAQUE, Part, Tree

MIXED = b"Content-Type: multipart/mixed; boundary=b\r\n\r\n"


def test_blanks_behind_a_boundary_are_no_part_of_it() -> None:
    """RFC 2046 5.1.1: transport padding; preamble and epilogue belong to nobody."""
    body = b"preamble\r\n--b  \r\nContent-Type: text/html\r\n\r\n<p>one\r\n--b\t\r\n\r\ntwo\r\n--b-- \r\nepilogue\r\n--b\r\n\r\nthree"
    found = own_split.message(b"Subject: s\r\n" + MIXED + body)
    assert found.head.first("subject") == b"s"
    assert [(part.section, part.media_type) for part in found.tree.leaves()] == [("1", "text/html"), ("2", "text/plain")]
    assert found.octets == {"1": b"<p>one", "2": b"two"}
    assert found.tree.warnings == ()


def test_parts_inside_parts_are_numbered_as_imap_numbers_them() -> None:
    """RFC 3501 6.4.5."""
    inner = (
        b"Content-Type: multipart/alternative; boundary=i\r\n\r\n--i\r\n\r\nplain\r\n--i\r\nContent-Type: text/html\r\n\r\n<p>html\r\n--i--"
    )
    body = (
        b"--b\r\n" + inner + b"\r\n--b\r\nContent-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\n\r\nJVBERg==\r\n--b--\r\n"
    )
    found = own_split.message(MIXED + body)
    assert found.octets == {"1.1": b"plain", "1.2": b"<p>html", "2": b"JVBERg=="}
    assert [(part.section, part.encoding, part.size) for part in found.tree.leaves()][-1] == ("2", "base64", 8)


def test_an_attached_message_is_one_part() -> None:
    """Peer fault A12, here too."""
    found = own_split.message(MIXED + b"--b\r\nContent-Type: message/rfc822\r\n\r\n" + MIXED + b"--b\r\n\r\ninner")
    assert [part.media_type for part in found.tree.leaves()] == ["message/rfc822", "text/plain"]


def test_what_has_no_header_is_text() -> None:
    """Not one line of it is a field."""
    found = own_split.message(b"just a line of text")
    assert (found.octets, found.tree.root.media_type) == ({"1": b"just a line of text"}, "text/plain")


def test_a_boundary_on_a_line_of_its_own_is_found() -> None:
    """A folded field that lost its blank."""
    head = b'Content-Type: multipart/mixed;\r\nboundary="b"\r\n\r\n'
    found = own_split.message(head + b"--b\r\n\r\none\r\n--b--\r\n")
    assert found.octets == {"1": b"one"}
    assert own_split.divides(headers.split(head))
    assert not own_split.divides(headers.split(b"Content-Type: multipart/mixed\r\n\r\n"))
    assert not own_split.divides(headers.split(b"Content-Type: text/plain; boundary=b\r\n\r\n"))


def test_a_multipart_without_boundary_lines_is_text() -> None:
    """Attack catalogue mime/boundary-missing."""
    found = own_split.message(MIXED + b"nothing divides this")
    assert (found.octets, found.tree.root.media_type, found.tree.warnings) == (
        {"1": b"nothing divides this"},
        "text/plain",
        ("bad-boundary",),
    )


def test_depth_and_number_have_their_limits() -> None:
    """Attack catalogue 0.5: 20 levels, 1,000 parts."""
    tower = b"".join(b"Content-Type: multipart/mixed; boundary=b%d_\r\n\r\n--b%d_\r\n" % (at, at) for at in range(40)) + b"\r\nleaf"
    (leaf,) = own_split.message(tower).tree.leaves()
    assert (leaf.section.count(".") + 1, leaf.media_type) == (MAX_DEPTH, OPAQUE)
    many = own_split.message(MIXED + b"--b\r\n\r\n" * 5_000)
    assert sum(1 for _ in many.tree.leaves()) == MAX_PARTS - 1
    assert many.tree.warnings == ("structure-truncated",)


def test_a_text_that_holds_a_boundary_with_blanks_was_overlooked() -> None:
    """Bridge's own boundaries are hexadecimal and have no blanks behind them, so its mails are not searched."""
    text = Part("1", "text/plain", size=9)
    ours = Tree(Part("", "multipart/mixed", {"boundary": b"b"}, children=(text,)))
    bridges = Tree(Part("", "multipart/mixed", {"boundary": b"a1" * 32}, children=(text,)))
    assert own_split.overlooked(ours, {"1": b"one\r\n--b \r\n\r\ntwo"})
    assert not own_split.overlooked(ours, {"1": b"one --b \r\n\r\n--b\r\n--bc \r\n"})
    assert (own_split.bridge_made(ours), own_split.bridge_made(bridges), own_split.bridge_made(Tree(text))) == (False, True, True)
    assert not own_split.overlooked(bridges, {"1": b"\n--" + b"a1" * 32 + b" \n"})


@given(st.lists(st.sampled_from([b"--b", b"--", b"\r\n", b" ", b"\n", MIXED, b"a", b":", b"Content-Type: text/html"]), max_size=60))
def test_any_octets_are_taken_apart(pieces: list[bytes]) -> None:
    """product.md 4: nothing raises, and each leaf has its octets."""
    found = own_split.message(b"".join(pieces))
    assert {part.section for part in found.tree.leaves()} == set(found.octets)
