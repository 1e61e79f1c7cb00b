"""`discard_attachment`: destroy one staged attachment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

from pydantic import Field

from proton_safe.call import READ_S
from proton_safe.refusals import Code
from proton_safe.tools.definition import Arguments, Capability, Result, ToolDefinition

if TYPE_CHECKING:
    from proton_safe.call import Call
    from proton_safe.engine import Engine

AttachmentToken = Annotated[
    str,
    Field(
        min_length=1,
        max_length=200,
        pattern=r"^[\x21-\x7e]+$",
        description="attachment_token of finish_attachment_upload, or the upload_id of an upload that is still open.",
    ),
]


class DiscardAttachmentArguments(Arguments):
    """Which staged attachment."""

    attachment_token: AttachmentToken


class DiscardAttachmentResult(Result):
    """It is gone."""

    discarded: bool = Field(description="True: the bytes were removed from the staging area.")


def discard_attachment(engine: Engine, _call: Call, arguments: DiscardAttachmentArguments) -> DiscardAttachmentResult:
    """Remove the staged bytes; asks nobody but the staging area."""
    engine.staging.discard(arguments.attachment_token)
    return DiscardAttachmentResult(discarded=True)


DISCARD_ATTACHMENT: Final = ToolDefinition(
    name="discard_attachment",
    title="Discard a staged attachment",
    description=(
        "Removes one staged attachment by its attachment_token, or an upload that is still open by its upload_id. The bytes are"
        " unlinked, not overwritten. Nothing in the mailbox changes."
    ),
    arguments=DiscardAttachmentArguments,
    result=DiscardAttachmentResult,
    capability=Capability.DISCARD,
    refusals=frozenset({Code.ATTACHMENT_TOKEN, Code.STATE_FOLDER_UNUSABLE}),
    seconds=READ_S,
    handler=discard_attachment,
)
