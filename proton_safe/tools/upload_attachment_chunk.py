"""`upload_attachment_chunk`: the next piece of an open upload."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

from pydantic import Field

from proton_safe.call import READ_S
from proton_safe.refusals import Code
from proton_safe.tools.definition import Arguments, Capability, Result, ToolDefinition

if TYPE_CHECKING:
    from proton_safe.call import Call
    from proton_safe.engine import Engine

UploadId = Annotated[
    str, Field(min_length=32, max_length=32, pattern="^[0-9a-f]{32}$", description="upload_id of begin_attachment_upload.")
]


class UploadAttachmentChunkArguments(Arguments):
    """Which upload, which piece, its octets."""

    upload_id: UploadId
    chunk_index: Annotated[int, Field(ge=0, le=26_214_399, description="Counts from 0; exactly next_chunk.")]
    data_base64: Annotated[
        str,
        Field(
            min_length=1,
            max_length=1_400_000,
            description="The chunk in canonical base64 (RFC 4648 4, with padding, no white space), 1 to 1400000 characters.",
        ),
    ]


class UploadAttachmentChunkResult(Result):
    """How far the upload is."""

    upload_id: str = Field(description="The upload.")
    received_bytes: int = Field(ge=0, description="Octets received so far.")
    expected_bytes: int = Field(ge=1, description="Octets declared.")
    next_chunk: int = Field(ge=0, description="The index of the next chunk.")


def upload_attachment_chunk(engine: Engine, _call: Call, arguments: UploadAttachmentChunkArguments) -> UploadAttachmentChunkResult:
    """Append one chunk; asks nobody but the staging area."""
    progress = engine.staging.add_chunk(upload_id=arguments.upload_id, chunk_index=arguments.chunk_index, data_base64=arguments.data_base64)
    return UploadAttachmentChunkResult(
        upload_id=arguments.upload_id,
        received_bytes=progress.received_bytes,
        expected_bytes=progress.expected_bytes,
        next_chunk=progress.next_chunk,
    )


UPLOAD_ATTACHMENT_CHUNK: Final = ToolDefinition(
    name="upload_attachment_chunk",
    title="Upload an attachment chunk",
    description=(
        "Adds the next piece of an open upload. Chunks are encoded in base64 each on its own, at most max_chunk_bytes before "
        "encoding, and come in order from 0; a repeated, skipped or too large chunk is refused and changes nothing. More bytes "
        "than were declared destroy the upload."
    ),
    arguments=UploadAttachmentChunkArguments,
    result=UploadAttachmentChunkResult,
    capability=Capability.STAGE,
    refusals=frozenset({Code.UPLOAD_NOT_FOUND, Code.CHUNK_TOO_LARGE, Code.CHUNK_ORDER, Code.UPLOAD_OVERRUN, Code.STATE_FOLDER_UNUSABLE}),
    seconds=READ_S,
    handler=upload_attachment_chunk,
)
