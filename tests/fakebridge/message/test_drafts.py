"""What becomes of an appended draft: body, attachments, recipients, refusals."""

import re

import pytest

from fakebridge.message.accountserver import AccountServer, keep_draft, keep_sent
from fakebridge.message.addresses import Address
from fakebridge.message.build import build
from fakebridge.message.draft import AppendRefused, draft_from, recipients
from fakebridge.message.stored import Disposition, Origin

_ADA = Address("Ada Example", "ada@proton.local")
_HEAD = b"To: b@x\r\nSubject: s\r\nMIME-Version: 1.0\r\n"


def _mixed(*parts: bytes, kind: bytes = b"mixed", closing: bytes = b"--x--\r\n") -> bytes:
    return (
        _HEAD + b"Content-Type: multipart/%b; boundary=x\r\n\r\n" % kind + b"".join(b"--x\r\n" + part + b"\r\n" for part in parts) + closing
    )


def _part(kind: bytes, body: bytes, *lines: bytes) -> bytes:
    return b"Content-Type: " + kind + b"\r\n" + b"".join(line + b"\r\n" for line in lines) + b"\r\n" + body


_PLAIN = _part(b"text/plain", b"plain")
_HTML = _part(b"text/html", b"<p>html</p>")
_UNREAD = "failed to create draft: failed to parse message: "
_IMAGE = _part(b"image/png", b"AAEC", b"Content-Disposition: inline; filename=i.png", b"Content-Transfer-Encoding: base64")


@pytest.mark.parametrize(
    "literal,body,mime_type",
    [
        (_mixed(_PLAIN, _HTML, kind=b"alternative"), b"<p>html</p>", "text/html"),
        (_mixed(_HTML, _PLAIN, kind=b"alternative"), b"<p>html</p>", "text/html"),
        (_mixed(_PLAIN, _PLAIN), b"plainplain", "text/plain"),
        (_mixed(_PLAIN, _HTML), b"plain<p>html</p>", "text/html"),
        (
            _mixed(_PLAIN, _part(b"multipart/related; boundary=y", b"--y\r\n" + _HTML + b"\r\n--y--"), kind=b"alternative"),
            b"<p>html</p>",
            "text/html",
        ),
        (_mixed(_part(b"text/plain", b"file", b"Content-Disposition: attachment")), b"", "text/plain"),
        (_HEAD + b"\r\nbare", b"bare", "text/plain"),
        (_HEAD + b"Content-Type: text/plain; charset=iso-8859-1\r\n\r\n\xe9", "é".encode(), "text/plain"),
        (_HEAD + b"\r\n\xe9", "é".encode(), "text/plain"),
        (_HEAD + b"Content-Type: text/plain; charset=nonsense\r\n\r\n\xe9", "é".encode(), "text/plain"),
        (_HEAD + b"Content-Type: text/plain; charset=utf-8; charset=UTF-8\r\n\r\nx", b"x", "text/plain"),
        (_HEAD + b'Content-Type: text/html\r\n\r\n<meta charset="latin1">', b'<meta charset="UTF-8">', "text/html"),
        (_HEAD + b"\r\nends here\r\n.\r\n", b"ends here", "text/plain"),
    ],
)
def test_one_body_is_chosen_in_utf8(literal: bytes, body: bytes, mime_type: str) -> None:
    """bridge-behaviour 5.2, 8.1; dialogues 21, 43: HTML before plain, parts joined with nothing between."""
    content = draft_from(literal)
    assert (content.body, content.mime_type) == (body, mime_type)


def test_attachments_are_leaves_that_are_no_text_and_what_says_so_and_calendars() -> None:
    """bridge-behaviour 5.2; dialogues 21, 23, 43: names, types, dispositions, Content-IDs."""
    literal = _mixed(
        _PLAIN,
        _part(b"application/pdf; name=a.pdf", b"x"),
        _part(b"text/csv", b"a,b", b'Content-Disposition: attachment; filename="=?utf-8?q?=C3=A9?=.csv"'),
        _part(b"text/calendar", b"BEGIN:VCALENDAR"),
        _part(b"message/rfc822", b"Subject: s\r\n\r\nb"),
        _part(b"application/x-odd", b"x", b"Content-Id: <o@x>"),
        _part(
            b"image/png; name=i.png", b"AAEC", b"Content-Disposition: inline", b"Content-Id: <i@x>", b"Content-Transfer-Encoding: base64"
        ),
        _part(b"image/jpeg", b"x", b"Content-Disposition: attachment", b"Content-Id: <not@used>"),
    )
    found = [(item.name, item.media_type.kind, item.disposition, item.content_id, item.data) for item in draft_from(literal).attachments]
    assert found == [
        ("a.pdf", "application/pdf", "", "", b"x"),
        ("é.csv", "text/csv", "attachment", "", b"a,b"),
        ("attachment.ics", "text/calendar", "", "", b"BEGIN:VCALENDAR"),
        ("message.eml", "message/rfc822", "", "", b"Subject: s\r\n\r\nb"),
        ("attachment.bin", "application/x-odd", "", "o@x", b"x"),
        ("i.png", "image/png", "inline", "i@x", b"\0\1\2"),
        ("attachment.jpe", "image/jpeg", "attachment", "", b"x"),
    ]
    stored = keep_draft(draft_from(literal), sender=_ADA, internal_id="id", time=1, server=AccountServer.PROTON)
    assert [item.disposition for item in stored.attachments].count(Disposition.INLINE) == 1
    sent = keep_sent(draft_from(literal), sender=_ADA, internal_id="id", time=1, server=AccountServer.PROTON, in_reply_to="<p@x>")
    assert [item.disposition for item in sent.attachments].count(Disposition.INLINE) == 2
    assert [name for name, _ in sent.headers][-3:] == ["References", "In-Reply-To", "Date"]
    assert b"Content-Id: <i@x>\r\n" in build(stored)


