"""`finish_attachment_upload`: check a complete upload and hand out its token."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pydantic import Field

from proton_safe.call import READ_S
from proton_safe.refusals import Code
from proton_safe.tools.definition import Arguments, Capability, Result, ToolDefinition
from proton_safe.tools.upload_attachment_chunk import UploadId

if TYPE_CHECKING:
    from proton_safe.call import Call
    from proton_safe.engine import Engine


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


def finish_attachment_upload(engine: Engine, _call: Call, arguments: FinishAttachmentUploadArguments) -> FinishAttachmentUploadResult:
    """Check the file and hand out its token; asks nobody but the staging area."""
    done = engine.staging.finish(arguments.upload_id)
    return FinishAttachmentUploadResult(
        attachment_token=done.attachment_token,
        filename=done.filename,
        content_type=done.content_type,
        size_bytes=done.size_bytes,
        sha256=done.sha256,
        expires_at=done.expires_at,
    )


FINISH_ATTACHMENT_UPLOAD: Final = ToolDefinition(
    name="finish_attachment_upload",
    title="Finish an attachment upload",
    description=(
        "Checks a complete upload (size, SHA-256, signature and structure of the content) and returns attachment_token, which "
        "names the file once in create_confirmed_draft or discard_attachment. A wrong digest or a content of another type "
        "destroys the upload. Office files with macros, encryption or more than 2000 container entries are refused."
    ),
    arguments=FinishAttachmentUploadArguments,
    result=FinishAttachmentUploadResult,
    capability=Capability.STAGE,
    refusals=frozenset(
        {
            Code.UPLOAD_NOT_FOUND,
            Code.UPLOAD_INCOMPLETE,
            Code.HASH_MISMATCH,
            Code.ATTACHMENT_TYPE_MISMATCH,
            Code.ATTACHMENT_TOO_COMPLEX,
            Code.STATE_FOLDER_UNUSABLE,
        }
    ),
    seconds=READ_S,
    handler=finish_attachment_upload,
)
