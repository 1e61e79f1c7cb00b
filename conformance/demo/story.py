"""The piece of work that the walk does: find an invoice, read it, and prepare a confirmed answer with an attachment."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from mcp_types import TextContent

from conformance.demo import screen

if TYPE_CHECKING:
    from mcp import Client

INVOICE: Final = "<invoice-114@fixtures.example>"
HOSTILE: Final = "<hostile-hidden@fixtures.example>"
CONFIRMATION: Final = ("payment-2026-114.csv", "text/csv", b"invoice,amount,paid on\r\n2026-114,as billed,2026-12-01\r\n")
MISTAKE: Final = ("notes.txt", "text/plain", b"Private notes that belong in no mail.\n")
BODY: Final = (
    "Dear Hanne,\n\nthank you for invoice 2026-114. I paid it today; the confirmation is attached.\n\n"
    "Kind regards\nAda\n\n-- \nKeller Bookbinding"
)


BODIES: Final = frozenset({"body_text", "text", "quoted_body"})  # shown as the fenced blocks that they are


class StoryError(Exception):
    """A step did not go as the story needs."""


@dataclass(slots=True)
class Walk:
    """A client that shows each call and its answer. `used` are the names of the tools called so far."""

    client: Client
    used: set[str] = field(default_factory=set)
    number: int = 0

    async def call(self, why: str, tool: str, **arguments: object) -> dict[str, Any]:
        """Call a tool, show question and answer, give the structured result. Raises StoryError on a refusal."""
        self.number += 1
        screen.step(self.number, why, tool, arguments)
        result = await self.client.call_tool(tool, arguments)
        texts = [part.text for part in result.content if isinstance(part, TextContent)]
        if result.is_error or not isinstance(result.structured_content, dict):
            raise StoryError(f"{tool}: {texts[0] if texts else 'no answer'}")
        self.used.add(tool)
        facts: dict[str, Any] = result.structured_content
        screen.answer({key: value for key, value in facts.items() if key not in BODIES}, texts[1:])
        return facts


async def tell(walk: Walk) -> dict[str, Any]:
    """The whole walk; gives the receipt of the draft."""
    screen.title("Looking around")
    await walk.call("Is Bridge there?", "mailbox_status")
    await walk.call("Which folders and labels are there?", "list_folders")
    await walk.call("From which addresses may a draft come?", "list_sender_addresses")
    await walk.call("What is new?", "list_messages", limit=5, unread_only=True)

    screen.title("A mail that tries to give orders")
    hostile = await find(walk, "One of the new mails looks odd: where is it?", "winter catalogue", HOSTILE)
    await walk.call("Hidden text is left out and counted; what is left stands fenced as data", "read_message", **hostile)

    screen.title("The invoice")
    invoice = await find(walk, "Find the paper maker's invoice", "invoice 2026-114", INVOICE)
    mail = await walk.call("Read it; the PDF is listed, not downloaded", "read_message", **invoice)
    index = next((row["attachment_index"] for row in mail["attachments"] if row["text_extractable"]), None)
    if index is None:
        raise StoryError("the invoice has no attachment to extract")
    await walk.call(
        "Extract the PDF's text in a child process", "extract_attachment_text", attachment_index=index, max_chars=2000, **invoice
    )
    context = await walk.call("What would an answer need?", "get_reply_context", max_quote_chars=500, **invoice)

    screen.title("Attachments: bytes, never paths")
    await discard(walk, await stage(walk, "Stage a file that was chosen by mistake", *MISTAKE))
    token = await stage(walk, "Stage the payment confirmation", *CONFIRMATION)

    screen.title("The person confirms recipients, subject, body and attachment")
    return await walk.call(
        "Store the confirmed draft; the person accepted that it stands outside the conversation",
        "create_confirmed_draft",
        to=[context["candidate_recipients"][0]["address"]],
        subject=context["suggested_subject"],
        body_text=BODY,
        user_confirmed=True,
        from_address="orders@keller.example",
        attachment_tokens=[token],
        reply_to_uid=invoice["uid"],
        reply_to_message_id=context["message_id"],
        allow_unthreaded_reply=True,
    )


async def find(walk: Walk, why: str, query: str, message_id: str) -> dict[str, Any]:
    """Search INBOX and give uid and uid_validity of the wanted mail."""
    page = await walk.call(why, "search_messages", query=query, limit=10)
    for row in page["messages"]:
        if row["message_id"] == message_id:
            return {"uid": row["uid"], "uid_validity": row["uid_validity"]}
    raise StoryError("the search did not find the mail it should find")


async def stage(walk: Walk, why: str, filename: str, content_type: str, octets: bytes) -> str:
    """Declare, upload and finish one file; gives its token."""
    digest = hashlib.sha256(octets).hexdigest()
    begun = await walk.call(
        why, "begin_attachment_upload", filename=filename, content_type=content_type, size_bytes=len(octets), sha256_hex=digest
    )
    upload = begun["upload_id"]
    await walk.call(
        "Send its bytes", "upload_attachment_chunk", upload_id=upload, chunk_index=0, data_base64=base64.b64encode(octets).decode()
    )
    finished = await walk.call("Have size, type and SHA-256 checked", "finish_attachment_upload", upload_id=upload)
    token: str = finished["attachment_token"]
    return token


async def discard(walk: Walk, token: str) -> None:
    """Destroy a staged file."""
    await walk.call("Take it back", "discard_attachment", attachment_token=token)
