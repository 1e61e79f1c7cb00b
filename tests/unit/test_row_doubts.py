"""What a row tells of addresses that Bridge made something of: marks that it leaves are told, and ordinary mail has none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bench.letters import letter
from fakebridge.message.envelope import envelope
from proton_safe.imap import items, responses
from proton_safe.imap.index import IndexEntry
from proton_safe.tools.message_rows import message_row

if TYPE_CHECKING:
    from proton_safe.tools.rows import MessageRow


def _row(octets: bytes) -> MessageRow:
    """The row of a mail, out of the ENVELOPE that Bridge makes of it."""
    line = b'* 1 FETCH (UID 1 FLAGS () INTERNALDATE "03-Nov-2026 10:11:12 +0000" RFC822.SIZE 10 ENVELOPE ' + envelope(octets) + b")"
    told = responses.read((line,)).values[0]
    return message_row(items.row(items.pairs(told)), 1, IndexEntry(1, 0, frozenset()))


def _mail(field: bytes) -> bytes:
    return field + b"Subject: s\r\nDate: Tue, 03 Nov 2026 10:11:12 +0100\r\nMessage-ID: <1@lake.example>\r\n\r\nx\r\n"


ADDRESS = ["address-unreadable"]


@pytest.mark.parametrize(
    "spoiled, warnings",
    [
        (b"Ada <ada@lake.example:25>", ADDRESS),
        (b"ada@lake.example%evil.example", ADDRESS),
        (b"ada@lake.", ADDRESS),
        (b'"a<b"@lake.example', ADDRESS),
        (b'"a\x01b"@lake.example', ADDRESS),
        (b'"a\xff"@lake.example', ADDRESS),
        (b"eve@evil.example <ada@lake.example>", ADDRESS),
        ('"ada\uff20evil.example" <ada@lake.example>'.encode(), ADDRESS),
        (b"ada@lake.example, <>", ADDRESS),
        (b"=?utf-8?q?=FF=FE_Lake?= <ada@lake.example>", ["header-raw-8bit"]),
        (b'"=?x-nowhere?q?Lake?=" <ada@lake.example>', ["charset-unknown"]),
        (b'"=?utf-8?q?Lake" <ada@lake.example>', ["encoded-word-damaged"]),
    ],
)
@pytest.mark.parametrize("before", [b"From: ", b"From: ada@lake.example\r\nTo: "], ids=["from", "to"])
def test_what_an_envelope_shows_of_a_spoiled_address_is_told(before: bytes, spoiled: bytes, warnings: list[str]) -> None:
    """A row has no header to look at; nobody but the reader of the row can decide what it is worth."""
    assert _row(_mail(before + spoiled + b"\r\n")).parse_warnings == warnings


@pytest.mark.parametrize("from_", [b"", b"From: undisclosed:;\r\n", b"From:\r\n"], ids=["absent", "group", "empty"])
def test_a_mail_without_a_sender_is_told(from_: bytes) -> None:
    """RFC 5322 3.6.2: every mail has one."""
    assert _row(_mail(from_)).parse_warnings == ADDRESS


@pytest.mark.parametrize(
    "sound",
    [
        b"root@localhost",
        b"Ada <ada@[127.0.0.1]>",
        b"Ada <bounce+ada=keller.example@lake.example>",
        b"Ada <ada@xn--pfel-koa.example>",
        "J\u00f8ran <j\u00f8ran@\u00e4pfel.example>".encode(),
        b"=?utf-8?q?Bj=C3=B6rn_=E2=9C=93?= <bjorn@lake.example>",
        b'"Ada (via Lake)?" <ada@lake.example>',
        b'"ADA@LAKE.example" <ada@lake.example>',
        b"\"O'Brien, Ada; 'A'\" <ada_k@under_score.example>",
        b'"@ada" <ada@lake.example>',
        b"Ada <ada@lake.example>, Ben <ben@lake.example>",
    ],
)
@pytest.mark.parametrize("before", [b"From: ", b"From: ada@lake.example\r\nTo: "], ids=["from", "to"])
def test_what_is_merely_unusual_has_no_warning(before: bytes, sound: bytes) -> None:
    """A warning that stands on ordinary mails is read by nobody."""
    assert _row(_mail(before + sound + b"\r\n")).parse_warnings == []


@pytest.mark.parametrize("to", [b"", b"To: undisclosed-recipients:;\r\n", b"To:\r\n"])
def test_a_mail_need_not_say_whom_it_is_for(to: bytes) -> None:
    """RFC 5322 3.6: To is optional, and hidden copies have none."""
    assert _row(_mail(b"From: ada@lake.example\r\n" + to)).parse_warnings == []


def test_ordinary_letters_have_no_warnings() -> None:
    """The letters of the measured mailboxes: encoded names and subjects, several recipients."""
    assert [number for number in range(1_000) if _row(letter(number)).parse_warnings] == []
