"""The attachments that Bridge makes of the parts of a draft or a sent message.

Every leaf that is not text, every part with disposition attachment, every text/calendar. Names come from the disposition, then from
the type, then from a table of usual endings (bridge-behaviour 5.2; dialogues 21, 23, 43).
"""

from dataclasses import dataclass
from typing import Final

from fakebridge.message import mediatype
from fakebridge.message.bodies import kind_of
from fakebridge.message.mediatype import MediaType, MediaTypeError
from fakebridge.message.mimetree import Entity

_ENDINGS: Final = {
    "application/gzip": ".gz",
    "application/json": ".json",
    "application/msword": ".doc",
    "application/pdf": ".pdf",
    "application/pgp-keys": ".asc",
    "application/pgp-signature": ".asc",
    "application/xml": ".xml",
    "application/zip": ".zip",
    "audio/mpeg": ".mp3",
    "image/gif": ".gif",
    "image/jpeg": ".jpe",
    "image/png": ".png",
    "image/svg+xml": ".svg",
    "image/tiff": ".tif",
    "image/webp": ".webp",
    "text/calendar": ".ics",
    "text/css": ".css",
    "text/csv": ".csv",
    "text/html": ".htm",
    "text/plain": ".asc",
    "text/vcard": ".vcard",
    "text/xml": ".xml",
    "video/mp4": ".mp4",
}


@dataclass(frozen=True, slots=True)
class FoundAttachment:
    """A part to be kept as attachment. ``disposition`` is what the part says, empty if nothing; ``content_id`` only if it counts."""

    name: str
    media_type: MediaType
    disposition: str
    content_id: str
    data: bytes


def collect(entity: Entity) -> tuple[FoundAttachment, ...]:
    """All attachments of a tree in order.

    Raises:
        MediaTypeError: the type or disposition of an attachment cannot be read.
    """
    found: list[FoundAttachment] = []
    _collect(entity, found)
    return tuple(found)


def _collect(entity: Entity, found: list[FoundAttachment]) -> None:
    kind = kind_of(entity)
    attached = "attachment" in _disposition(entity).kind or "text/calendar" in kind
    if attached or ("text/" not in kind and not entity.children):
        found.append(_attachment(entity))
    for child in entity.children:
        _collect(child, found)


def _disposition(entity: Entity) -> MediaType:
    try:
        return entity.disposition()
    except MediaTypeError:
        return MediaType("", {})


def _attachment(entity: Entity) -> FoundAttachment:
    value = entity.get("Content-Type")
    kind = mediatype.parse(value) if value else MediaType("text/plain", {})
    placed = _disposition(entity)
    name = placed.params.get("filename", "") or kind.params.get("name", "")
    if not name and "name" not in kind.params:
        name = "message.eml" if kind.kind == "message/rfc822" else "attachment" + _ENDINGS.get(kind.kind, ".bin")
    content_id = ""
    if not entity.has("Content-Disposition") or entity.disposition().kind == "inline":
        content_id = entity.get("Content-Id").strip(" <>")
    return FoundAttachment(name, kind, placed.kind, content_id, entity.body)
