"""Address lists: RFC 5322 3.4 and 4.4, what is damaged in real mail, and what attackers make of it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proton_safe.mime import addresses
from proton_safe.mime.address_tokens import tokens
from proton_safe.mime.addresses import AddressList, MailAddress
from tests.unit.mime.counted_calls import growth

KNOWN: list[tuple[bytes, list[tuple[str, str]]]] = [
    (b"", []),
    (b"a@b.example", [("", "a@b.example")]),
    (b"Anna <a@b.example>, c@d.example", [("Anna", "a@b.example"), ("", "c@d.example")]),
    (b'"Doe, John" <j@x.example>', [("Doe, John", "j@x.example")]),
    (b'"a \\"b\\" c" <j@x.example>', [('a "b" c', "j@x.example")]),
    (b"a@b.example (Anna (the first) Smith)", [("Anna (the first) Smith", "a@b.example")]),
    # RFC 5322 A.1.3 and A.6: groups, routes, blanks where none are needed
    (b"A Group:Ed Jones <joe@where.example>,john@one.example;", [("Ed Jones", "joe@where.example"), ("", "john@one.example")]),
    (b"Undisclosed recipients:;", []),
    (b" < a@b.example > ", [("", "a@b.example")]),
    (b"a@b.example; c@d.example", [("", "a@b.example"), ("", "c@d.example")]),
    (b'"a b"@c.example', [("", '"a b"@c.example')]),
    (b"a@[127.0.0.1]", [("", "a@[127.0.0.1]")]),
    # encoded words, also where they should not stand
    (b"=?utf-8?q?Ren=C3=A9?= <r@x.example>", [("Ren\xe9", "r@x.example")]),
    (b'"=?utf-8?q?Ren=C3=A9?=" <r@x.example>', [("Ren\xe9", "r@x.example")]),
    (b"=?utf-8?q?Doe,_John?= <j@x.example>", [("Doe, John", "j@x.example")]),
    ("René <r@x.example>".encode(), [("René", "r@x.example")]),
    ("\u00c5ke <r@x.example>".encode(), [("\u00c5ke", "r@x.example")]),
    # a quote or comment that never ends is text
    (b'"Foo <a@b.example>, c@d.example', [('"Foo', "a@b.example"), ("", "c@d.example")]),
    (b"a@b.example <a@b.example>", [("a@b.example", "a@b.example")]),
]
DOUBTFUL: list[tuple[bytes, list[tuple[str, str]]]] = [
    (b"root", [("root", "")]),
    (b"<root>", [("", "root")]),
    (b"=?utf-8?q?x=40evil.example?=", [("x@evil.example", "")]),
    (b"A <a@b.example> B <c@d.example>", [("A", "a@b.example"), ("B", "c@d.example")]),
    # CVE-2023-27043: two readers, two addresses
    (b"alice@example.org)bob@evil.example", [("", "alice@example.org)bob@evil.example")]),
    (b"alice@example.org(<bob@evil.example>", [("alice@example.org(", "bob@evil.example")]),
    (b"alice@example.org@<bob@evil.example>", [("alice@example.org@", "bob@evil.example")]),
    (b"alice@example.org<bob@evil.example>", [("alice@example.org", "bob@evil.example")]),
    (b"<alice@example.org>bob@evil.example", [("", "alice@example.org")]),
    (b"a@b.example c@d.example", [("a@b.example c@d.example", "")]),
    (b"a@b@c.example", [("", "a@b@c.example")]),
    (b"Foo <a@b.example", [("Foo", "a@b.example")]),
    (b'"', [('"', "")]),
    (b"a@", [("", "a@")]),
    # RFC 5322 4.4: routes, and blanks and comments inside an address; one reader drops them, another doesn't
    (b"<@node.example,@other.example:mary@x.example>", [("", "mary@x.example")]),
    (b"jdoe@test  . example", [("", "jdoe@test.example")]),
    (b"<a @b.example>", [("", "a@b.example")]),
    (b"a(b)@c.example", [("b", "a@c.example")]),
    (b"a@b.example(x)", [("x", "a@b.example")]),
    (b"<a@b.example(<c@d.example>)>", [("<c@d.example>", "a@b.example")]),
    (b"@r,@s:a@b.example", [("", "@r"), ("", "a@b.example")]),
    # what nobody sees is shown as a place
    (b"a@b.example\0evil@e.example", [("", "a@b.example\ufffdevil@e.example")]),
    (b"<a\x7f@b.example>", [("", "a\ufffd@b.example")]),
    (b"a@[", [("", "a@[")]),
]


@pytest.mark.parametrize("raw, expected", KNOWN)
def test_a_list_reads_as_written(raw: bytes, expected: list[tuple[str, str]]) -> None:
    """RFC 5322 3.4, 4.4 and its appendix A; RFC 2047 5."""
    assert addresses.parse(raw) == AddressList(tuple(MailAddress(name, address) for name, address in expected), len(expected))


@pytest.mark.parametrize("raw, expected", DOUBTFUL)
def test_what_readers_could_take_differently_is_shown_as_doubtful(raw: bytes, expected: list[tuple[str, str]]) -> None:
    """Attack catalogue address/parseaddr-cve and header/structured-crashers; peer faults A1 and B4."""
    found = addresses.parse(raw)
    assert [(each.name, each.address) for each in found.addresses] == expected
    assert any(each.doubtful for each in found.addresses)
    assert found.warnings == ("address-unreadable",)


@pytest.mark.parametrize("char", ["\u200b", "\u2028", "\u0085", "\u00ad", "\u2060", "\ufeff", "\U000e0041", "\u00a0", "\u115f"])
def test_a_character_that_nobody_sees_is_a_place_in_an_address(char: str) -> None:
    """Attack catalogue address/whitespace-control: left out, it would make another address of it."""
    found = addresses.parse(f"<a{char}@b.example>".encode())
    assert [each.address for each in found.addresses] == ["a\ufffd@b.example"]
    told = addresses.from_envelopes([(None, f"a{char}".encode(), b"b.example")])
    assert told == AddressList((MailAddress("", "a\ufffd@b.example", doubtful=True),), 1, ("address-unreadable",))


def test_an_address_that_is_too_long_to_be_shown_says_so() -> None:
    """What is cut off decides whose domain it is: `x@ … .bank.example` may go on with `.evil.example`."""
    long = "x@" + "a." * 152 + "bank.example.evil.example"
    for found in (addresses.parse(long.encode()).addresses[0], addresses.from_envelope(None, b"x", long[2:].encode())):
        assert found.address == long[:319] + "\u2026"
        assert found.doubtful
    turned = addresses.parse(("x@" + "\u202e" * 100 + "bank.example.evil.example").encode()).addresses[0]
    assert (len(turned.address), turned.address[-1], turned.doubtful) == (320, "\u2026", True)
    assert addresses.parse(b"x@" + b"a" * 60 + b".example").warnings == ()
    assert addresses.parse(b"x@" + b"a." * 121 + b"long.example").warnings == ("address-unreadable",)


@pytest.mark.parametrize(
    "local, address",
    [
        (b"a", "a@b.example"),
        (b"a.b+c", "a.b+c@b.example"),
        (b"a b", '"a b"@b.example'),
        (b'"a b"', '"a b"@b.example'),
        (b'x> , <y"', '"x> , <y\\""@b.example'),
        (b".a", '".a"@b.example'),
        (b"\xc3\xa9", "\xe9@b.example"),
    ],
)
def test_the_local_part_of_an_envelope_is_quoted_where_it_must_be(local: bytes, address: str) -> None:
    """RFC 3501 7.4.2 gives it without quotes; RFC 5322 3.4.1 wants them back."""
    assert addresses.from_envelope(None, local, b"b.example").address == address


def test_an_entry_without_anything_stands_for_an_address_unless_it_ends_a_group() -> None:
    """RFC 3501 7.4.2; Bridge gives it where a local part decodes to a second `@` (attack catalogue header/mailsploit-nul)."""
    assert addresses.from_envelopes([(None, None, None)]) == AddressList((), 0, ("address-unreadable",))
    assert addresses.from_envelopes([(None, b"friends", None), (None, None, None)]) == AddressList()


def test_an_address_is_never_made_of_decoded_text() -> None:
    """Attack catalogue header/mailsploit-nul and header/mailsploit-newline."""
    found = addresses.parse(b"=?utf-8?b?cG90dXM=?==?utf-8?Q?=00?=@evil.example")
    assert [each.address for each in found.addresses] == ["=?utf-8?b?cG90dXM=?==?utf-8?Q?=00?=@evil.example"]


def test_a_long_list_is_counted_and_cut() -> None:
    """Attack catalogue header/to-30k and 0.5."""
    found = addresses.parse(b"a@b.c, " * 30_000)
    assert len(found.addresses) == addresses.MAX_ADDRESSES
    assert found.count == 1_170
    assert found.warnings == ("header-truncated",)


def test_an_envelope_list_is_read_without_its_group_marks() -> None:
    """RFC 3501 7.4.2; bridge-behaviour 3.6: names come decoded, as 8-bit octets."""
    entries = [
        (None, b"friends", None),
        ("Zoë".encode(), b"zoe", b"x.example"),
        (b"=?utf-8?q?Ren=C3=A9?=", b"r", b"x.example"),
        (None, None, None),
    ]
    assert addresses.from_envelopes(entries) == AddressList((MailAddress("Zoë", "zoe@x.example"), MailAddress("René", "r@x.example")), 2)


def test_a_list_that_bridge_gave_up_on_is_read_from_its_text() -> None:
    """bridge-behaviour 3.6: one entry, the raw text as its name."""
    found = addresses.from_envelopes([(b"Foo <a@b.example>; bar@x.example", None, None)])
    assert [each.address for each in found.addresses] == ["a@b.example", "bar@x.example"]
    assert found.warnings == ("address-unreadable",)


def test_an_entry_without_a_mailbox_is_shown_as_doubtful() -> None:
    """RFC 3501 7.4.2 gives no meaning to a host alone."""
    found = addresses.from_envelopes([(b"Foo", None, b"x.example")])
    assert found == AddressList((MailAddress("Foo", "@x.example", doubtful=True),), 1, ("address-unreadable",))


PIECES = ['"', "<", ">", ",", ";", ":", "@", "(", ")", "[", "]", "\\", " ", "a", ".", "=?utf-8?q?", "?=", "\r\n ", "\xe9", "\x85"]


@given(st.binary(max_size=200) | st.lists(st.sampled_from(PIECES), max_size=60).map("".join).map(str.encode))
def test_any_octets_give_a_list(raw: bytes) -> None:
    """Peer fault A1: twenty shapes of From and To crashed the standard library's reader."""
    found = addresses.parse(raw)
    assert found.count == len(found.addresses)
    for each in found.addresses:
        assert each.name or each.address
        (each.name + each.address).encode("utf-8")


