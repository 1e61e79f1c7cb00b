"""Which parts are the text of a message and which are its attachments, in a numbering that all tools share.

Both follow from the tree alone: what is no text of the message itself is an attachment, and nothing is both or neither, but for a
lone named text and for parts that are withheld.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from proton_safe.mime.parameters import value

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from proton_safe.mime.defects import Defect
    from proton_safe.mime.structure import Part, Tree

MAX_LISTED: Final = 100
MAX_TEXT_PARTS: Final = 20
UNNAMED: Final = "unnamed"
_EXTRACTABLE_TYPES: Final = frozenset({"application/pdf", "text/plain", "text/csv"})
_EXTRACTABLE_ENDS: Final = (".pdf", ".txt", ".csv")
_NO_PROSE: Final = frozenset({"text/calendar", "text/vcard", "text/x-vcard", "text/directory", "text/css", "text/javascript", "text/csv"})
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
        """Whether its declared type or, for an undeclared one, each name that it gives itself promises PDF, plain text or CSV."""
        if self.part.withheld:
            return False
        if self.part.media_type in _EXTRACTABLE_TYPES:
            return True
        names = self.part.filenames
        return self.part.media_type in _UNDECLARED and bool(names) and all(name.lower().endswith(_EXTRACTABLE_ENDS) for name in names)


@dataclass(frozen=True, slots=True)
class AttachmentList:
    """The first 100 attachments and how many there are."""

    attachments: tuple[Attachment, ...]
    count: int


def is_body_text(part: Part, *, form: bool = False) -> bool:
    """Whether a leaf is text that is shown with the message: plain or HTML, not declared an attachment, without a file name.

    `form`: it is one of several forms of the same text, where a file name is no sign of a file.
    """
    return part.text and part.disposition != "attachment" and (form or not part.filename)


def text_parts(tree: Tree) -> tuple[Part, ...]:
    """The parts that make up the message's own text, at most 20; a named text, or one of an unknown kind, only where there is no other."""
    texts = _texts(tree)
    if texts:
        return texts[:MAX_TEXT_PARTS]
    named = (
        part for part in tree.leaves() if part.disposition != "attachment" and (part.text or (part is tree.root and _is_foreign(part)))
    )
    return tuple(named)[:1]


def _is_foreign(part: Part) -> bool:
    """Whether it is text of a kind that is unknown here, which is shown as plain text where it is all that a mail is (RFC 2046 4.1.4)."""
    return part.media_type.startswith("text/") and part.media_type not in _NO_PROSE and not part.filename


def attachments(tree: Tree) -> AttachmentList:
    """Every leaf that is not the message's own text, in the order of the message; a message inside it counts as one."""
    texts = {part.section for part in _texts(tree)}
    found = [part for part in tree.leaves() if part.section not in texts]
    return AttachmentList(
        tuple(Attachment(index, part, part.filename or UNNAMED) for index, part in enumerate(found[:MAX_LISTED])), len(found)
    )


def conflicts(listed: Iterable[Attachment]) -> tuple[Defect, ...]:
    """A warning if an attachment gives itself several names, since a person may see another one than the first."""
    return ("filename-conflict",) if any(len(each.part.filenames) > 1 for each in listed) else ()


def _texts(tree: Tree) -> tuple[Part, ...]:
    """The leaves that are text of the message itself. The tree is at most 20 levels deep (`structure.MAX_DEPTH`)."""
    return tuple(_texts_of(tree.root, form=False))


def _texts_of(part: Part, *, form: bool) -> Iterator[Part]:
    if not part.children:
        if is_body_text(part, form=form):
            yield part
        return
    kind = part.media_type
    if kind == "multipart/related":
        shown: tuple[Part, ...] = (root_of(part),)
    elif kind == "multipart/signed":
        shown = part.children[:1]  # RFC 1847 2.1: the second part is the signature
    else:
        shown = part.children
    for child in shown:
        yield from _texts_of(child, form=kind == "multipart/alternative")


def root_of(related: Part) -> Part:
    """The part of a multipart/related that is shown (RFC 2387 3.2): the one that `start` names, else the first."""
    start = value(related.parameters, "start").strip("<> \t")
    named = (child for child in related.children if start and child.content_id == start)
    return next(named, related.children[0])
