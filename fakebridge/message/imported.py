"""What the account keeps of a message that comes in as octets: an APPEND anywhere but to Drafts, a delivered mail, a mail of the world.

A message with one text part is taken apart and rebuilt later; one with several (alternatives, text attachments), or signed, encrypted
or unreadable, is kept whole as ``multipart/mixed`` and served as the original inside (bridge-behaviour 5.8; dialogues 14, 26). What
the simulated account server loses of it: ``accountserver``.
"""

import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from fakebridge.message import header, mediatype, transfer
from fakebridge.message.accountserver import AccountServer, arranged, clean, written_headers
from fakebridge.message.addresses import Address, AddressError, parse_list
from fakebridge.message.charset import UnknownCharset, decoder_for
from fakebridge.message.dates import DateError, WrittenDate, parse_date_time, parse_header_date, written_short
from fakebridge.message.draft import AppendRefused, parse
from fakebridge.message.mediatype import MediaTypeError
from fakebridge.message.mimetree import MimeError
from fakebridge.message.mimewriter import with_text_part, write
from fakebridge.message.part import Part
from fakebridge.message.part import parse as parse_parts
from fakebridge.message.qword import WordError, decode_header
from fakebridge.message.serveraddresses import address_of, addresses_of
from fakebridge.message.stored import Attachment, Disposition, Origin, StoredMessage
from fakebridge.message.transfer import TransferError

# What a message grows by when it is encrypted and armoured: base64 with line ends.
_ARMOUR: Final = 65 / 48
_EPOCH: Final = WrittenDate(1970, 1, 1, 0, 0, 0, 0, "UTC")


class ImportTooLarge(AppendRefused):
    """Over the size limit of imports; the one refusal that leaves no copy in Recovered Messages."""


class _Whole(Exception):
    """The message must be kept whole."""


@dataclass(frozen=True, slots=True)
class _Content:
    body: bytes
    mime_type: str
    attachments: tuple[Attachment, ...]


@dataclass(frozen=True, slots=True)
class ImportRules:
    """What differs between builds: the size limit (of the encrypted form) and its name, and what becomes of several text parts.

    Without ``several_texts_whole`` such a message is taken apart too and keeps the last of them.
    """

    limit_octets: int = 30 * 1024 * 1024
    limit_text: str = "30MB"
    several_texts_whole: bool = True


BRIDGE_IMPORT: Final = ImportRules()


def prepared(literal: bytes, rules: ImportRules = BRIDGE_IMPORT) -> bytes:
    """The octets that Bridge imports: the literal itself, or written anew with an empty text part if it has none.

    Raises:
        AppendRefused: the literal cannot be read.
        ImportTooLarge: it is over the limit.
    """
    root = parse(literal)
    changed = with_text_part(root)
    if changed is not None:
        boundary = hashlib.sha256(literal).hexdigest()[:60]
        try:
            literal = write(changed, boundary=boundary)
        except MimeError as broken:
            raise AppendRefused(f"failed build new MIMEBody: failed to write message: {broken.text}") from None
    if len(literal) * _ARMOUR > rules.limit_octets:
        text = f"message exceeds maximum import size of {rules.limit_text}: message size exceeds limits"
        raise ImportTooLarge(f"failed to prepare message for import: {text}")
    return literal


def import_from(
    literal: bytes, *, internal_id: str, origin: Origin, time: int, server: AccountServer, rules: ImportRules = BRIDGE_IMPORT
) -> StoredMessage:
    """A message that was appended; ``time`` (seconds) counts only where the message has no date that can be read.

    Raises:
        AppendRefused: Bridge or the account server refuses it.
        ImportTooLarge: it is over the size limit.
    """
    octets = prepared(literal, rules)
    return received_from(octets, internal_id=internal_id, origin=origin, time=time, server=server, rules=rules)


def received_from(
    literal: bytes, *, internal_id: str, origin: Origin, time: int, server: AccountServer, rules: ImportRules = BRIDGE_IMPORT
) -> StoredMessage:
    """A message that arrived on the account, or is there from the start.

    Raises:
        AppendRefused: the account server refuses it; the text is its own.
    """
    root = parse_parts(literal)
    try:
        _check_divisible(root, texts_allowed=1 if rules.several_texts_whole else len(literal))
        content = _divided(root, server)
    except _Whole:
        content = _Content(literal, "multipart/mixed", ())
    if server is AccountServer.SIMULATED:
        return _simulated(root, content, internal_id=internal_id, origin=origin)
    return _proton(root, content, internal_id=internal_id, origin=origin, time=time)


def _check_divisible(root: Part, *, texts_allowed: int) -> None:
    """Whether the message may be taken apart.

    Raises:
        _Whole: it may not.
    """
    texts = 0
    for part in _walk(root):
        kind = part.media_type
        placed = part.get(b"content-disposition")
        if placed is not None:
            try:
                mediatype.parse(placed.decode("utf-8", "surrogateescape"))
            except MediaTypeError:
                raise _Whole from None
        texts += kind.main == "text"
        if kind.sub in {"encrypted", "signed"} or texts > texts_allowed:
            raise _Whole


def _walk(part: Part) -> list[Part]:
    return [part, *(inner for child in part.children for inner in _walk(child))]


