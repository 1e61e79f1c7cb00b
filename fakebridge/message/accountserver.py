"""What the account server keeps of a message: which headers, which dates, in which order attachments come back.

Two servers: Proton's as far as it is known (``PROTON``, the default), and the simulated one behind the recordings (``SIMULATED``),
whose doings are no evidence about Bridge: it keeps only a handful of headers, dates everything in year 1 or 1970, sorts attachments
and forgets their Content-IDs.
"""

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from enum import Enum
from typing import Final

from fakebridge.message import mediatype
from fakebridge.message.addresses import Address, format_address, format_list
from fakebridge.message.attachments import FoundAttachment
from fakebridge.message.dates import WrittenDate, written_rfc1123, written_short
from fakebridge.message.draft import DraftContent
from fakebridge.message.stored import Attachment, Disposition, Origin, StoredMessage

NO_DATE: Final = WrittenDate(1, 1, 1, 0, 0, 0, 0, "UTC")


class AccountServer(Enum):
    """Which account server stands behind Bridge."""

    PROTON = "proton"
    SIMULATED = "simulated"


def keep_draft(content: DraftContent, *, sender: Address, internal_id: str, time: int, server: AccountServer) -> StoredMessage:
    """A draft as the account keeps it. ``sender`` is the account's own address with its display name; ``time`` in seconds."""
    return _keep(
        content,
        sender=sender,
        internal_id=internal_id,
        time=time,
        server=server,
        found=tuple(_drafted(item) for item in content.attachments),
        origin=Origin.DRAFT,
    )


def keep_sent(
    content: DraftContent, *, sender: Address, internal_id: str, time: int, server: AccountServer, in_reply_to: str = ""
) -> StoredMessage:
    """The Sent copy. ``content`` has its final recipient lists; ``in_reply_to`` is the Message-ID of the parent, with brackets."""
    kept = _keep(
        content,
        sender=sender,
        internal_id=internal_id,
        time=time,
        server=server,
        found=tuple(_sent(item) for item in content.attachments),
        origin=Origin.SENT,
    )
    if not in_reply_to:
        return kept
    extra = (("References", in_reply_to), ("In-Reply-To", in_reply_to))
    return replace(kept, headers=(*kept.headers[:-1], *extra, kept.headers[-1]))


def _keep(
    content: DraftContent,
    *,
    sender: Address,
    internal_id: str,
    time: int,
    server: AccountServer,
    found: tuple[Attachment, ...],
    origin: Origin,
) -> StoredMessage:
    simulated = server is AccountServer.SIMULATED
    subject = clean(content.subject)
    sender = _clean_address(sender)
    to, cc, bcc = (tuple(map(_clean_address, addresses)) for addresses in (content.to, content.cc, content.bcc))
    date = written_short(NO_DATE) if simulated else written_rfc1123(datetime.fromtimestamp(time, UTC))
    return StoredMessage(
        internal_id=internal_id,
        external_id=clean(content.external_id),
        headers=written_headers(subject=subject, sender=sender, lists=(to, cc, bcc), kind=content.mime_type, date=date),
        subject=subject,
        sender=sender,
        to=to,
        cc=cc,
        bcc=bcc,
        reply_to=(),
        time=0 if simulated else time,
        mime_type=content.mime_type,
        body=content.body,
        attachments=arranged(found, server),
        origin=origin,
    )


def written_headers(
    *,
    subject: str,
    sender: Address | None,
    lists: tuple[Iterable[Address], Iterable[Address], Iterable[Address]],
    kind: str,
    date: str,
) -> tuple[tuple[str, str], ...]:
    """The headers that a server writes itself: Subject, From, To, Cc, Bcc, Content-Type, Date; empty lists are left out."""
    headers = [("Subject", subject)]
    if sender is not None and (sender.name or sender.address):
        headers.append(("From", format_address(sender)))
    for name, addresses in zip(("To", "Cc", "Bcc"), lists, strict=True):
        written = format_list(addresses)
        if written:
            headers.append((name, written))
    if kind:
        headers.append(("Content-Type", kind))
    headers.append(("Date", date))
    return tuple(headers)


def clean(text: str) -> str:
    """Text as it comes through the service's JSON: octets that are no UTF-8 become U+FFFD."""
    return "".join("\ufffd" if 0xDC80 <= ord(char) <= 0xDCFF else char for char in text)


def _clean_address(address: Address) -> Address:
    return Address(clean(address.name), clean(address.address))


def _drafted(item: FoundAttachment) -> Attachment:
    """An attachment of a draft: type without parameters, inline only with both a disposition and a Content-ID."""
    inline = item.disposition == "inline" and item.content_id != ""
    return Attachment(
        name=clean(item.name),
        media_type=item.media_type.kind,
        disposition=Disposition.INLINE if inline else Disposition.ATTACHMENT,
        content_id=clean(item.content_id),
        data=item.data,
    )


def _sent(item: FoundAttachment) -> Attachment:
    """An attachment of a sent message: parameters kept, inline also if only the Content-ID says so."""
    inline = item.content_id != "" and item.disposition != "attachment"
    params = {key: value for key, value in item.media_type.params.items() if key not in {"name", "filename"}}
    return Attachment(
        name=clean(item.name),
        media_type=mediatype.write(item.media_type.kind, params),
        disposition=Disposition.INLINE if inline else Disposition.ATTACHMENT,
        content_id=clean(item.content_id),
        data=item.data,
    )


def arranged(found: tuple[Attachment, ...], server: AccountServer) -> tuple[Attachment, ...]:
    """The attachments as they come back.

    The simulated server sorts those with a Content-ID by it and the others, behind them, by name, and keeps only the last of equal
    ones. Proton keeps the order and gives the Content-ID back as a header.
    """
    if server is AccountServer.SIMULATED:
        by_id = {item.content_id: item for item in found if item.content_id}
        by_name = {item.name: item for item in found if not item.content_id}
        ordered = [by_id[key] for key in sorted(by_id)] + [by_name[key] for key in sorted(by_name)]
        return tuple(replace(item, headers=()) for item in ordered)
    return tuple(replace(item, headers=(("Content-Id", f"<{item.content_id}>"),)) if item.content_id else item for item in found)
