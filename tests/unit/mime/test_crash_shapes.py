"""Header values at which readers break, and random ones made of the same pieces: ours gives a value for each."""

from __future__ import annotations

from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proton_safe.mime import addresses, confusables, dates, headers, list_headers, message_ids, sender, words
from proton_safe.mime.headers import Headers
from tests.unit.mime.counted_calls import growth

# At most of them the standard library's reader (policy default, 3.11) raises, each at another place; the others cost it too much.
SHAPES: Final[list[tuple[str, str]]] = [
    ("From", ".@["),
    ("To", ":;("),
    ("Reply-To", ".:"),
    ("Reply-To", "1.:"),
    ("Cc", ", :"),
    ("From", "<"),
    ("From", "=@"),
    ("To", "?=<@?=:"),
    ("Message-ID", "<"),
    ("Message-ID", "<("),
    ("Reply-To", "<@ 1,\t"),
    ("From", '"'),
    ("Reply-To", ", .,"),
    ("Reply-To", "\\@[ "),
    ("From", "=?utf-8?q?=0A"),
    ("From", "=?utf-8?q?support=40bank.example=0A?=@evil.example"),
    ("To", "(" * 500 + ")" * 500 + " a@b.example"),
    ("From", "a:" * 2_000),
    ("Message-ID", "<>"),
    ("Message-ID", "<a@[x>"),
    ("Date", "Fri, 31 Dec 9999 23:59:59 -0001"),
    ("Date", "Thu, 01 Jan 1970 00:00:00 +999999999"),
    ("Date", "Mon, 32 Foo 2026 99:99:99 +0000"),
    ("Subject", "=?utf-16?b?2D0?= =?unicode_escape?q?=5Cud83d?="),
    ("Subject", "=?utf-8?q?a?= " * 5_000),
    ("Subject", "A " * 50_000),
]
FIELDS: Final = ("From", "To", "Cc", "Reply-To", "Sender", "Subject", "Date", "Message-ID", "Precedence", "Auto-Submitted")
PIECES: Final = [
    *('"', "<", ">", ",", ";", ":", "@", "(", ")", "[", "]", "\\", " ", "\t", "a", ".", "1", "+", "=", "b.example", "\0", "\x1b", "\xe9"),
    *("=?utf-8?q?", "=?utf-8?b?", "=?x?q?", "?=", "=0A", "=00", "=C3", "wqk", "\r\n ", "\n", "\r", "Jan", "12:00", "2026", "-0500", "xn--"),
    *("\u202e", "\u200b", "\u043e", "\ufeff"),
]


def read(block: bytes) -> Headers:
    """Everything that the tools read out of a header block; each text can be written as UTF-8, each set is closed by its type."""
    found = headers.split(block)
    lists = {name: addresses.parse(found.first(name)) for name in ("from", "to", "cc", "reply-to", "sender")}
    look = sender.look_at(lists["from"], lists["reply-to"], sender=lists["sender"], own_domains=("keller.example",))
    date, identifier = dates.parse(found.first("date")), message_ids.shown(found.first("message-id"))
    texts = [words.decode(field.value).text for field in found.fields] + [date.text, identifier.text]
    texts += [text for listed in lists.values() for each in listed.addresses for text in (each.name, each.address)]
    texts += [text for domain in look.domains for text in (domain.ascii, domain.unicode)]
    "".join(texts).encode("utf-8")
    for listed in lists.values():
        assert len(listed.addresses) <= min(listed.count, addresses.MAX_ADDRESSES)
        assert all(each.name or each.address for each in listed.addresses)
    assert identifier.text == message_ids.usable(identifier.text.encode())
    assert date.iso is None or "T" in date.iso
    confusables.skeleton(texts[0] if texts else "")
    list_headers.is_list(found)
    list_headers.is_automatic(found)
    return found


@pytest.mark.parametrize("name, value", SHAPES, ids=[f"{name}-{number}" for number, (name, _) in enumerate(SHAPES)])
def test_a_value_that_breaks_other_readers_is_read(name: str, value: str) -> None:
    """Peer faults A1 and B4; attack catalogue header/structured-crashers."""
    found = read(f"{name}: {value}\r\nX-Behind: intact\r\n\r\n".encode())
    assert found.first("x-behind") == b"intact"


@given(st.lists(st.tuples(st.sampled_from(FIELDS), st.lists(st.sampled_from(PIECES), max_size=12).map("".join)), max_size=8))
def test_any_header_made_of_their_pieces_is_read(fields: list[tuple[str, str]]) -> None:
    """Peer faults A1 and B4: no header value may raise (product page 4)."""
    read("".join(f"{name}: {value}\r\n" for name, value in fields).encode())


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join), st.sampled_from(["From", "Subject", "Date", "Message-ID"]))
def test_a_fields_value_stays_in_its_field(value: str, name: str) -> None:
    """Whatever one value holds but line ends, its neighbours are read as they are."""
    one_line = value.replace("\r\n ", " ").replace("\n", " ").replace("\r", " ")
    found = read(f"To: ada@keller.example\r\n{name}: {one_line}\r\nCc: ben@okafor.example\r\n\r\n".encode())
    assert [field.name for field in found.fields] == ["to", name.lower(), "cc"]
    assert found.first("cc") == b"ben@okafor.example"


@pytest.mark.parametrize("piece", ["=?utf-8?q?a?= ", "=?", "A ", "a@b.example, ", "(", '"', "a:", "<", "1 Jan 2026 12:00 ", "\\"])
@pytest.mark.parametrize("name", ["From", "Subject", "Date", "Message-ID"])
def test_the_cost_of_a_field_has_a_ceiling(name: str, piece: str) -> None:
    """Attack catalogue 0.5: a field is cut before it is decoded, so eight times as much costs the same once it is beyond 8 KiB."""

    def work(times: int) -> None:
        read(f"{name}: {piece * times}\r\n".encode())

    assert growth(work, small=9_000, large=72_000) < 1.2
