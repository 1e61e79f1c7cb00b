"""A message as the account keeps it: parsed headers, one body, attachments, and what the service knows about it.

Values only. Bridge builds the octets that a client sees from such a message (``build``); a draft, an import or a sent message
becomes one (``draft``, ``imported``).
"""

from dataclasses import dataclass
from enum import Enum

from fakebridge.message.addresses import Address


class Origin(Enum):
    """How the message came to be; a draft shows no Reply-To."""

    DRAFT = "draft"
    RECEIVED = "received"
    SENT = "sent"


class Disposition(Enum):
    """Where an attachment is shown."""

    ATTACHMENT = "attachment"
    INLINE = "inline"


@dataclass(frozen=True, slots=True)
class Attachment:
    """A decoded attachment. ``media_type`` may carry parameters; ``content_id`` is bare; ``headers`` are what the service kept."""

    name: str
    media_type: str
    disposition: Disposition
    content_id: str
    data: bytes
    headers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class StoredMessage:
    """One message of the account.

    ``headers`` are name and unfolded value in stored order. ``time`` is the service's, in seconds since 1970. ``external_id`` is a
    Message-ID without its brackets, empty if there is none. ``body`` is text in UTF-8, or, for ``multipart/mixed``, a whole MIME
    entity. A missing sender is None.
    """

    internal_id: str
    external_id: str
    headers: tuple[tuple[str, str], ...]
    subject: str
    sender: Address | None
    to: tuple[Address, ...]
    cc: tuple[Address, ...]
    bcc: tuple[Address, ...]
    reply_to: tuple[Address, ...]
    time: int
    mime_type: str
    body: bytes
    attachments: tuple[Attachment, ...]
    origin: Origin