@given(st.lists(st.sampled_from(PIECES), max_size=60).map("".join))
def test_tokens_are_the_text(text: str) -> None:
    """Nothing is skipped and nothing is read twice."""
    assert "".join(token.source for token in tokens(text)) == text


@pytest.mark.parametrize("piece", ['"', "(", "[", "<", "a:", "=?", '\\"', "((", '""', "a ", "<>", "(a)"])
def test_the_cost_grows_with_the_field_and_no_faster(piece: str) -> None:
    """Attack catalogue header/comment-nesting and header/parseaddr-colons; product page 3."""
    assert growth(lambda size: addresses.parse(piece.encode() * size), small=200, large=800) < 6


def test_names_that_bridge_has_decoded_to_the_letter_have_their_signs() -> None:
    """Bridge reads ISO-8859-1 as it stands, so that a euro sign arrives as a control character and would be cleaned away."""
    name = "\x93\x80 39\x94".encode()
    assert addresses.from_envelope(name, b"a", b"b.example").name == "\u201c\u20ac 39\u201d"


NAMES = ["", "Ada ", '"Ada, L" ', '"a@b" ', "Ada\t L  L. ", "O'B ", '"" ', "'' ", '" x "', "a@b ", "(c) ", "\xe9 ", "x: ", "\x0b "]
WORDS = ["=?utf-8?q?J=C3=B6rg?= ", "=?utf-8?q?J?= =?utf-8?b?w7Y=?= ", '"=?utf-8?q?_?=" ', "=?utf-8?q?a,b?= ", "a=?utf-8?q?J?=b ", "=?x?q? "]
ADDRESSES = [
    "<a@b.example>",
    "<A.b-@c>",
    "d@e.example",
    "<>",
    "<a@b.example >",
    "<a b@c>",
    "<@r:a@b>",
    "=?@b",
    f"<{'l' * 65}@b>",
    f"a@{'d' * 200}",
]
SEPARATORS = [",", ", ", ",\r\n ", ";", " "]


