"""Rules of the builder that no recording shows: dates, references, Reply-To, mbox lines, what a real account keeps."""

from dataclasses import replace

import pytest

from fakebridge.message.accountserver import AccountServer
from fakebridge.message.addresses import Address
from fakebridge.message.build import BuildOptions, build
from fakebridge.message.draft import AppendRefused
from fakebridge.message.hashing import HashRefused, message_hash
from fakebridge.message.imported import ImportRules, ImportTooLarge, import_from, prepared, received_from
from fakebridge.message.mbox import MboxError, strip_mbox_lines
from fakebridge.message.search import body_contains, fold, header_contains, sent_date, text_contains
from fakebridge.message.stored import Attachment, Disposition, Origin, StoredMessage
from fakebridge.message.validate import Invalid, check_rfc5322

_PLAIN_DRAFT = StoredMessage(
    internal_id="id",
    external_id="",
    headers=(
        ("Subject", "s"),
        ("Received", "one"),
        ("Date", "Tue, 03 Feb 2026 10:11:12 +0000"),
        ("Received", "two"),
        ("References", "<r@x>"),
    ),
    subject="s",
    sender=Address("", "a@x"),
    to=(),
    cc=(),
    bcc=(),
    reply_to=(Address("", "r@x"),),
    time=1_770_000_000,
    mime_type="text/plain",
    body=b"body",
    attachments=(),
    origin=Origin.RECEIVED,
)


def test_headers_stand_in_the_order_in_which_bridge_sets_them() -> None:
    """bridge-behaviour 4.2: set fields on top in reverse, fields of one name together, the rest as stored."""
    assert build(_PLAIN_DRAFT) == (
        b"Mime-Version: 1.0\r\nContent-Transfer-Encoding: quoted-printable\r\nContent-Type: text/plain; charset=utf-8\r\n"
        b"References: <r@x> <id@protonmail.internalid>\r\nX-Pm-Date: Mon, 02 Feb 2026 02:40:00 +0000\r\nX-Pm-Internal-Id: id\r\n"
        b"Message-Id: <id@protonmail.internalid>\r\nReply-To: <r@x>\r\nFrom: <a@x>\r\n"
        b"Subject: s\r\nReceived: one\r\nReceived: two\r\nDate: Tue, 03 Feb 2026 10:11:12 +0000\r\n\r\nbody"
    )


def test_a_draft_shows_no_reply_to_and_an_empty_sender_no_from() -> None:
    """bridge-behaviour 4.2, 5.6."""
    octets = build(replace(_PLAIN_DRAFT, origin=Origin.DRAFT, sender=Address("", "")))
    assert b"Reply-To" not in octets
    assert b"From" not in octets
    assert b"Reply-To" not in build(replace(_PLAIN_DRAFT, reply_to=(Address("", ""),)))


@pytest.mark.parametrize(
    "date,time,kept,original",
    [
        ("nonsense", 1_770_000_000, b"Mon, 02 Feb 2026 02:40:00 +0000", b"Mon, 01 Jan 0001 00:00:00 +0000"),
        ("1 Jan 1969 00:00 +0000", 0, b"Fri, 13 Aug 1982 00:00:00 +0000", b"Wed, 01 Jan 1969 00:00:00 +0000"),
        ("1 Jan 1970 00:00 +0000", 0, b"1 Jan 1970 00:00 +0000", b""),
    ],
)
def test_a_date_that_cannot_be_read_or_lies_before_1970_is_replaced(date: str, time: int, kept: bytes, original: bytes) -> None:
    """bridge-behaviour 4.2: service time, else 13 August 1982; the old one stays as X-Original-Date."""
    octets = build(replace(_PLAIN_DRAFT, headers=(("Date", date),), time=time))
    assert b"\r\nDate: " + kept + b"\r\n" in octets
    assert (b"X-Original-Date: " + original in octets) is bool(original)


def test_each_of_bridges_additions_can_be_switched_off() -> None:
    """Named switches: a test must notice each of them."""
    options = BuildOptions(
        strip_mbox_lines=False,
        sanitize_date=False,
        add_internal_id=False,
        add_external_id=False,
        add_message_date=False,
        add_reference=False,
    )
    stored = replace(_PLAIN_DRAFT, headers=(("Date", "nonsense"),), body=b"From me\r\n", external_id="e@x")
    assert build(stored, options) == (
        b"Mime-Version: 1.0\r\nContent-Transfer-Encoding: quoted-printable\r\nContent-Type: text/plain; charset=utf-8\r\n"
        b"Message-Id: <e@x>\r\nReply-To: <r@x>\r\nFrom: <a@x>\r\nSubject: s\r\nDate: nonsense\r\n\r\nFrom me\r\n"
    )
    assert b"X-Pm-External-Id: <e@x>\r\n" in build(stored)


