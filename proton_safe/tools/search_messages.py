"""`search_messages`: messages whose headers or body hold a phrase."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from proton_safe.tools.definition import Arguments
from proton_safe.tools.fields import ONE_LINE, Cursor, Folder, Limit

Query = Annotated[str, Field(min_length=1, max_length=500, pattern=ONE_LINE, description="One phrase, 1 to 500 characters; runs of white space count as one blank. No operators.")]


class SearchMessagesArguments(Arguments):
    """The phrase, the folder, how many."""

    query: Query
    folder: Folder = "INBOX"
    limit: Limit = 20
    cursor: Cursor = None
