"""`discard_attachment`: destroy one staged attachment."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from proton_safe.tools.definition import Arguments, Result

AttachmentToken = Annotated[
    str, Field(min_length=1, max_length=200, pattern=r"^[\x21-\x7e]+$", description="attachment_token of finish_attachment_upload, or the upload_id of an upload that is still open.")
]


class DiscardAttachmentArguments(Arguments):
    """Which staged attachment."""

    attachment_token: AttachmentToken


class DiscardAttachmentResult(Result):
    """It is gone."""

    discarded: bool = Field(description="True: the bytes were removed from the staging area.")