def test_a_body_that_is_no_utf8_has_no_charset_and_an_odd_attachment_type_stays() -> None:
    """bridge-behaviour 4.3: charset only for UTF-8."""
    odd = Attachment("é", "not a type", Disposition.ATTACHMENT, "", b"x")
    octets = build(replace(_PLAIN_DRAFT, body=b"\xff", attachments=(odd,)))
    assert b"Content-Type: text/plain\r\n\r\n=FF\r\n" in octets
    assert b'Content-Disposition: attachment; filename="=?utf-8?q?=C3=A9?="\r\nContent-Type: not a type\r\n\r\neA==' in octets


@pytest.mark.parametrize(
    "body,kept",
    [
        (b"From x\r\nb\r\n>From y\r\nc\r\n\r\nFrom z\r\n", b"b\r\nc\r\n\r\nFrom z\r\n"),
        (b"a\n From x\n\nFrom y\n", b"a\n From x\n\nFrom y\n"),
        (b"a\r\n\r\nFrom x\r\nb\n\nFrom y\n", b"a\r\n\r\nb\n\nFrom y\n"),
        (b"\nFrom x\ny\n", b"\nFrom x\ny\n"),
        (b"From x\n\nFrom y\nz\n", b"\nFrom y\nz\n"),
        (b"no such line", b"no such line"),
        (b"", b""),
    ],
)
def test_mbox_lines_before_the_first_empty_line_are_lost(body: bytes, kept: bytes) -> None:
    """bridge-behaviour 4.1; dialogue 43: an empty line of LF alone counts before one of CRLF."""
    assert strip_mbox_lines(body) == kept


def test_an_unfinished_mbox_line_spoils_the_message() -> None:
    """bridge-behaviour 4.3: a build error leaves the message out."""
    with pytest.raises(MboxError):
        strip_mbox_lines(b"a\nFrom x")


_HEAD = b"From: a@b\r\nTo: c@d\r\nDate: Tue, 03 Feb 2026 10:11:12 +0100\r\nMessage-ID: <m@x>\r\n"
_MIXED = b"Content-Type: multipart/mixed; boundary=x\r\n\r\n"


def _proton(literal: bytes) -> StoredMessage:
    return import_from(literal, internal_id="id", origin=Origin.RECEIVED, time=5, server=AccountServer.PROTON)


def test_a_real_account_keeps_every_header_and_the_message_id() -> None:
    """bridge-behaviour 4.2: the rest kept in original order; 5.8: the Date header gives the time."""
    stored = _proton(_HEAD + b"Subject: =?iso-8859-1?q?=E9?=\r\nX-Kept: yes\r\n\r\nbody")
    assert (stored.subject, stored.external_id, stored.time) == ("é", "m@x", 1_770_109_872)
    assert stored.headers[-1] == ("X-Kept", "yes")
    assert b"\r\nX-Pm-External-Id: <m@x>\r\n" in build(stored)
    assert _proton(_HEAD.replace(b"Tue, 03", b"nonsense") + b"\r\nx").time == 5


@pytest.mark.parametrize(
    "rest",
    [
        b"Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\r\none\r\n--x\r\n\r\ntwo\r\n--x--\r\n",
        b"Content-Type: multipart/signed; boundary=x\r\n\r\n--x\r\n\r\none\r\n--x--\r\n",
        b"Content-Type: text/plain; charset=nonsense\r\n\r\nx",
        b"Content-Transfer-Encoding: base64\r\nContent-Disposition: /\r\n\r\neA==",
        (
            b"Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\r\none\r\n--x\r\nContent-Type: message/rfc822\r\n\r\n"
            b"Content-Type: multipart/alternative; boundary=y\r\n\r\n--y\r\n\r\na\r\n--y--\r\n--x--\r\n"
        ),
    ],
)
def test_what_cannot_be_taken_apart_is_served_as_it_came(rest: bytes) -> None:
    """bridge-behaviour 5.8: more than one text part, signed, unknown charset, unreadable disposition."""
    stored = received_from(_HEAD + rest, internal_id="id", origin=Origin.RECEIVED, time=5, server=AccountServer.PROTON)
    assert (stored.mime_type, stored.body) == ("multipart/mixed", _HEAD + rest)
    assert build(stored).endswith(b"\r\n\r\n" + rest.split(b"\r\n\r\n", 1)[1])


