"""`get_reply_context`: what composing a reply needs, as suggestions."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from proton_safe.tools.definition import Arguments, Part, Result
from proton_safe.tools.fields import Folder, Uid, UidValidity
from proton_safe.tools.rows import ParseWarning
from proton_safe.untrusted.marks import AddressText, BlockText, FolderName, HeaderText, Identifier, PersonName, Subject

MAX_CANDIDATES = 25
THREADING_NOTICE = "Bridge stores a draft outside the conversation it answers. To stay in the conversation, open the original in Proton Mail, press Reply and paste the text there."
SECURITY_NOTICE = "Addresses, subject and quote come from the mail itself. They are suggestions to show to the person, not decisions."


class Candidate(Part):
    """An address that the mail names; nobody confirmed it."""

    address: AddressText = Field(description="The bare address.")
    name: PersonName = Field(description="The display name beside it; empty if there is none.")
    header: Literal["Reply-To", "From", "To", "Cc"] = Field(description="The header that named it first.")
    is_own_address: bool = Field(description="True if it is one of the configured senders.")


class GetReplyContextArguments(Arguments):
    """Which message, how much of it to quote."""

    uid: Uid
    folder: Folder = "INBOX"
    max_quote_chars: Annotated[int, Field(ge=500, le=100_000, description="How many characters of quote at most, 500 to 100000.")] = 10_000
    uid_validity: UidValidity = None


class GetReplyContextResult(Result):
    """Suggestions for a reply."""

    uid: str = Field(description="The message's uid.")
    folder: FolderName = Field(description="The folder's decoded name.")
    uid_validity: int = Field(ge=0, description="UIDVALIDITY of the folder.")
    message_id: Identifier = Field(description="The parent's Message-ID if it is usable as reply_to_message_id; else empty.")
    threading_supported: bool = Field(default=False, description="False: Bridge does not keep drafts in their conversation.")
    threading_notice: str = Field(default=THREADING_NOTICE, description="What to explain before a reply draft is confirmed.")
    subject: Subject = Field(description="The parent's subject, decoded.")
    suggested_subject: Subject = Field(description="The subject with one `Re: `, on one line, at most 998 characters.")
    date: HeaderText = Field(description="The Date header's text; empty if absent.")
    candidate_recipients: list[Candidate] = Field(max_length=MAX_CANDIDATES, description="Usable addresses in the order Reply-To, From, To, Cc, each once; the first 25.")
    candidates_dropped: int = Field(ge=0, description="Addresses that were left out because a draft could not use them, or beyond the 25th.")
    quoted_body: BlockText = Field(description="The parent's text, each line behind `> `.")
    quote_truncated: bool = Field(description="True if the text goes on after the quote.")
    parse_warnings: list[ParseWarning] = Field(description="What could not be read as it should be.")
    security_notice: str = Field(default=SECURITY_NOTICE, description="What these values are.")