def _divided(root: Part, server: AccountServer) -> _Content:
    """The one text and the attachments.

    Raises:
        _Whole: a part cannot be decoded.
    """
    body, mime_type = b"", "text/plain"
    found: list[Attachment] = []
    stack = [root]
    while stack:
        part = stack.pop(0)
        if part.media_type.kind.startswith("multipart/"):
            stack[:0] = part.children
        elif part.media_type.main == "text":
            body, mime_type = _text(part), part.media_type.kind
        else:
            found.append(_attachment(part, server))
    return _Content(body, mime_type, tuple(found))


def _decoded(part: Part) -> bytes:
    encoding = part.get(b"content-transfer-encoding")
    if encoding not in {b"base64", b"quoted-printable"}:
        return part.body
    try:
        return transfer.decode(encoding.decode(), part.body)
    except TransferError:
        raise _Whole from None


def _text(part: Part) -> bytes:
    body = _decoded(part)
    label = part.media_type.params.get("charset")
    if label is None:
        return body
    try:
        return decoder_for(label)(body).encode("utf-8", "replace")
    except UnknownCharset:
        raise _Whole from None


def _attachment(part: Part, server: AccountServer) -> Attachment:
    """One attachment; the simulated server looks for a name in the disposition only."""
    placed = part.get(b"content-disposition")
    disposition, name = "attachment", "attachment.bin"
    if placed is not None:
        found = mediatype.parse(placed.decode("utf-8", "surrogateescape"))
        disposition, name = found.kind, found.params.get("filename", "")
    if server is AccountServer.PROTON and (placed is None or not name):
        name = part.media_type.params.get("name", name)
    content_id = (part.get(b"content-id") or b"").decode("utf-8", "surrogateescape").strip(" <>")
    return Attachment(
        name=clean(name),
        media_type=part.media_type.kind,
        disposition=Disposition.INLINE if disposition == "inline" else Disposition.ATTACHMENT,
        content_id=clean(content_id),
        data=_decoded(part),
    )


def _value(root: Part, name: bytes) -> str:
    return (root.get(name) or b"").decode("utf-8", "surrogateescape")


def _addresses(root: Part, name: bytes) -> tuple[Address, ...]:
    """A list of the header; one that cannot be read is a single name."""
    value = root.get(name)
    if not value:
        return ()
    try:
        return parse_list(value)
    except AddressError:
        return (Address(value.decode("utf-8", "surrogateescape"), ""),)


def _simulated(root: Part, content: _Content, *, internal_id: str, origin: Origin) -> StoredMessage:
    """What the recordings' server keeps: a few headers, the subject undecoded, no Message-ID, the date in a short form."""
    date = _EPOCH
    if value := _value(root, b"date"):
        try:
            date = parse_header_date(value)
        except DateError as refused:
            raise _server_refuses(f"failed to import message: {refused}") from None
    if any(item.disposition is Disposition.INLINE and not item.content_id for item in content.attachments):
        raise _server_refuses("failed to import attachment: The 'inline' Disposition is only allowed with Content ID")
    whole = content.mime_type == "multipart/mixed"
    cc, bcc, reply_to = ((), (), ()) if whole else (addresses_of(_value(root, name)) for name in (b"cc", b"bcc", b"reply-to"))
    to, sender = addresses_of(_value(root, b"to")), address_of(_value(root, b"from"))
    subject = clean(_value(root, b"subject"))
    return StoredMessage(
        internal_id=internal_id,
        external_id="",
        headers=written_headers(
            subject=subject,
            sender=sender,
            lists=(to, cc, bcc),
            kind=content.mime_type,
            date=written_short(date),
        ),
        subject=subject,
        sender=sender,
        to=to,
        cc=cc,
        bcc=bcc,
        reply_to=reply_to,
        time=0,
        mime_type=content.mime_type,
        body=content.body,
        attachments=arranged(content.attachments, AccountServer.SIMULATED),
        origin=origin,
    )


def _server_refuses(text: str) -> AppendRefused:
    return AppendRefused(f"failed to import message: failed to import message: failed to import: {text} (Code=2001, Status=0)")


def _proton(root: Part, content: _Content, *, internal_id: str, origin: Origin, time: int) -> StoredMessage:
    """What Proton keeps: every header, subject and names decoded, the Message-ID, the time of the Date header."""
    try:
        entries = header.fields(root.header)
    except header.HeaderError:
        entries = ()
    try:
        subject = decode_header(_value(root, b"subject"))
    except WordError:
        subject = _value(root, b"subject")
    sender = _addresses(root, b"from")
    return StoredMessage(
        internal_id=internal_id,
        external_id=clean(_value(root, b"message-id").strip(" <>")),
        headers=tuple((entry.name.decode("latin-1"), entry.unfolded.decode("utf-8", "surrogateescape")) for entry in entries if entry.name),
        subject=clean(subject),
        sender=sender[0] if sender else None,
        to=_addresses(root, b"to"),
        cc=_addresses(root, b"cc"),
        bcc=_addresses(root, b"bcc"),
        reply_to=_addresses(root, b"reply-to"),
        time=_time(root, time),
        mime_type=content.mime_type,
        body=content.body,
        attachments=arranged(content.attachments, AccountServer.PROTON),
        origin=origin,
    )


def _time(root: Part, fallback: int) -> int:
    this_year = datetime.fromtimestamp(fallback, UTC).year
    try:
        moment = parse_date_time(root.get(b"date") or b"", this_year=this_year).instant()
    except (DateError, ValueError, OverflowError):
        return fallback
    return int(moment.timestamp())