@pytest.mark.parametrize("kind", [b"application/pdf", b"multipart/mixed; boundary=x"])
def test_an_import_without_text_gets_an_empty_one(kind: bytes) -> None:
    """bridge-behaviour 5.8: an attachment alone comes back behind an empty text."""
    part = b"Content-Type: application/pdf\r\nContent-Disposition: attachment; filename=a.pdf\r\n\r\nAAEC"
    literal = _HEAD + b"Content-Type: " + kind + b"\r\n\r\n" + (b"--x\r\n" + part + b"\r\n--x--\r\n" if b"multi" in kind else b"AAEC")
    stored = _proton(literal)
    assert (stored.mime_type, stored.body, [item.data for item in stored.attachments]) == ("text/plain", b"", [b"AAEC"])


def test_an_alternative_gets_an_empty_text_beside_it_and_is_kept_whole() -> None:
    """bridge-behaviour 5.8: only the direct parts of a multipart/mixed are looked at."""
    part = b"--y\r\n\r\na\r\n--y\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: 8bit\r\n\r\n\xc3\xa9\r\n--y--\r\n"
    octets = prepared(_HEAD + b"Content-Type: multipart/alternative; boundary=y\r\n\r\n" + part)
    boundary = octets.split(b"boundary=")[1].split(b"\r\n")[0]
    assert octets == (
        b"Content-Type: multipart/mixed;\r\n boundary=%b\r\nMime-Version: 1.0\r\n%b\r\n--%b\r\n"
        b"Content-Type: multipart/alternative; boundary=y\r\n\r\n--y\r\n\r\na\r\n--y\r\nContent-Transfer-Encoding: base64\r\n"
        b"Content-Type: text/html\r\n\r\nw6k=\r\n--y--\r\n\r\n--%b\r\n"
        b"Content-Transfer-Encoding: quoted-printable\r\nContent-Type: text/plain;charset=utf8\r\n\r\n\r\n--%b--\r\n"
    ) % (boundary, _HEAD, boundary, boundary, boundary)
    assert len(boundary) == 60


def test_a_mail_with_text_is_imported_as_it_is() -> None:
    """bridge-behaviour 5.8."""
    assert prepared(_HEAD + b"\r\nx") == _HEAD + b"\r\nx"


def test_an_import_over_the_limit_is_told_apart_from_other_refusals() -> None:
    """bridge-behaviour 5.8: the one refusal that leaves no copy; the encrypted form is what counts."""
    with pytest.raises(ImportTooLarge, match="maximum import size of 30MB"):
        prepared(_HEAD + b"\r\n" + b"x" * (24 * 1024 * 1024))


@pytest.mark.parametrize(
    "literal,text",
    [
        (_HEAD.replace(b"Tue, 03", b"x") + b"\r\n", "failed to import message: mail: header could not be parsed (Code=2001, Status=0)"),
        (
            _HEAD + _MIXED + b"--x\r\n\r\nt\r\n--x\r\nContent-Type: a/b\r\nContent-Disposition: inline\r\n\r\n--x--",
            "failed to import attachment: The 'inline' Disposition is only allowed with Content ID (Code=2001, Status=0)",
        ),
    ],
)
def test_the_recordings_account_server_refuses_in_its_own_words(literal: bytes, text: str) -> None:
    """Dialogue 26: three wrappers around the server's text."""
    with pytest.raises(AppendRefused) as refused:
        import_from(literal, internal_id="id", origin=Origin.SENT, time=1, server=AccountServer.SIMULATED)
    assert refused.value.text == "failed to import message: failed to import message: failed to import: " + text


@pytest.mark.parametrize(
    "header,text",
    [
        (b"From: a@b\r\n", "invalid rfc5322 message: Required header field 'Date' not found or empty"),
        (b"Date: x\r\n", "invalid rfc5322 message: Required header field 'From' not found or empty"),
        (b"Date: x\r\nFrom: \r\n", "invalid rfc5322 message: Required header field 'From' not found or empty"),
        (
            b"Date: x\r\nFrom: bob\r\n",
            "invalid rfc5322 message: failed to parse From header: [Error offset=7]: expected ':' for group start",
        ),
        (b"Date: x\r\nFrom: a@b, c@d\r\n", "invalid rfc5322 message: Required header field 'Sender' not found or empty"),
        (b"Date: x\r\nFrom: a@b\r\nSender: \r\n", "invalid rfc5322 message: Required header field 'Sender' should not be empty"),
        (
            b"Date: x\r\nFrom: a@b\r\nSender: b\r\n",
            "invalid rfc5322 message: failed to parse Sender header: [Error offset=1]: expected ':' for group start",
        ),
        (b"Bad name: x\r\n", "header key contains invalid characters"),
    ],
)
def test_an_append_elsewhere_needs_a_date_and_a_clear_sender(header: bytes, text: str) -> None:
    """bridge-behaviour 5.1; dialogue 26."""
    with pytest.raises(Invalid) as invalid:
        check_rfc5322(header + b"\r\n")
    assert invalid.value.text == text