def test_the_simulated_server_sorts_attachments_and_forgets_content_ids() -> None:
    """An artefact of the recordings (dialogues 21, 43): by Content-ID, then by name, the last of equal names stays."""
    literal = _mixed(
        _part(b"a/b; name=z", b"1"),
        _part(b"a/b; name=a", b"2"),
        _part(b"a/b; name=a", b"3"),
        _part(b"a/b; name=c", b"4", b"Content-Id: <c@x>"),
    )
    stored = keep_draft(draft_from(literal), sender=_ADA, internal_id="id", time=9, server=AccountServer.SIMULATED)
    assert [(item.name, item.data, item.headers) for item in stored.attachments] == [("c", b"4", ()), ("a", b"3", ()), ("z", b"1", ())]
    assert (stored.time, stored.origin) == (0, Origin.DRAFT)


def test_inline_images_without_an_id_are_shown_in_html() -> None:
    """bridge-behaviour 5.2: text, image, text becomes HTML; equal literals give equal ids."""
    literal = _mixed(_part(b"text/plain", b"one\r\ntwo"), _IMAGE, _part(b"text/plain", b"three"), _PLAIN)
    content = draft_from(literal)
    (image,) = content.attachments
    assert re.fullmatch(r"[0-9a-f-]{36}", image.content_id)
    assert content.mime_type == "text/html"
    assert content.body == (
        b'<html><body><p>one<br/>\r\ntwo</p><img src="cid:' + image.content_id.encode() + b'"/></body></html>'
        b"<html><body><p>three</p></body></html><html><body><p>plain</p></body></html>"
    )
    assert draft_from(literal) == content


def test_an_inline_image_with_no_text_before_it_gets_a_page_of_its_own() -> None:
    """bridge-behaviour 5.2: the image is shown where it stands."""
    content = draft_from(_mixed(_IMAGE, _HTML))
    (image,) = content.attachments
    assert content.body == b'<html><body><img src="cid:' + image.content_id.encode() + b'"/></body></html><p>html</p>'


@pytest.mark.parametrize("kind", [b"image/png", b"application/pdf"])
def test_an_image_that_is_not_inline_changes_nothing(kind: bytes) -> None:
    """bridge-behaviour 5.2: only inline images without an id are patched in."""
    content = draft_from(_mixed(_PLAIN, _part(kind, b"x")))
    assert (content.body, content.mime_type) == (b"plain", "text/plain")


def test_the_last_of_equal_fields_counts_and_references_are_taken_apart() -> None:
    """bridge-behaviour 5.2, 7.3; dialogue 43: two To fields; brackets are removed from ids."""
    literal = (
        b"From: Somebody <A@x>\r\nFrom: broken\r\nTo: one@x\r\nTo: two@x\r\nReply-To: r@x\r\nMessage-ID: <Mixed@Case>\r\n"
        b"References: <a@x> <b@x>,<c@x>\r\nIn-Reply-To: <p@x>\r\nX-Forwarded-Message-Id: <f@x>\r\n"
        b"Subject: one\r\nSubject: =?utf-8?q?tw=C3=B6?=\r\n\r\n"
    )
    content = draft_from(literal)
    assert (content.to, content.reply_to) == ((Address("", "two@x"),), (Address("", "r@x"),))
    assert (content.subject, content.external_id, content.in_reply_to, content.forwarded_id) == ("twö", "Mixed@Case", "p@x", "f@x")
    assert content.references == ("a@x", "b@x", "c@x")
    assert (content.sender, content.wanted_sender) == (Address("Somebody", "A@x"), "A@x")


@pytest.mark.parametrize(
    "lines,wanted",
    [
        (b"From: x\r\n", ""),
        (b"From:\r\nSender: <s@x>\r\n", "s@x"),
        (b"Sender: s@x\r\n", "s@x"),
        (b"", ""),
        (b"From: <a@x>, <b@x>\r\n", "a@x"),
    ],
)
def test_the_sender_that_is_wanted_is_the_first_of_from_or_else_sender(lines: bytes, wanted: str) -> None:
    """bridge-behaviour 5.3; dialogue 22: never a refusal."""
    assert draft_from(lines + b"Subject: s\r\n\r\nx").wanted_sender == wanted


