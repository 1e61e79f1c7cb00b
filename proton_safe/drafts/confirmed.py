"""A draft exactly as the person confirmed it, and the digest that stands for it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from proton_safe.staging.upload import StagedFile

_DOMAIN: Final = b"proton-safe draft v1\n"


@dataclass(frozen=True, slots=True)
class Parent:
    """The message that a reply answers, as the caller names it; `uid_validity` is None if the caller named none."""

    folder: str
    uid: int
    message_id: str
    uid_validity: int | None = None


@dataclass(frozen=True, slots=True)
class ConfirmedDraft:
    """Sender in its configured spelling, recipients as given, subject on one line, body with line feeds, files, reply target."""

    sender: str
    to: tuple[str, ...]
    cc: tuple[str, ...]
    bcc: tuple[str, ...]
    subject: str
    body: str
    files: tuple[StagedFile, ...] = ()
    parent: Parent | None = None

    def digest(self) -> str:
        """SHA-256, in hexadecimal, over all of it in one canonical encoding: JSON with sorted keys behind a line that names its use."""
        parent = self.parent
        content = {
            "attachments": [[file.filename, file.content_type, len(file.octets), file.sha256] for file in self.files],
            "bcc": self.bcc,
            "body_sha256": hashlib.sha256(self.body.encode("utf-8")).hexdigest(),
            "cc": self.cc,
            "from": self.sender,
            "reply_to": None if parent is None else [parent.folder, parent.uid, parent.message_id],
            "subject": self.subject,
            "to": self.to,
        }
        encoded = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode("ascii")
        return hashlib.sha256(_DOMAIN + encoded).hexdigest()