def test_a_nonsense_date_and_a_stated_sender_pass_the_check() -> None:
    """bridge-behaviour 5.1: Date is looked at only for being there."""
    check_rfc5322(b"Date: nonsense\r\nFrom: a@b, c@d\r\nSender: a@b\r\n\r\n")
    check_rfc5322(b"Date: nonsense\r\nFrom: a@b\r\nSender: c@d\r\n\r\n")


_SENT = b"Subject: s\r\nFrom: A <a@x>\r\nTo: b@x\r\nMessage-ID: <1@x>\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nh\xc3\xa9\r\n"


@pytest.mark.parametrize(
    "changed,same",
    [
        (_SENT.replace(b"<1@x>", b"<2@x>"), True),
        (_SENT.replace(b"A <a@x>", b"<a@x>"), True),
        (_SENT.replace(b"\r\n\r\nh\xc3\xa9\r\n", b"\r\nContent-Transfer-Encoding: base64\r\n\r\naMOp\r\n"), True),
        (_SENT.replace(b"\r\n\r\nh\xc3\xa9", b"\r\nContent-Transfer-Encoding: Quoted-Printable\r\n\r\nh=C3=A9  "), True),
        (_SENT + b"\r\n\r\n", True),
        (_SENT + b"more", False),
        (_SENT.replace(b"Subject: s", b"Subject: t"), False),
        (_SENT.replace(b"To: b", b"Cc: x@x\r\nTo: b"), False),
        (_SENT.replace(b"charset=utf-8", b"charset=us-ascii"), False),
    ],
)
def test_the_hash_of_a_message_sees_content_and_addresses_only(changed: bytes, same: bool) -> None:
    """bridge-behaviour 5.5: not Message-ID, Date, names, transfer encoding or white space at the ends."""
    assert (message_hash(_SENT) == message_hash(changed)) is same


def test_a_broken_text_part_has_no_hash() -> None:
    """bridge-behaviour 5.5: the error refuses the message."""
    with pytest.raises(HashRefused, match="illegal base64"):
        message_hash(b"Content-Transfer-Encoding: base64\r\n\r\n!")


def test_search_sees_raw_octets_in_any_letter_case() -> None:
    """bridge-behaviour 3.8; dialogues 17, 18: encoded words, folds joined, an empty needle everywhere."""
    literal = "Subject: =?utf-8?q?R=C3=A9union?=\r\n x\r\nDate: 03 Feb 26 23:30 +0100\r\n\r\nCAFÉ =C3=A9\r\n".encode()
    assert header_contains(literal, b"subject", b"=?utf-8?q?r=c3=a9union?= x")
    assert not header_contains(literal, b"subject", fold("réunion".encode()))
    assert header_contains(literal, b"x-none", b"")
    assert text_contains(literal, fold("Café".encode()))
    assert body_contains(literal, b"=c3=a9")
    assert not body_contains(literal, b"subject")
    assert body_contains(b"Bad name: x\r\n\r\nbody", b"bad name")
    assert str(sent_date(literal, this_year=2026)) == "2026-02-03"


def test_the_rules_of_an_import_can_be_set() -> None:
    """bridge-behaviour 0.3: limit and its name differ between builds; one message of several texts may keep one of them."""
    several = _HEAD + _MIXED + b"--x\r\n\r\none\r\n--x\r\nContent-Type: text/html\r\n\r\ntwo\r\n--x--\r\n"
    rules = ImportRules(limit_octets=1000, limit_text="1kB", several_texts_whole=False)
    stored = import_from(several, internal_id="id", origin=Origin.SENT, time=1, server=AccountServer.PROTON, rules=rules)
    assert (stored.mime_type, stored.body) == ("text/html", b"two")
    with pytest.raises(ImportTooLarge, match="maximum import size of 1kB"):
        prepared(several + b"x" * 1000, rules)
