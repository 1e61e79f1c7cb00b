"""What is fetched of a message's texts: no more than is needed, in as few questions as will do, and nothing twice."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

import pytest

from proton_safe.imap.items import MessageItems
from proton_safe.mime import headers
from proton_safe.mime.long_text import LARGEST_PIECE_OCTETS, PIECE_OCTETS
from proton_safe.mime.structure import Part, Tree
from proton_safe.refusals import Code, Refusal
from proton_safe.tools import message_texts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from proton_safe.imap.mailbox import Mailbox

TEXT_HEADER = b"Content-Type: text/plain; charset=utf-8\r\n\r\n"
NOTHING = headers.split(b"")


class Served:
    """A mailbox of one message, which writes down what is asked of it."""

    def __init__(self, sections: Mapping[str, bytes]) -> None:
        self._sections = sections
        self.asked: list[tuple[str, int, int]] = []

    def section(self, _uid: int, part: str, start: int, length: int) -> bytes:
        """A range of a section."""
        self.asked.append((part, start, length))
        return self._sections[part][start : start + length]

    def sections(self, _uid: int, wanted: Mapping[str, int]) -> dict[str, bytes]:
        """The beginnings of several."""
        self.asked += [(part, 0, length) for part, length in wanted.items()]
        return {part: self._sections[part][:length] for part, length in wanted.items() if part in self._sections}

    def beginning(self, _uid: int, max_octets: int) -> bytes:
        """The message as it stands."""
        return self.section(1, "", 0, max_octets)

    @property
    def mailbox(self) -> Mailbox:
        """As what it stands in for."""
        return cast("Mailbox", self)


def text(section: str, size: int, **more: bytes) -> Part:
    """A text part."""
    return Part(section, "text/plain", {"charset": b"utf-8", **more}, size=size)


def fetched(served: Served, root: Part, *, offset: int = 0, max_chars: int = 500) -> message_texts.Texts:
    """The texts of a message."""
    return message_texts.fetch_texts(served.mailbox, 1, Tree(root), offset=offset, max_chars=max_chars)


def test_a_text_is_asked_for_with_one_octet_more_than_it_has() -> None:
    """So a structure that says too little shows."""
    served = Served({"1": b"a text"})
    assert (fetched(served, text("1", 6)).octets, served.asked) == ({"1": b"a text"}, [("1", 0, 7)])
    short = Served({"1": b"a text"})
    told = fetched(short, text("1", 3))
    assert (told.octets, told.warnings) == ({"1": b"a text"}, ("structure-mismatch",))
    assert fetched(Served({"1": b"a text"}), text("1", 9)).warnings == ("structure-mismatch",)


def test_texts_and_what_their_parts_say_come_in_one_question() -> None:
    """product.md 10: at most three round trips."""
    pdf = Part("2", "application/pdf", {"name": b"a.pdf"}, "base64", 9_999_999, "attachment", {"filename": b"a.pdf"})
    served = Served({"1": b"a text", "1.MIME": TEXT_HEADER})
    told = fetched(served, Part("", "multipart/mixed", {"boundary": b"b"}, children=(text("1", 6), pdf)))
    assert told.octets == {"1": b"a text"}
    assert served.asked == [("1", 0, 7), ("1.MIME", 0, message_texts.MAX_NAME_OCTETS)]


def test_what_is_not_there_is_missed_and_what_is_left_is_read() -> None:
    """Nothing at all is no empty text."""
    root = Part("", "multipart/mixed", {"boundary": b"b"}, children=(text("1", 6), text("2", 6)))
    told = fetched(Served({"1": b"a text", "1.MIME": TEXT_HEADER}), root)
    assert (told.octets, told.warnings) == ({"1": b"a text"}, ("structure-mismatch",))
    for served in (Served({}), Served({"1": b"%PDF-1", "1.MIME": b"Content-Type: application/pdf\r\n\r\n"})):
        with pytest.raises(Refusal) as raised:
            fetched(served, root)
        assert raised.value.code is Code.CONTENT_UNREADABLE


@pytest.mark.parametrize(
    "offset, pieces",
    [(0, [0]), (250_000, [0]), (300_000, [0, PIECE_OCTETS]), (1_200_000, [0, PIECE_OCTETS])],
)
def test_a_long_text_is_fetched_as_far_as_it_is_shown(offset: int, pieces: list[int]) -> None:
    """Peer fault A18: 500 characters of a mail of 24 MB."""
    served = Served({"1": b"x" * 24_000_000})
    told = fetched(served, text("1", 24_000_000), offset=offset)
    assert told.long is not None
    assert (told.long.text, told.warnings) == ("x" * 500, ())
    assert [start for _, start, _ in served.asked] == pieces


def test_a_long_text_that_shows_nothing_is_given_up() -> None:
    """However long it is, what is removed from it must not cost more than its budget."""
    served = Served({"1": b"=\r\n" * 8_000_000})
    told = fetched(served, replace(text("1", 24_000_000), encoding="quoted-printable"))
    assert told.long is not None
    assert (told.long.text, told.long.warnings, told.long.ended) == ("", ("body-truncated",), True)
    assert sum(length for _, _, length in served.asked) < 3 * LARGEST_PIECE_OCTETS


def test_a_long_text_ends_where_its_octets_end() -> None:
    """Whatever its structure says."""
    served = Served({"1": b"x" * 300_000})
    told = fetched(served, text("1", 9_000_000), offset=299_900)
    assert told.long is not None
    assert (told.long.text, told.long.ended, told.warnings) == ("x" * 100, True, ("structure-mismatch",))


def test_ordinary_mail_is_not_taken_apart() -> None:
    """Only a header or parts that Bridge did not find make it worth while."""
    served = Served({"": b"Subject: s\r\n\r\nthe text"})
    items = MessageItems(uid=1, size=24)
    head = headers.split(b"Subject: s\r\n\r\n")
    assert message_texts.reread(served.mailbox, 1, items, Tree(text("1", 8)), head) is None
    assert message_texts.overlooked(served.mailbox, 1, Tree(text("1", 8))) is None
    assert served.asked == []
    whole = message_texts.reread(served.mailbox, 1, items, Tree(text("1", 24)), NOTHING)
    assert whole is not None
    assert (whole.octets, whole.tree.warnings) == ({"1": b"the text"}, ("structure-mismatch",))


def test_the_header_of_a_mail_that_is_an_attached_message_is_its_own() -> None:
    """bridge-behaviour 3.5: BODY[HEADER] gives the inner one's."""
    served = Served({"": b"Subject: outer\r\nContent-Type: message/rfc822\r\n\r\nSubject: inner\r\n\r\n"})
    inner = headers.split(b"Subject: inner\r\n\r\n")
    assert message_texts.outer(served.mailbox, 1, Tree(Part("1", "message/rfc822", size=9)), inner).first("subject") == b"outer"
    assert message_texts.outer(served.mailbox, 1, Tree(text("1", 9)), inner).first("subject") == b"inner"
