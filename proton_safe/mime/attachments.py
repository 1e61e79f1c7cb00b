"""Which parts of a message are attachments, in a numbering that read_message and extract_attachment_text share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from proton_safe.mime.structure import Part, Tree

MAX_LISTED: Final = 100
UNNAMED: Final = "unnamed"
_EXTRACTABLE_TYPES: Final = frozenset({"application/pdf", "text/plain", "text/csv"})
_EXTRACTABLE_ENDS: Final = (".pdf", ".txt", ".csv")
_UNDECLARED: Final = frozenset({"application/octet-stream", "application/x-pdf", "application/download", "application/force-download"})


@dataclass(frozen=True, slots=True)
class Attachment:
    """One attachment: its index, the part that holds it, its decoded name."""

    index: int
    part: Part
    filename: str

    @property
    def size(self) -> int:
        """Size in octets; for base64 an estimate from the encoded size (four characters carry three octets, 78 octets a line of 76)."""
        if self.part.encoding != "base64":
            return self.part.size
        return self.part.size * 76 // 78 * 3 // 4

    @property
    def inline(self) -> bool:
        """Whether the sender marked it as part of the text."""
        return self.part.disposition == "inline" or (bool(self.part.content_id) and self.part.disposition != "attachment")

    @property
    def extractable(self) -> bool:
        """Whether its declared type or, for an undeclared one, its name promises PDF, plain text or CSV."""
        if self.part.media_type in _EXTRACTABLE_TYPES:
            return True
        return self.part.media_type in _UNDECLARED and self.filename.lower().endswith(_EXTRACTABLE_ENDS)


@dataclass(frozen=True, slots=True)
class AttachmentList:
    """The first 100 attachments and how many there are."""

    attachments: tuple[Attachment, ...]
    count: int


def is_body_text(part: Part) -> bool:
    """Whether a leaf is text of the message itself: plain or HTML, not declared an attachment, without a file name."""
    return part.media_type in {"text/plain", "text/html"} and part.disposition != "attachment" and not part.filename


def attachments(tree: Tree) -> AttachmentList:
    """Every leaf that is not the message's own text, in the order of the message; a message inside it counts as one."""
    found = [part for part in tree.leaves() if not is_body_text(part)]
    return AttachmentList(
        tuple(Attachment(index, part, part.filename or UNNAMED) for index, part in enumerate(found[:MAX_LISTED])), len(found)
    )
