"""What Bridge makes of an appended draft or of a message to be sent: recipients, subject, one body, attachments.

``recipients`` is the strict first look at To, Cc and Bcc that every APPEND gets; ``parse`` reads the literal; ``draft_from`` and
``outgoing_from`` take it apart. Refusals carry the text behind ``tag NO`` (bridge-behaviour 5.2, 5.4, 7; dialogues 20-23, 43).
"""

import re
from dataclasses import dataclass, field
from typing import Final

from fakebridge.message import attachments, header, transfer
from fakebridge.message.addresses import Address, AddressError, parse_list
from fakebridge.message.attachments import FoundAttachment
from fakebridge.message.bodies import body_of, in_utf8
from fakebridge.message.header import HeaderError
from fakebridge.message.inlineimages import ImagesRefused, show_inline_images
from fakebridge.message.mediatype import MediaTypeError
from fakebridge.message.mimetree import Entity, MimeError, read
from fakebridge.message.qword import WordError, decode_header, decode_header_plain
from fakebridge.message.transfer import TransferError

_BRACKETS: Final = re.compile(r"<(.*)>")
_LISTS: Final = ("from", "to", "cc", "bcc", "reply-to")


class AppendRefused(Exception):
    """The literal is refused; ``text`` stands behind ``tag NO`` (it may hold a line end of the literal's own)."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


@dataclass(frozen=True, slots=True)
class DraftContent:
    """A message taken apart. ``sender`` is the first address of From, ``wanted_sender`` the address by which the account's own is chosen.

    ``body`` is UTF-8; ``external_id``, ``references`` and the two reply ids are Message-IDs without brackets.
    """

    subject: str
    sender: Address | None
    wanted_sender: str
    to: tuple[Address, ...]
    cc: tuple[Address, ...]
    bcc: tuple[Address, ...]
    reply_to: tuple[Address, ...]
    body: bytes
    mime_type: str
    attachments: tuple[FoundAttachment, ...]
    external_id: str
    in_reply_to: str
    forwarded_id: str
    references: tuple[str, ...]


def recipients(literal: bytes) -> tuple[str, ...]:
    """The addresses of To, Cc and Bcc, first field of each name, in that order.

    Raises:
        AppendRefused: the header or one of the lists cannot be read.
    """
    block, _ = header.split(literal)
    found: list[str] = []
    try:
        for name in ("To", "Cc", "Bcc"):
            value = header.first(block, name.encode())
            if value is not None:
                found += _addresses(name, value)
    except HeaderError as refused:
        raise AppendRefused(f"failed to retrieve addresses from literal:{refused.text}") from None
    return tuple(found)


def _addresses(name: str, value: bytes) -> list[str]:
    try:
        return [address.address for address in parse_list(value)]
    except AddressError as refused:
        text = f"failed to retrieve addresses from literal:failed to parse addresses for '{name}': {refused}"
        raise AppendRefused(text) from None


def parse(literal: bytes) -> Entity:
    """The MIME tree of a literal.

    Raises:
        AppendRefused: ``failed to parse literal: …``.
    """
    try:
        return read(literal)
    except MimeError as broken:
        raise AppendRefused(f"failed to parse literal: {broken.text}") from None


def draft_from(literal: bytes) -> DraftContent:
    """A draft taken apart. Address lists that cannot be read are left empty here (``recipients`` was strict already).

    Raises:
        AppendRefused: the literal cannot be read or taken apart.
    """
    tree = parse(literal)
    try:
        return content_of(tree, literal, lenient=True)
    except ContentRefused as refused:
        raise AppendRefused(f"failed to create draft: {refused.text}") from None


class ContentRefused(Exception):
    """A message that could be read cannot be taken apart; ``text`` begins with ``failed to parse message: ``."""

    def __init__(self, text: str) -> None:
        super().__init__(f"failed to parse message: {text}")
        self.text = f"failed to parse message: {text}"


def content_of(tree: Entity, literal: bytes, *, lenient: bool) -> DraftContent:
    """A tree taken apart; ``lenient`` leaves unreadable address lists empty instead of refusing.

    Raises:
        ContentRefused: a type, a disposition, the subject or (unless lenient) an address list cannot be read.
    """
    try:
        tree = show_inline_images(in_utf8(tree), literal)
    except ImagesRefused as refused:
        raise ContentRefused(f"patching inline images failed: {refused.text}") from None
    fields = _fields(tree, lenient=lenient)
    try:
        found = attachments.collect(tree)
    except MediaTypeError as refused:
        raise ContentRefused(f"failed to collect attachments: {refused.text}") from None
    try:
        body, mime_type = body_of(tree)
    except MediaTypeError as refused:
        raise ContentRefused(f"failed to build bodies: {refused.text}") from None
    _check_writable(tree)
    return DraftContent(
        subject=fields.subject,
        sender=fields.lists["from"][0] if fields.lists["from"] else None,
        wanted_sender=wanted_sender(tree),
        to=fields.lists["to"],
        cc=fields.lists["cc"],
        bcc=fields.lists["bcc"],
        reply_to=fields.lists["reply-to"],
        body=body,
        mime_type=mime_type,
        attachments=found,
        external_id=fields.external_id,
        in_reply_to=fields.in_reply_to,
        forwarded_id=fields.forwarded_id,
        references=fields.references,
    )


def wanted_sender(tree: Entity) -> str:
    """The first address of From, or of Sender if From is empty; empty if it cannot be read."""
    value = tree.get("From") or tree.get("Sender")
    try:
        found = parse_list(value.encode("utf-8", "surrogateescape"))
    except AddressError:
        return ""
    return found[0].address if found else ""


@dataclass(slots=True)
class _Fields:
    """The header fields that count; the last of equal names wins."""

    subject: str = ""
    external_id: str = ""
    in_reply_to: str = ""
    forwarded_id: str = ""
    references: tuple[str, ...] = ()
    lists: dict[str, tuple[Address, ...]] = field(default_factory=lambda: dict.fromkeys(_LISTS, ()))


def _fields(tree: Entity, *, lenient: bool) -> _Fields:
    fields = _Fields()
    for entry in tree.fields:
        value = entry.value
        match entry.key.lower():
            case "subject":
                fields.subject = _subject(value)
            case "message-id":
                fields.external_id = _bare_id(value)
            case "in-reply-to":
                fields.in_reply_to = _bare_id(value)
            case "x-forwarded-message-id":
                fields.forwarded_id = _bare_id(value)
            case "references":
                fields.references += tuple(ref.strip("<>") for word in value.split() for ref in word.split(","))
            case name if name in _LISTS:
                _read_list(fields, name, value, lenient=lenient)
    return fields


def _read_list(fields: _Fields, name: str, value: str, *, lenient: bool) -> None:
    try:
        found = parse_list(value.encode("utf-8", "surrogateescape"))
    except AddressError as refused:
        if not lenient:
            raise ContentRefused(f"failed to parse message header: failed to parse {name}: {refused}") from None
        if name == "from":
            return
        found = ()
    if name != "from" or found:
        fields.lists[name] = found


def _bare_id(value: str) -> str:
    return _BRACKETS.sub(r"\1", value)


def _subject(value: str) -> str:
    try:
        return decode_header_plain(value)
    except WordError:
        pass
    try:
        text = decode_header(value)
    except WordError:
        text = value
    if any(0xDC80 <= ord(char) <= 0xDCFF for char in text):
        raise ContentRefused("failed to parse message header: failed to parse subject: header contains non utf8 chars: <nil>")
    return text


def _check_writable(tree: Entity) -> None:
    """Bridge writes the message once more for recipients who want MIME: a part it cannot encode refuses the whole.

    Raises:
        ContentRefused: a plain ASCII part with an unknown transfer encoding.
    """
    encoding = tree.get("Content-Transfer-Encoding")
    try:
        encoding = decode_header(encoding)
        known = encoding.lower() in transfer.KNOWN or bool(tree.children)
        if not known and not any(octet > 0x80 for octet in tree.body):
            raise TransferError(transfer.unhandled(encoding))
    except WordError as refused:
        raise ContentRefused(f"failed to convert encoded transfer encoding: {refused.text}") from None
    except TransferError as refused:
        raise ContentRefused(f"failed to build mime body: failed to write message: {refused.text}") from None
    for child in tree.children:
        _check_writable(child)
