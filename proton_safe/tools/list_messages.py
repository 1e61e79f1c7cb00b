"""`list_messages`: a page of a folder, newest first."""

from __future__ import annotations

from pydantic import Field

from proton_safe.tools.definition import Arguments
from proton_safe.tools.fields import Cursor, Folder, Limit


class ListMessagesArguments(Arguments):
    """Which folder, how many, unread ones only."""

    folder: Folder = "INBOX"
    limit: Limit = 20
    unread_only: bool = Field(default=False, description="True: only messages that have not been read.")
    cursor: Cursor = None