@settings(max_examples=600)
@given(st.lists(st.tuples(st.sampled_from(NAMES + WORDS), st.sampled_from(ADDRESSES), st.sampled_from(SEPARATORS)), min_size=1, max_size=5))
def test_usual_lists_read_as_by_tokens(elements: list[tuple[str, str, str]]) -> None:
    """What the short way reads, it reads as the long one does, which warns of all else."""
    raw = "".join(name + address + separator for name, address, separator in elements).encode("latin-1")
    found = addresses._usual(raw)
    if found is not None:
        assert found == addresses._by_tokens(raw)


def test_the_short_way_reads_ordinary_lists() -> None:
    """Names in quotes and without, encoded words, bare addresses, folding; the hundred that are kept."""
    raw = b'Ada L. <a@b.example>, "Bo, C" <c@d.example>,\r\n e+f@g.example, =?utf-8?q?J=C3=B6rg?= <h@i.example>,'
    found = addresses._usual(raw)
    assert found == addresses._by_tokens(raw)
    assert found is not None
    assert [each.name for each in found.addresses] == ["Ada L.", "Bo, C", "", "J\xf6rg"]
    assert addresses._usual(b"a@b.example," * 101) == addresses._by_tokens(b"a@b.example," * 101)
    assert addresses._usual(b"a@b.example," * 1_000) is None
