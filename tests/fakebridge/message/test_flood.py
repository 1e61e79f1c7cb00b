"""The parts of a flood are those of the tree."""

from hypothesis import example, given
from hypothesis import strategies as st

from fakebridge.message import flood, structure
from fakebridge.message.part import parse

HEAD = b"Content-Type: multipart/mixed; boundary=x\r\n\r\n"
TOKENS = (b"--x", b"--x\n", b"--x\r\n", b"\n", b"\r\n", b"--", b"a", b"A: b\r\n\r\n", b"Content-Type: text/html\n\n")


@given(st.lists(st.sampled_from(TOKENS), max_size=30).map(b"".join))
@example(b"--x\n\n" * 4)
@example(b"--x\n--x\n\r\n--x\n")
@example(b"pre\n--x\r\nA: b\r\n\r\none\r\n--x\r\n\r\ntwo\r\n--x--\r\n--x\n")
def test_a_flood_has_the_parts_of_the_tree(body: bytes) -> None:
    """bridge-behaviour 3.7: however many parts there are, they are found by one rule."""
    literal = HEAD + body
    found = flood.pieces(literal, many=1)
    if found is not None:
        assert found == [literal[part.begin : part.end] for part in parse(literal).children]


def test_few_parts_and_other_types_are_no_flood() -> None:
    """Ordinary mail is read as a tree."""
    assert flood.pieces(HEAD + b"--x\n\n" * 9) is None
    assert flood.pieces(b"Content-Type: text/plain\r\n\r\n--x\n", many=1) is None


def test_the_structure_of_a_flood_names_every_part() -> None:
    """Attack catalogue mime/parts-4m, in small."""
    literal = HEAD + b"--x\n\n" * flood.MANY
    leaf = b'("text" "plain" () NIL NIL NIL 0 0 NIL NIL NIL NIL)'
    assert structure.bodystructure(literal) == b"(" + leaf * flood.MANY + b' "mixed" ("boundary" "x") NIL NIL NIL)'
