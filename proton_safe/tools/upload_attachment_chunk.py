"""`upload_attachment_chunk`: the next piece of an open upload."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from proton_safe.tools.definition import Arguments, Result

UploadId = Annotated[str, Field(min_length=32, max_length=32, pattern="^[0-9a-f]{32}$", description="upload_id of begin_attachment_upload.")]


class UploadAttachmentChunkArguments(Arguments):
    """Which upload, which piece, its octets."""

    upload_id: UploadId
    chunk_index: Annotated[int, Field(ge=0, le=26_214_399, description="Counts from 0; exactly next_chunk.")]
    data_base64: Annotated[
        str, Field(min_length=1, max_length=1_400_000, description="The chunk in canonical base64 (RFC 4648 4, with padding, no white space), 1 to 1400000 characters.")
    ]


class UploadAttachmentChunkResult(Result):
    """How far the upload is."""

    upload_id: str = Field(description="The upload.")
    received_bytes: int = Field(ge=0, description="Octets received so far.")
    expected_bytes: int = Field(ge=1, description="Octets declared.")
    next_chunk: int = Field(ge=0, description="The index of the next chunk.")
