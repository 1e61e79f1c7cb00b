"""`list_folders`: the folders and labels that Bridge shows."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from proton_safe.tools.definition import Arguments, Part, Result
from proton_safe.untrusted.marks import FolderName

Role = Literal["inbox", "drafts", "sent", "flagged", "archive", "junk", "trash", "all"]


class FolderRow(Part):
    """One mailbox (RFC 3501 7.2.2, RFC 6154 for roles)."""

    name: FolderName = Field(description="The name, decoded from modified UTF-7.")
    raw_name: FolderName = Field(description="The name as Bridge spells it.")
    role: Role | None = Field(description="Special use, from the LIST attributes; null for ordinary folders and labels.")
    selectable: bool = Field(description="False for names that only group others.")


class ListFoldersArguments(Arguments):
    """No argument."""


class ListFoldersResult(Result):
    """All mailboxes, by decoded name, INBOX first."""

    folders: list[FolderRow] = Field(description="The folders.")
    skipped: int = Field(ge=0, description="Rows of Bridge's answer that could not be read.")
