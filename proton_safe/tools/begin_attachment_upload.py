"""`begin_attachment_upload`: declare a file that a draft is to carry."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from proton_safe.config import MAX_ATTACHMENT_BYTES
from proton_safe.tools.definition import Arguments, Result
from proton_safe.tools.fields import ONE_LINE


class BeginAttachmentUploadArguments(Arguments):
    """What the file is: name, type, size, digest."""

    filename: Annotated[str, Field(min_length=1, max_length=180, pattern=ONE_LINE, description="Base name with one of the allowed endings; at most 180 characters and 180 UTF-8 octets.")]
    content_type: Annotated[
        str, Field(min_length=1, max_length=127, pattern=r"^[a-z0-9][a-z0-9.+-]*/[a-z0-9][a-z0-9.+-]*$", description="MIME type of that ending, or application/octet-stream.")
    ]
    size_bytes: Annotated[int, Field(ge=1, le=MAX_ATTACHMENT_BYTES.highest, description="Size of the file in octets; the server's configured limit may be lower.")]
    sha256_hex: Annotated[str, Field(min_length=64, max_length=64, pattern="^[0-9a-f]{64}$", description="SHA-256 of the file, 64 lower-case hexadecimal digits.")]


class BeginAttachmentUploadResult(Result):
    """The open upload."""

    upload_id: str = Field(pattern="^[0-9a-f]{32}$", description="Names the upload.")
    max_chunk_bytes: int = Field(ge=1, description="Largest chunk, in octets before base64.")
    expires_at: int = Field(ge=0, description="When upload and token end, in Unix seconds.")
