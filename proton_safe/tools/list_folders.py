"""`list_folders`: the folders and labels that Bridge shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from pydantic import Field

from proton_safe.call import READ_S
from proton_safe.tools.bridge_refusals import BRIDGE_REFUSALS
from proton_safe.tools.definition import Arguments, Capability, Part, Result, ToolDefinition
from proton_safe.untrusted.marks import FolderName

if TYPE_CHECKING:
    from proton_safe.call import Call
    from proton_safe.engine import Engine

# Rows leave twice, as structured content and as text, and an answer is at most 1 MiB.
MAX_ROWS_OCTETS: Final = 480_000

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


def list_folders(engine: Engine, call: Call, _: ListFoldersArguments) -> ListFoldersResult:
    """Ask Bridge for all mailboxes; rows beyond the answer's size are counted as skipped."""
    listed = engine.pool.mailboxes(call)
    rows: list[FolderRow] = []
    octets = 0
    for known in listed.names:
        row = FolderRow(
            name=known.name, raw_name=known.raw_name, role=known.role.value if known.role else None, selectable=known.selectable
        )
        octets += len(row.model_dump_json().encode("utf-8"))
        if octets > MAX_ROWS_OCTETS:
            break
        rows.append(row)
    return ListFoldersResult(folders=rows, skipped=listed.skipped + len(listed.names) - len(rows))


LIST_FOLDERS: Final = ToolDefinition(
    name="list_folders",
    title="List folders",
    description=(
        "Lists the folders and labels of the mailbox with their names, their special use (inbox, drafts, sent and so on) and whether "
        "they can hold messages. Other tools accept either name or raw_name as folder. Folder names are text that others may have chosen."
    ),
    arguments=ListFoldersArguments,
    result=ListFoldersResult,
    capability=Capability.READ,
    refusals=BRIDGE_REFUSALS,
    seconds=READ_S,
    handler=list_folders,
)
