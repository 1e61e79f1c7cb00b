"""The row that stands for a received attachment."""

from __future__ import annotations

from pydantic import Field

from proton_safe.tools.definition import Part
from proton_safe.untrusted.marks import FileName, HeaderText


class AttachmentRow(Part):
    """One attachment of a received message. Its bytes never leave the server."""

    attachment_index: int = Field(ge=0, le=99, description="Names the attachment in extract_attachment_text.")
    filename: FileName = Field(description="The sender's file name; `unnamed` if there is none.")
    content_type: HeaderText = Field(description="The declared MIME type.")
    size_bytes: int = Field(ge=0, description="Size in octets; an estimate for encoded parts until the text is extracted.")
    text_extractable: bool = Field(description="True if extract_attachment_text handles this type.")
    inline: bool = Field(description="True if the sender marked it as part of the text.")
