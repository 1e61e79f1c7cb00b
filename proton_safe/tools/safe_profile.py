"""The thirteen tools of the profile `safe`, in the order in which they are listed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from proton_safe.tools.begin_attachment_upload import BEGIN_ATTACHMENT_UPLOAD
from proton_safe.tools.create_confirmed_draft import CREATE_CONFIRMED_DRAFT
from proton_safe.tools.discard_attachment import DISCARD_ATTACHMENT
from proton_safe.tools.extract_attachment_text import EXTRACT_ATTACHMENT_TEXT
from proton_safe.tools.finish_attachment_upload import FINISH_ATTACHMENT_UPLOAD
from proton_safe.tools.get_reply_context import GET_REPLY_CONTEXT
from proton_safe.tools.list_folders import LIST_FOLDERS
from proton_safe.tools.list_messages import LIST_MESSAGES
from proton_safe.tools.list_sender_addresses import LIST_SENDER_ADDRESSES
from proton_safe.tools.mailbox_status import MAILBOX_STATUS
from proton_safe.tools.read_message import READ_MESSAGE
from proton_safe.tools.search_messages import SEARCH_MESSAGES
from proton_safe.tools.upload_attachment_chunk import UPLOAD_ATTACHMENT_CHUNK

if TYPE_CHECKING:
    from proton_safe.tools.definition import ToolDefinition

TOOLS: Final[tuple[ToolDefinition[Any, Any], ...]] = (
    MAILBOX_STATUS,
    LIST_FOLDERS,
    LIST_SENDER_ADDRESSES,
    LIST_MESSAGES,
    SEARCH_MESSAGES,
    READ_MESSAGE,
    EXTRACT_ATTACHMENT_TEXT,
    GET_REPLY_CONTEXT,
    BEGIN_ATTACHMENT_UPLOAD,
    UPLOAD_ATTACHMENT_CHUNK,
    FINISH_ATTACHMENT_UPLOAD,
    DISCARD_ATTACHMENT,
    CREATE_CONFIRMED_DRAFT,
)