def test_recipients_are_those_of_the_first_field_of_each_name() -> None:
    """bridge-behaviour 5.5: To, Cc and Bcc of the literal, compared with the envelope of what was sent."""
    assert recipients(b"Bcc: c@x\r\nTo: a@x, G: b@x;\r\nTo: z@x\r\nCc: d@x\r\n\r\n") == ("a@x", "b@x", "d@x", "c@x")


@pytest.mark.parametrize(
    "literal,text",
    [
        (
            b"Cc: bob\r\n\r\n",
            "failed to retrieve addresses from literal:failed to parse addresses for 'Cc': [Error offset=7]: expected ':' for group start",
        ),
        (b"To : a@x\r\n\r\n", "failed to retrieve addresses from literal:header key contains invalid characters"),
        (b"no line end", "failed to retrieve addresses from literal:invalid header key"),
    ],
)
def test_unreadable_recipients_refuse_any_append(literal: bytes, text: str) -> None:
    """bridge-behaviour 5.2, 5.4; dialogue 23."""
    with pytest.raises(AppendRefused) as refused:
        recipients(literal)
    assert refused.value.text == text


@pytest.mark.parametrize(
    "literal,text",
    [
        (b"just text\r\n", "failed to parse literal: message: malformed MIME header line: just text\r\n"),
        (b"a\r\n b\r\n\r\n", "failed to parse literal: message: malformed MIME header line: a\r\n b\r\n"),
        (b" lead\r\n\r\n", "failed to parse literal: message: malformed MIME header initial line:  lead"),
        (b"b\xc3\xa9d: x\r\n\r\n", "failed to parse literal: message: malformed MIME header key: béd"),
        (b"a\r\n b: x\r\n\r\n", "failed to parse literal: message: malformed MIME header key: a\r\n b"),
        (_HEAD + b"Content-Type: multipart/mixed\r\n\r\nx", "failed to parse literal: multipart: boundary is empty"),
        (_mixed(_PLAIN, closing=b""), "failed to parse literal: unexpected EOF"),
        (_HEAD + b"Content-Type: multipart/mixed; boundary=x\r\n\r\nno boundary", "failed to parse literal: multipart: NextPart: EOF"),
        (
            _HEAD + b"Content-Type: multipart/mixed; boundary=x\r\n\r\n" + b"w" * 5000,
            "failed to parse literal: multipart: NextPart: bufio: buffer full",
        ),
        (_mixed(b"Content-Type: text/plain"), "failed to parse literal: message: malformed MIME header line: --x--\r\n"),
        (_mixed(_PLAIN + b"\r\n--x-y"), 'failed to parse literal: multipart: expecting a new Part; got line "--x-y\\r\\n"'),
        (_mixed(_part(b"multipart/mixed; boundary=y", b"--y\r\n" + _PLAIN)), "failed to parse literal: unexpected EOF"),
        (
            _mixed(_part(b"a/b", b"x", b"Content-Transfer-Encoding: x-odd")),
            'failed to parse literal: encoding error: unhandled encoding "x-odd"',
        ),
        (_mixed(_part(b"a/b", b"=", b"Content-Transfer-Encoding: base64")), "failed to parse literal: illegal base64 data at input byte 0"),
        (
            _HEAD + b"Content-Transfer-Encoding: x-odd\r\n\r\nx",
            _UNREAD + 'failed to build mime body: failed to write message: unhandled encoding "x-odd"',
        ),
        (
            _mixed(_PLAIN, _part(b"/", b"x")),
            _UNREAD + "patching inline images failed: failed to get content type for for child 1:mime: no media type",
        ),
        (
            _mixed(_PLAIN, _part(b"image/png", b"x", b"Content-Disposition: /")),
            (
                "failed to create draft: failed to parse message: patching inline images failed: "
                "failed to get content disposition for child 1:mime: no media type"
            ),
        ),
        (
            _HEAD + b"Content-Type: /\r\n\r\nx",
            "failed to create draft: failed to parse message: failed to collect attachments: mime: no media type",
        ),
    ],
)
def test_a_draft_that_cannot_be_read_is_refused_with_its_text(literal: bytes, text: str) -> None:
    """bridge-behaviour 5.4, 8.1; dialogue 23."""
    with pytest.raises(AppendRefused) as refused:
        draft_from(literal)
    assert refused.value.text == text


def test_a_body_without_line_ends_of_crlf_is_read_too() -> None:
    """The reader follows the line ends of the first boundary."""
    content = draft_from(_mixed(_PLAIN, _HTML).replace(b"\r\n", b"\n"))
    assert content.body == b"plain<p>html</p>"


def test_octets_that_are_no_text_come_back_as_replacement_characters() -> None:
    """What passes through the service's JSON is UTF-8."""
    content = draft_from(b"To: \xff <a@x>\r\nSubject: \xe9\r\n\r\nx")
    stored = keep_draft(content, sender=_ADA, internal_id="id", time=1, server=AccountServer.PROTON)
    assert (stored.subject, stored.to) == ("\ufffd", (Address("\ufffd", "a@x"),))
