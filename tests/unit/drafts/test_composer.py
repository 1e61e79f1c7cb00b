"""The composed message, read by an independent parser: it says exactly what was confirmed."""

from __future__ import annotations

import email
import email.header
import hashlib
import quopri
from email.message import Message
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proton_safe.drafts import composer
from proton_safe.drafts.composer import ReplyHeaders, compose, date_text, largest_size, text_part
from proton_safe.drafts.confirmed import ConfirmedDraft, Parent
from proton_safe.drafts.encodings import base64_lines, base64_size, filename_parameter, header_field, list_field, quoted_printable
from proton_safe.drafts.proof import ComposedWrongly, prove
from proton_safe.drafts.twin import text_of_twin
from proton_safe.staging.upload import StagedFile
from tests.unit.drafts.texts import BODIES, SUBJECTS

_ID: Final = "<0123456789@harbour.example>"
_REPLY: Final = ReplyHeaders("<parent@x.example>", ("<root@x.example>", "<parent@x.example>"))
_ADDRESSES: Final = st.lists(st.from_regex(r"[a-z]{1,60}@[a-z]{1,60}\.example", fullmatch=True), max_size=8).map(tuple)
_FILES: Final = st.lists(
    st.builds(
        lambda name, octets: StagedFile(name, "application/pdf", hashlib.sha256(octets).hexdigest(), octets),
        st.sampled_from(["a.pdf", "two words.pdf", "r\u00e9sum\u00e9.pdf", "\u65e5\u672c\u8a9e " * 8 + ".pdf", "it's (1) 100%.pdf"]),
        st.binary(min_size=1, max_size=400),
    ),
    max_size=3,
).map(tuple)
_DRAFTS: Final = st.builds(
    ConfirmedDraft, st.just("ada@harbour.example"), _ADDRESSES.filter(bool), _ADDRESSES, _ADDRESSES, SUBJECTS, BODIES.filter(bool), _FILES
)


def _payloads(message: Message) -> list[Message]:
    """The parts of a multipart."""
    payload = message.get_payload()
    assert isinstance(payload, list)
    return [part for part in payload if isinstance(part, Message)]


def _parts(message: Message) -> tuple[Message, list[Message]]:
    """The multipart/alternative and the attachments."""
    parts = _payloads(message)
    return (parts[0], parts[1:]) if message.get_content_type() == "multipart/mixed" else (message, [])


def _decoded(part: Message) -> bytes:
    payload = part.get_payload(decode=True)
    assert isinstance(payload, bytes)
    return payload


def _addresses(message: Message, name: str) -> tuple[str, ...]:
    return tuple(each.strip() for each in str(message[name] or "").replace("\r\n", "").split(",") if each.strip())


@settings(deadline=None)
@given(_DRAFTS, st.sampled_from([None, _REPLY]))
def test_an_independent_parser_reads_what_was_confirmed(draft: ConfirmedDraft, reply: ReplyHeaders | None) -> None:
    """Attack catalogue 16, golden check: every header, recipient, body and attachment, and no other header."""
    octets = compose(draft, text_part(draft), message_id=_ID, when=0, reply=reply)
    prove(octets, draft, message_id=_ID)
    message = email.message_from_bytes(octets)
    allowed = ["Date", "From", "To", "Cc", "Bcc", "Subject", "Message-ID", "In-Reply-To", "References", "MIME-Version", "Content-Type"]
    present = {"Cc": draft.cc, "Bcc": draft.bcc, "In-Reply-To": reply, "References": reply}
    assert sorted(message.keys()) == sorted(name for name in allowed if present.get(name, True))
    assert (_addresses(message, "From"), _addresses(message, "To")) == ((draft.sender,), draft.to)
    assert (_addresses(message, "Cc"), _addresses(message, "Bcc")) == (draft.cc, draft.bcc)
    subject = email.header.make_header(email.header.decode_header(str(message["Subject"]).replace("\r\n", "")))
    assert str(subject) == draft.subject
    assert str(message["References"] or "").split() == list(reply.references if reply else ())
    alternative, files = _parts(message)
    plain, html = _payloads(alternative)
    assert _decoded(plain).decode().replace("\r\n", "\n") == draft.body
    assert text_of_twin(_decoded(html).decode()) == draft.body
    assert [(part.get_filename(), part.get_content_type(), _decoded(part)) for part in files] == [
        (file.filename, file.content_type, file.octets) for file in draft.files
    ]


@settings(deadline=None)
@given(_DRAFTS)
def test_the_octets_are_plain_lines_and_no_line_looks_like_something_else(draft: ConfirmedDraft) -> None:
    """Attack catalogue, draft/literal-8bit: seven bits, CR LF only; bridge behaviour 4.1: no line begins with From."""
    octets = compose(draft, text_part(draft), message_id=_ID, when=0, reply=_REPLY)
    assert octets.isascii()
    assert not set(octets.replace(b"\r\n", b"")) & {10, 13}
    lines = octets.split(b"\r\n")
    assert not [line for line in lines if line.startswith((b"From ", b">From ", b"."))]
    assert max(len(line) for line in lines if b"filename*=" not in line) <= 78
    assert max(map(len, lines)) <= 998
    assert len(octets) <= largest_size(draft, text_part(draft))
    assert octets == compose(draft, text_part(draft), message_id=_ID, when=0, reply=_REPLY)


