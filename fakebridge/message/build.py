"""The octets of a message as Bridge builds them from what the account keeps.

Without ``X-Pm-Gluon-Id``, which the mail store puts in front. The result depends on nothing but the arguments, so building again
gives the same octets: boundaries are SHA-256 of the internal id, nested ones the hash of the hash. Facts: bridge-behaviour 4;
dialogues 14, 20, 21, 33, 43.
"""

import hashlib
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from fakebridge.message import header, mediatype
from fakebridge.message.addresses import Address, format_address, format_list
from fakebridge.message.dates import DateError, parse_date_time, written_rfc1123
from fakebridge.message.headerblock import HeaderBlock
from fakebridge.message.mbox import strip_mbox_lines
from fakebridge.message.mediatype import MediaTypeError
from fakebridge.message.qp import base64_lines, quoted_printable
from fakebridge.message.qword import encode
from fakebridge.message.stored import Attachment, Disposition, Origin, StoredMessage

INTERNAL_DOMAIN: Final = "protonmail.internalid"
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
# No message is older than RFC 822; a date before 1970 becomes this one if the service has no time either.
_RFC822_DAY: Final = datetime(1982, 8, 13, tzinfo=UTC)
_NO_DATE: Final = datetime(1, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """What Bridge does to every message it builds; each can be switched off to show that a test notices.

    ``this_year`` decides the century of dates with a two-digit year: later ones lie in the past century.
    """

    strip_mbox_lines: bool = True
    sanitize_date: bool = True
    add_internal_id: bool = True
    add_external_id: bool = True
    add_message_date: bool = True
    add_reference: bool = True
    this_year: int = 2026


BRIDGE: Final = BuildOptions()


def build(stored: StoredMessage, options: BuildOptions = BRIDGE) -> bytes:
    """The whole message.

    Raises:
        MboxError: the body ends in an unfinished ``From `` line; Bridge leaves such a message out of the mailbox.
    """
    body = strip_mbox_lines(stored.body) if options.strip_mbox_lines else stored.body
    top = _message_header(stored, options)
    if stored.attachments:
        return _with_attachments(stored, top, body)
    if stored.mime_type == "multipart/mixed":
        return _from_entity(top, body)
    _text_header(top, stored.mime_type, body)
    _mime_version(top)
    return top.octets() + quoted_printable(body)


def _message_header(stored: StoredMessage, options: BuildOptions) -> HeaderBlock:
    top = HeaderBlock()
    for name, value in _grouped(stored.headers):
        top.keep(name, value)
    _rewritten(top, stored)
    if not top.get("Message-Id"):
        top.set("Message-Id", f"<{stored.external_id or f'{stored.internal_id}@{INTERNAL_DOMAIN}'}>")
    if options.sanitize_date:
        _date(top, stored.time, options.this_year)
    if options.add_internal_id:
        top.set_changed("X-Pm-Internal-Id", stored.internal_id)
    if options.add_external_id and stored.external_id:
        top.set("X-Pm-External-Id", f"<{stored.external_id}>")
    if options.add_message_date:
        top.set_changed("X-Pm-Date", written_rfc1123(datetime.fromtimestamp(stored.time, UTC)))
    if options.add_reference:
        references = top.values("References")
        if not any(stored.internal_id in reference for reference in references):
            top.set("References", " ".join([*references, f"<{stored.internal_id}@{INTERNAL_DOMAIN}>"]))
    return top


def _grouped(headers: tuple[tuple[str, str], ...]) -> list[tuple[str, str]]:
    """Fields of one name stand together, where the first of them stood: the service keeps a list of values per name."""
    order = {name: number for number, (name, _) in reversed(list(enumerate(headers)))}
    return sorted(headers, key=lambda field: order[field[0]])


def _rewritten(top: HeaderBlock, stored: StoredMessage) -> None:
    """Subject and addresses from what the service knows; a field that says the same already stays in its place."""
    if stored.subject:
        top.set_changed("Subject", encode(stored.subject))
    if stored.sender is not None and not _empty(stored.sender):
        top.set_changed("From", format_address(stored.sender))
    if stored.origin is not Origin.DRAFT and stored.reply_to and not (len(stored.reply_to) == 1 and _empty(stored.reply_to[0])):
        top.set_changed("Reply-To", format_list(stored.reply_to))
    for name, addresses in (("To", stored.to), ("Cc", stored.cc), ("Bcc", stored.bcc)):
        if addresses:
            top.set_changed(name, format_list(addresses))


def _empty(address: Address) -> bool:
    return not address.name and not address.address


def _date(top: HeaderBlock, time: int, this_year: int) -> None:
    """A Date that cannot be read or lies before 1970 is replaced and kept as X-Original-Date."""
    moment = datetime.fromtimestamp(time, UTC)
    written = _NO_DATE
    value = top.get("Date").encode("utf-8", "surrogateescape")
    with suppress(DateError, ValueError, OverflowError):
        written = parse_date_time(value, this_year=this_year).instant()
    if written >= _EPOCH:
        return
    top.set_changed("Date", written_rfc1123(moment if moment > _EPOCH else _RFC822_DAY))
    if not top.has("X-Original-Date"):
        top.set("X-Original-Date", written_rfc1123(written))


def _text_header(top: HeaderBlock, mime_type: str, body: bytes) -> None:
    top.set_typed("Content-Type", mime_type, {"charset": "utf-8"} if _is_utf8(body) else {})
    top.set("Content-Transfer-Encoding", "quoted-printable")


def _is_utf8(octets: bytes) -> bool:
    try:
        octets.decode()
    except UnicodeDecodeError:
        return False
    return True


def _mime_version(top: HeaderBlock) -> None:
    if not top.has("Mime-Version"):
        top.set("Mime-Version", "1.0")


def _with_attachments(stored: StoredMessage, top: HeaderBlock, body: bytes) -> bytes:
    """multipart/mixed; inline attachments share a multipart/related with the text."""
    boundary = hashlib.sha256(stored.internal_id.encode()).hexdigest()
    top.set_typed("Content-Type", "multipart/mixed", {"boundary": boundary})
    top.drop("Content-Transfer-Encoding")
    _mime_version(top)
    inline = [item for item in stored.attachments if item.disposition is Disposition.INLINE]
    text = HeaderBlock()
    _text_header(text, stored.mime_type, body)
    parts = [text.octets() + quoted_printable(body)]
    if inline:
        nested = hashlib.sha256(boundary.encode()).hexdigest()
        related = HeaderBlock()
        related.set_typed("Content-Type", "multipart/related", {"boundary": nested})
        parts = [related.octets() + _joined([*parts, *map(_attachment, inline)], nested)]
    parts += [_attachment(item) for item in stored.attachments if item.disposition is not Disposition.INLINE]
    return top.octets() + _joined(parts, boundary)


def _joined(parts: list[bytes], boundary: str) -> bytes:
    line = b"--" + boundary.encode()
    return line + b"\r\n" + (b"\r\n" + line + b"\r\n").join(parts) + b"\r\n" + line + b"--\r\n"


def _attachment(item: Attachment) -> bytes:
    top = HeaderBlock()
    for name, value in item.headers:
        top.keep(name, value)
    name = encode(item.name)
    try:
        kind = mediatype.parse_plain(item.media_type)
        top.set_typed("Content-Type", kind.kind, {**kind.params, "name": name, "filename": name})
    except MediaTypeError:
        top.set("Content-Type", item.media_type)
    top.set_typed("Content-Disposition", item.disposition.value, {"filename": name})
    if item.media_type == "message/rfc822":
        top.drop("Content-Transfer-Encoding")
        return top.octets() + item.data
    top.set("Content-Transfer-Encoding", "base64")
    return top.octets() + base64_lines(item.data)


def _from_entity(top: HeaderBlock, entity: bytes) -> bytes:
    """A whole entity kept inside: those of its fields that the message lacks go on top, its body follows as it is."""
    inner, body = header.split(entity)
    try:
        fields = [field for field in header.fields(inner) if field.name]
    except header.HeaderError:
        fields, body = [], entity
    top.drop("Content-Type")
    for field in fields:
        name = field.name.decode("latin-1")
        if not top.has(name):
            top.set(name, field.unfolded.decode("utf-8", "surrogateescape"))
    return top.octets() + body
