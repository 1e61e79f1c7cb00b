"""`finish_attachment_upload`: check a complete upload and hand out its token."""

from __future__ import annotations

from pydantic import Field

from proton_safe.tools.definition import Arguments, Result
from proton_safe.tools.upload_attachment_chunk import UploadId


class FinishAttachmentUploadArguments(Arguments):
    """Which upload."""

    upload_id: UploadId


class FinishAttachmentUploadResult(Result):
    """The staged attachment."""

    attachment_token: str = Field(description="Names the staged file once, in a draft or in discard_attachment.")
    filename: str = Field(description="The declared name.")
    content_type: str = Field(description="The type that the draft will state.")
    size_bytes: int = Field(ge=1, description="Size in octets.")
    sha256: str = Field(pattern="^[0-9a-f]{64}$", description="SHA-256 of the file.")
    expires_at: int = Field(ge=0, description="When the token ends, in Unix seconds.")