@given(BODIES.map(lambda text: text.replace("\n", "\r\n")))
def test_quoted_printable_comes_back_and_its_lines_are_harmless(text: str) -> None:
    """RFC 2045 6.7."""
    encoded = quoted_printable(text)
    assert quopri.decodestring(encoded).decode() == text
    for line in encoded.split(b"\r\n"):
        assert len(line) <= 76
        assert not line.startswith((b"From ", b">From ", b"--", b"."))
        assert not line.endswith((b" ", b"\t"))


@given(st.binary(max_size=2_000))
def test_the_size_of_base64_is_known_before_it_is_made(octets: bytes) -> None:
    """Product page 6: the limit counts the encoded message."""
    assert base64_size(len(octets)) == len(base64_lines(octets))


def test_header_fields_are_plain_where_plain_is_safe() -> None:
    """RFC 2047 5: what looks like an encoded word is encoded, so that it stays literal."""
    assert header_field("Subject", "Plain words") == "Subject: Plain words"
    assert header_field("Subject", "") == "Subject:"
    assert header_field("Subject", "=?utf-8?q?x?=") == "Subject: =?utf-8?b?PT91dGYtOD9xP3g/PQ==?="
    assert header_field("Subject", "two  blanks") == "Subject: =?utf-8?q?two__blanks?="
    assert header_field("Subject", "\u65e5\u672c") == "Subject: =?utf-8?b?5pel5pys?="
    assert list_field("To", ("a@b.example",) * 8).count("\r\n ") == 1
    assert filename_parameter("a b.pdf") == 'filename="a b.pdf"'
    assert filename_parameter("\u00e9 1.pdf") == "filename*=utf-8''%C3%A9%201.pdf"


def test_a_date_does_not_depend_on_the_locale() -> None:
    """RFC 5322 3.3."""
    assert date_text(1_700_000_000.9) == "Tue, 14 Nov 2023 22:13:20 +0000"


@pytest.mark.parametrize(
    "spoil",
    [
        lambda octets: octets.replace(b"Subject: Plain", b"Subject: Other"),
        lambda octets: octets.replace(b"Cc:", b"Bcc: x@y.example\r\nCc:"),
        lambda octets: octets.replace(b"MIME-Version", b"X-More: 1\r\nMIME-Version"),
        lambda octets: octets.replace(b"ada@", b"eve@"),
        lambda octets: octets.replace(b"\r\n", b"\n"),
        lambda octets: octets.replace(b"<div>text</div>", b"<div>next</div>"),
        lambda octets: octets.replace(b"text\r\n--", b"next\r\n--", 1),
        lambda octets: octets + "\u00e9".encode(),
        lambda octets: octets + b"\r\nFrom here",
        lambda octets: octets.replace(b"0123456789@", b"9@"),
    ],
)
def test_a_message_that_says_anything_else_is_not_stored(spoil: object) -> None:
    """The round trip is checked before APPEND; a difference is a fault of ours."""
    draft = ConfirmedDraft("ada@harbour.example", ("b@c.example",), ("d@e.example",), (), "Plain", "text")
    octets = compose(draft, text_part(draft), message_id=_ID, when=0, reply=None)
    prove(octets, draft, message_id=_ID)
    assert callable(spoil)
    spoilt = spoil(octets)
    assert spoilt != octets
    with pytest.raises(ComposedWrongly):
        prove(spoilt, draft, message_id=_ID)


def test_every_part_of_the_draft_is_in_its_digest() -> None:
    """Product page 6 and 7: one canonical encoding with domain separation."""
    file = StagedFile("a.pdf", "application/pdf", "0" * 64, b"x")
    base = ConfirmedDraft("a@x.example", ("b@x.example",), (), (), "s", "body", (file,), Parent("INBOX", 1, "<p@x>"))
    others = [
        ConfirmedDraft("b@x.example", base.to, (), (), "s", "body", (file,), base.parent),
        ConfirmedDraft(base.sender, ("c@x.example",), (), (), "s", "body", (file,), base.parent),
        ConfirmedDraft(base.sender, (), base.to, (), "s", "body", (file,), base.parent),
        ConfirmedDraft(base.sender, (), (), base.to, "s", "body", (file,), base.parent),
        ConfirmedDraft(base.sender, base.to, (), (), "t", "body", (file,), base.parent),
        ConfirmedDraft(base.sender, base.to, (), (), "s", "Body", (file,), base.parent),
        ConfirmedDraft(base.sender, base.to, (), (), "s", "body", (), base.parent),
        ConfirmedDraft(
            base.sender, base.to, (), (), "s", "body", (StagedFile("b.pdf", file.content_type, file.sha256, b"x"),), base.parent
        ),
        ConfirmedDraft(base.sender, base.to, (), (), "s", "body", (StagedFile("a.pdf", "text/plain", file.sha256, b"x"),), base.parent),
        ConfirmedDraft(base.sender, base.to, (), (), "s", "body", (StagedFile("a.pdf", file.content_type, "1" * 64, b"x"),), base.parent),
        ConfirmedDraft(base.sender, base.to, (), (), "s", "body", (file,), None),
        ConfirmedDraft(base.sender, base.to, (), (), "s", "body", (file,), Parent("INBOX", 2, "<p@x>")),
        ConfirmedDraft(base.sender, base.to, (), (), "s", "body", (file,), Parent("INBOX", 1, "<q@x>")),
    ]
    assert len({base.digest(), *(other.digest() for other in others)}) == 1 + len(others)
    assert composer.TOO_LARGE_OCTETS == 30 * 1024 * 1024
