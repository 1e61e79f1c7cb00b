"""`begin_attachment_upload`: declare a file that a draft is to carry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

from pydantic import Field

from proton_safe.call import READ_S
from proton_safe.config import MAX_ATTACHMENT_BYTES
from proton_safe.refusals import Code
from proton_safe.tools.definition import Arguments, Capability, Result, ToolDefinition
from proton_safe.tools.fields import ONE_LINE

if TYPE_CHECKING:
    from proton_safe.call import Call
    from proton_safe.engine import Engine


class BeginAttachmentUploadArguments(Arguments):
    """What the file is: name, type, size, digest."""

    filename: Annotated[
        str,
        Field(
            min_length=1,
            max_length=180,
            pattern=ONE_LINE,
            description="Base name with one of the allowed endings; at most 180 characters and 180 UTF-8 octets.",
        ),
    ]
    content_type: Annotated[
        str,
        Field(
            min_length=1,
            max_length=127,
            pattern=r"^[a-z0-9][a-z0-9.+-]*/[a-z0-9][a-z0-9.+-]*$",
            description="MIME type of that ending, or application/octet-stream.",
        ),
    ]
    size_bytes: Annotated[
        int,
        Field(ge=1, le=MAX_ATTACHMENT_BYTES.highest, description="Size of the file in octets; the server's configured limit may be lower."),
    ]
    sha256_hex: Annotated[
        str,
        Field(min_length=64, max_length=64, pattern="^[0-9a-f]{64}$", description="SHA-256 of the file, 64 lower-case hexadecimal digits."),
    ]


class BeginAttachmentUploadResult(Result):
    """The open upload."""

    upload_id: str = Field(pattern="^[0-9a-f]{32}$", description="Names the upload.")
    max_chunk_bytes: int = Field(ge=1, description="Largest chunk, in octets before base64.")
    expires_at: int = Field(ge=0, description="When upload and token end, in Unix seconds.")


def begin_attachment_upload(engine: Engine, _call: Call, arguments: BeginAttachmentUploadArguments) -> BeginAttachmentUploadResult:
    """Declare the file; asks nobody but the staging area."""
    begun = engine.staging.begin(
        filename=arguments.filename, content_type=arguments.content_type, size_bytes=arguments.size_bytes, sha256_hex=arguments.sha256_hex
    )
    return BeginAttachmentUploadResult(upload_id=begun.upload_id, max_chunk_bytes=begun.max_chunk_bytes, expires_at=begun.expires_at)


BEGIN_ATTACHMENT_UPLOAD: Final = ToolDefinition(
    name="begin_attachment_upload",
    title="Begin an attachment upload",
    description=(
        "Declares a file that a draft is to carry: name, type, size and SHA-256. The bytes follow in upload_attachment_chunk; "
        "no path is ever taken. Types: PDF, DOCX, XLSX, PPTX, TXT, CSV, PNG, JPEG, at most 20 MiB unless configured otherwise. "
        "Name, declared type and content must agree. At most 10 uploads are open at a time and 100 MiB staged in all. An upload"
        " and its token end 30 minutes after this call unless configured otherwise, and with the server."
    ),
    arguments=BeginAttachmentUploadArguments,
    result=BeginAttachmentUploadResult,
    capability=Capability.STAGE,
    refusals=frozenset(
        {Code.ATTACHMENT_TYPE, Code.ATTACHMENT_TYPE_MISMATCH, Code.ATTACHMENT_TOO_LARGE, Code.UPLOAD_QUOTA, Code.STATE_FOLDER_UNUSABLE}
    ),
    seconds=READ_S,
    handler=begin_attachment_upload,
)
