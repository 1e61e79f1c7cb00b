"""Labels as Proton has them: system labels with fixed ids, folders (a message has at most one place) and labels (as many as wanted).

Labels and folders share one name space on the account (dialogue 11).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

INBOX = "0"
TRASH = "3"
SPAM = "4"
ALL_MAIL = "5"
ARCHIVE = "6"
SENT = "7"
DRAFTS = "8"
STARRED = "10"
SCHEDULED = "12"

SYSTEM_NAMES = {
    INBOX: "INBOX",
    DRAFTS: "Drafts",
    SENT: "Sent",
    STARRED: "Starred",
    ARCHIVE: "Archive",
    SPAM: "Spam",
    TRASH: "Trash",
    ALL_MAIL: "All Mail",
    SCHEDULED: "Scheduled",
}


class LabelKind(StrEnum):
    """The three kinds."""

    SYSTEM = "system"
    FOLDER = "folder"
    LABEL = "label"


@dataclass(frozen=True, slots=True)
class Label:
    """One label or folder. `path` runs from the outermost parent to the own name."""

    id: str
    kind: LabelKind
    path: tuple[str, ...]
    parent: str = ""

    @property
    def mailbox_name(self) -> str:
        """How Bridge calls it in IMAP (bridge-behaviour 2.1)."""
        if self.kind is LabelKind.SYSTEM:
            return SYSTEM_NAMES[self.id]
        return "/".join(("Folders" if self.kind is LabelKind.FOLDER else "Labels", *self.path))


class LabelBook:
    """All labels of an account, by id."""

    def __init__(self) -> None:
        self._labels = {label: Label(label, LabelKind.SYSTEM, (name,)) for label, name in SYSTEM_NAMES.items()}
        self._made = 0

    def get(self, label: str) -> Label | None:
        """The label of that id, or None."""
        return self._labels.get(label)

    def own(self) -> list[Label]:
        """Folders and labels in the order of their making."""
        return [label for label in self._labels.values() if label.kind is not LabelKind.SYSTEM]

    def by_path(self, kind: LabelKind, path: tuple[str, ...]) -> Label | None:
        """The folder or label of that path."""
        return next((label for label in self._labels.values() if label.kind is kind and label.path == path), None)

    def by_mailbox_name(self, name: str) -> Label | None:
        """The label that IMAP shows under this name."""
        return next((label for label in self._labels.values() if label.mailbox_name == name), None)

    def is_taken(self, name: str, parent: str, *, but: str = "") -> bool:
        """Whether a folder or label of that name exists beside, whichever kind it is."""
        return any(label.path[-1] == name and label.parent == parent and label.id != but for label in self.own())

    def create(self, kind: LabelKind, name: str, parent: str = "") -> Label:
        """A new folder or label; KeyError if there is no such parent."""
        self._made += 1
        above = self._labels[parent].path if parent else ()
        label = Label(f"label-{self._made}", kind, (*above, name), parent)
        self._labels[label.id] = label
        return label

    def update(self, label: str, name: str, parent: str = "") -> list[Label]:
        """Rename or move one; the changed ones, children included, outermost first."""
        old = self._labels[label]
        above = self._labels[parent].path if parent else ()
        new = Label(label, old.kind, (*above, name), parent)
        self._labels[label] = new
        changed = [new]
        for other in list(self._labels.values()):
            if other.id != label and other.kind is old.kind and other.path[: len(old.path)] == old.path:
                moved = Label(other.id, other.kind, (*new.path, *other.path[len(old.path) :]), other.parent)
                self._labels[other.id] = moved
                changed.append(moved)
        return changed

    def delete(self, label: str) -> list[Label]:
        """Remove one with its children; the removed ones, outermost first."""
        old = self._labels[label]
        inside = [other for other in self._labels.values() if other.kind is old.kind and other.path[: len(old.path)] == old.path]
        for gone in inside:
            del self._labels[gone.id]
        return sorted(inside, key=lambda gone: len(gone.path))
