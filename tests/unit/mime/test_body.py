"""Which text a message has: alternatives, joined parts, empty parts, cut parts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proton_safe.mime import body, sameness
from proton_safe.mime.attachments import MAX_TEXT_PARTS
from proton_safe.mime.body import Body
from proton_safe.mime.html_text import html_text
from proton_safe.mime.sameness import essence
from proton_safe.mime.structure import Part, Tree

if TYPE_CHECKING:
    from collections.abc import Mapping


def plain(section: str, size: int = 1, **parameters: bytes) -> Part:
    """A text/plain part."""
    return Part(section, "text/plain", parameters, size=size)


def html(section: str) -> Part:
    """A text/html part."""
    return Part(section, "text/html", size=1)


def several(kind: str, *children: Part) -> Part:
    """A multipart."""
    return Part("", f"multipart/{kind}", children=children)


def read(root: Part, octets: Mapping[str, bytes]) -> Body:
    """The body of a message whose parts hold these octets."""
    return body.read(Tree(root), fetch=lambda part, at_most: octets[part.section][:at_most], read_html=html_text)


ALTERNATIVE = several("alternative", plain("1"), html("2"))
CHOICES = [
    # plain, HTML, text, source, whether they differ
    (b"Pay 10", b"<p>Pay <b>10</b></p>", "Pay 10", "plain", False),
    (b"*Pay* 10\r\n", b"<p>Pay 10<img src=x alt=logo>", "*Pay* 10", "plain", False),
    (b"Go: https://a.example/x", b"<a href='https://a.example/x'>Go</a>:", "Go: https://a.example/x", "plain", False),
    (b"Pay 10", b"<p>Pay 9000</p>", "Pay 9000", "html", True),
    (b"Pay 10", b"<p>Pay 90</p>", "Pay 90", "html", True),
    (b"Pay 10, and much more than that", b"<p>Pay 9000</p>", "Pay 10, and much more than that", "plain", True),
    (b" \r\n", b"<p>Pay 10</p>", "Pay 10", "html", False),
    (b"Pay 10", b"<p> </p>", "Pay 10", "plain", False),
    (b"Pay 10", b"", "Pay 10", "plain", False),
    (b"Pay 10", b"<p hidden>Pay 9000</p><img src=x>", "Pay 10", "plain", True),
    (b"", b"", "", "none", False),
]


@pytest.mark.parametrize("one, other, text, source, differ", CHOICES)
def test_an_alternative_is_chosen_by_what_it_says(one: bytes, other: bytes, text: str, source: str, differ: bool) -> None:
    """Product page 4; peer faults A3 and A5; attack catalogue mime/alternative-conflict."""
    found = read(ALTERNATIVE, {"1": one, "2": other})
    assert (found.text, found.source, found.alternatives_differ) == (text, source, differ)


def test_hidden_text_and_mismatched_links_of_the_html_are_told_when_the_plain_text_is_shown() -> None:
    """Product page 4: what the other form hides is reported whichever form is shown."""
    found = read(ALTERNATIVE, {"1": b"bank.example", "2": b"<p hidden>H</p><a href='https://evil.example'>bank.example</a>"})
    assert (found.source, found.hidden, found.link_mismatches) == ("plain", (("hidden-attribute", 1),), 1)


def test_parts_that_are_shown_one_after_the_other_are_joined() -> None:
    """A footer that a mailing list adds is part of the text."""
    found = read(several("mixed", several("related", html("1.1")), plain("2")), {"1.1": b"<p>text", "2": b"footer\r\n"})
    assert found == Body("text\n\nfooter", "html")


def test_files_and_attached_messages_are_no_part_of_the_text() -> None:
    """Peer fault A12; attack catalogue mime/rfc822-impersonation."""
    parts = (
        plain("1"),
        Part("2", "message/rfc822", size=5),
        plain("3", name=b"notes.txt"),
        Part("4", "text/plain", size=1, disposition="attachment"),
        Part("5", "text/csv", size=1),
    )
    assert read(several("mixed", *parts), {"1": b"text"}) == Body("text", "plain")


def test_a_named_text_is_the_text_where_there_is_no_other() -> None:
    """A message that consists of one named text part is not empty."""
    assert read(plain("1", name=b"notes.txt"), {"1": b"text"}) == Body("text", "plain")


def test_flowed_text_is_joined_as_its_parameters_say() -> None:
    """RFC 3676 section 4."""
    assert read(plain("1", format=b"Flowed", delsp=b"YES"), {"1": b"on \r\ne"}).text == "one"


def test_encrypted_and_signed_text_stands_as_it_is() -> None:
    """Attack catalogue mime/smime-pgp: nothing is decrypted, parts are flattened one by one."""
    octets = {"1": b'<img src="https://evil.example/', "2": b"-----BEGIN PGP MESSAGE-----", "3": b'">'}
    found = read(several("mixed", html("1"), plain("2"), html("3")), octets)
    assert found.text == '-----BEGIN PGP MESSAGE-----\n\n">'


def test_a_part_longer_than_is_read_is_cut_with_a_warning() -> None:
    """Product page 3 and attack catalogue mime/one-line-25mb."""
    found = read(plain("1", charset=b"utf-8"), {"1": b"\xc3\xa9" * 2_000_000})
    assert found.text == "\xe9" * (body.MAX_PLAIN_OCTETS // 2)
    assert found.warnings == ("body-truncated",)
    cut = read(html("1"), {"1": b" " * 2_000_000 + b"<p>x"})
    assert (cut.text, cut.source, cut.warnings) == ("", "none", ("body-truncated",))


def test_many_parts_share_what_one_may_have() -> None:
    """Product page 3: nothing that a sender wrote may cost more than its budget, into however many parts it is cut."""
    three = several("mixed", *(plain(section, charset=b"utf-8") for section in "123"))
    found = read(three, dict.fromkeys("123", b"x" * 900_000))
    assert (len(found.text), found.warnings) == (body.MAX_PLAIN_OCTETS + 4, ("body-truncated",))
    pages = several("mixed", *(html(section) for section in "123"), plain("4"))
    found = read(pages, {**dict.fromkeys("123", b"<p>" + b"x" * 599_997), "4": b"end"})
    assert (len(found.text), found.warnings) == (body.MAX_HTML_OCTETS - 3 * 3 + 3 * 2 + 3, ("body-truncated",))


def test_of_very_many_texts_the_first_twenty_are_read() -> None:
    """Attack catalogue mime/parts-100k: each part costs a question to Bridge."""
    parts = tuple(plain(str(number)) for number in range(1, 31))
    found = read(several("mixed", *parts), {str(number): b"x" for number in range(1, 21)})
    assert found.text == "\n\n".join("x" * MAX_TEXT_PARTS)
    assert found.warnings == ("structure-truncated",)


def test_two_texts_are_the_same_by_their_letters_and_digits() -> None:
    """Product page 4: normalised word comparison."""
    assert essence("> *Caf\xe9* [image: logo]  <https://x.example/1> \u2013 OK_2") == "caf\xe9ok2"


PIECES = [
    "a",
    "B",
    "1",
    " ",
    ".",
    "_",
    "\n",
    "http://x",
    "HTTP\u017f://y",
    "WWW.z",
    "ma\u0131lto:",
    "[image: x]",
    "[",
    "]",
    "\xe9",
    "\xb2",
    "\u3000",
    "\ud800",
]


@given(st.lists(st.sampled_from(PIECES), max_size=10).map("".join) | st.text(max_size=20))
def test_an_essence_is_what_the_patterns_leave(text: str) -> None:
    """What of ASCII is no letter and no digit goes without a pattern; what can't be an address or a picture is not looked for."""
    without = sameness._PICTURE.sub(" ", sameness._URL.sub(" ", text))
    assert essence(text) == re.sub(r"[\W_]+", "", without).casefold()


def test_html_without_a_declared_charset_is_read_in_its_own() -> None:
    """What the mail declares wins, and so does UTF-8; else what stands in the HTML."""
    octets = b'<meta charset="koi8-r"><p>\xf0\xd2'
    assert read(html("1"), {"1": octets}).text == "\u041f\u0440"
    assert read(Part("1", "text/html", {"charset": b"iso-8859-1"}, size=1), {"1": octets}).text == "\xf0\xd2"
    assert read(html("1"), {"1": b'<meta charset="koi8-r"><p>\xc3\xa9'}).text == "\xe9"
