"""What Bridge kept of a draft: the stored message, read back and compared with what was confirmed."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from proton_safe.addr_spec import folded
from proton_safe.drafts.twin import text_of_twin
from proton_safe.mime import addresses, charsets, headers, message_ids, transfer, words
from proton_safe.mime.attachments import attachments, is_body_text
from proton_safe.mime.defects import MAX_FIELD_OCTETS
from proton_safe.mime.structure import tree

if TYPE_CHECKING:
    from collections.abc import Iterator

    from proton_safe.drafts.confirmed import ConfirmedDraft
    from proton_safe.imap.mailbox import Mailbox
    from proton_safe.mime.headers import Headers
    from proton_safe.mime.structure import Part, Tree

RANGE_OCTETS: Final = 4 * 1024 * 1024
MAX_PART_OCTETS: Final = 64 * 1024 * 1024
_BETWEEN_WORDS: Final = b"?= =?"


@dataclass(frozen=True, slots=True)
class StoredFile:
    """An attachment of the stored draft, and whether it is one of those that were confirmed."""

    filename: str
    sha256: str
    matches: bool


@dataclass(frozen=True, slots=True)
class StoredDraft:
    """The comparison, field by field. Everything is False or empty when the draft was not read back (`verified`)."""

    verified: bool = False
    from_address: str = ""
    sender_matches: bool = False
    recipients_match: bool = False
    subject_matches: bool = False
    body_matches: bool = False
    files: tuple[StoredFile, ...] = ()
    files_match: bool = False
    in_reply_to_kept: bool = False
    references_kept: bool = False


def read_back(mailbox: Mailbox, uid: int, draft: ConfirmedDraft) -> StoredDraft:
    """Compare the message `uid` with the draft. Raises what reading raises."""
    items, block = mailbox.message_with_header(uid)
    fields = headers.split(block)
    parts = tree(items.structure)
    files = _files(mailbox, uid, parts, draft)
    sender = next(iter(_addresses(fields, "from")), "")
    envelope_subject = items.envelope.subject if items.envelope is not None else b""
    return StoredDraft(
        verified=True,
        from_address=sender,
        sender_matches=_same(sender, draft.sender),
        recipients_match=all(
            sorted(map(folded, _addresses(fields, name))) == sorted(map(folded, expected))
            for name, expected in (("to", draft.to), ("cc", draft.cc), ("bcc", draft.bcc))
        ),
        subject_matches=draft.subject.strip(" ") in _readings(fields.first("subject") or b"", envelope_subject),
        body_matches=_text(mailbox, uid, parts) == draft.body,
        files=files,
        files_match=all(file.matches for file in files) and len(files) == len(draft.files),
        in_reply_to_kept=draft.parent is not None and draft.parent.message_id in message_ids.references(fields.first("in-reply-to")),
        references_kept=draft.parent is not None and draft.parent.message_id in message_ids.references(fields.first("references")),
    )


def names_message(fields: Headers, message_id: str) -> bool:
    """Whether a header names exactly this Message-ID."""
    return message_ids.usable(fields.first("message-id")) == message_id


def _addresses(fields: Headers, name: str) -> tuple[str, ...]:
    return tuple(each.address for each in addresses.parse(fields.first(name)).addresses)


def _readings(field: bytes, envelope: bytes) -> set[str]:
    """What the stored subject may say, without the blanks at its ends, which Bridge drops.

    Bridge writes non-ASCII subjects as Q words, up to twelve octets a character, which is more than a field that is read may hold;
    ENVELOPE has all of them. Other servers decode it there.
    """
    return {words.decode(field).text.strip(" "), _long_text(envelope).strip(" "), envelope.decode("utf-8", "replace").strip(" ")}


def _long_text(field: bytes) -> str:
    """The text of a field of any length that consists of encoded words, decoded word by word."""
    pieces = field.replace(_BETWEEN_WORDS, b"?=\0=?").split(b"\0") if len(field) > MAX_FIELD_OCTETS else [field]
    return "".join(words.decode(piece).text for piece in pieces)


def _same(first: str, second: str) -> bool:
    return folded(first) == folded(second)


def _text(mailbox: Mailbox, uid: int, parts: Tree) -> str | None:
    """The text of the stored draft: out of its HTML twin, else its plain text."""
    texts = {part.media_type: part for part in reversed(tuple(parts.leaves())) if is_body_text(part)}
    html = texts.get("text/html")
    if html is not None:
        return text_of_twin(_decoded(mailbox, uid, html))
    plain = texts.get("text/plain")
    return None if plain is None else _decoded(mailbox, uid, plain).replace("\r\n", "\n")


def _decoded(mailbox: Mailbox, uid: int, part: Part) -> str:
    return charsets.decode(_octets(mailbox, uid, part), part.charset).text


def _files(mailbox: Mailbox, uid: int, parts: Tree, draft: ConfirmedDraft) -> tuple[StoredFile, ...]:
    expected = Counter((file.filename, file.sha256) for file in draft.files)
    found: list[StoredFile] = []
    for attachment in attachments(parts).attachments:
        digest = _sha256(mailbox, uid, attachment.part)
        key = (attachment.filename, digest)
        found.append(StoredFile(attachment.filename, digest, matches=expected[key] > 0))
        expected[key] -= 1
    return tuple(found)


def _sha256(mailbox: Mailbox, uid: int, part: Part) -> str:
    """The hash of the part's decoded octets. Base64 is decoded range by range, so that a large file is never held whole."""
    digest = hashlib.sha256()
    if part.encoding.strip().lower() != "base64":
        digest.update(_octets(mailbox, uid, part))
        return digest.hexdigest()
    waiting = b""
    for piece in _ranges(mailbox, uid, part):
        waiting += piece.translate(None, transfer.NOT_BASE64)
        whole = len(waiting) // 4 * 4
        digest.update(transfer.decode(waiting[:whole], "base64").octets)
        waiting = waiting[whole:]
    digest.update(transfer.decode(waiting, "base64").octets)
    return digest.hexdigest()


def _octets(mailbox: Mailbox, uid: int, part: Part) -> bytes:
    """The part's decoded octets."""
    return transfer.decode(b"".join(_ranges(mailbox, uid, part)), part.encoding).octets


def _ranges(mailbox: Mailbox, uid: int, part: Part) -> Iterator[bytes]:
    """The part, still encoded, in ranges."""
    place = 0
    while place < MAX_PART_OCTETS:
        piece = mailbox.section(uid, part.section, place, RANGE_OCTETS)
        yield piece
        place += len(piece)
        if len(piece) < RANGE_OCTETS:
            break
