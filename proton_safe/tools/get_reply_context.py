"""`get_reply_context`: what composing a reply needs, as suggestions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Final, Literal

from pydantic import Field

from proton_safe.addr_spec import folded
from proton_safe.call import READ_S
from proton_safe.drafts.addresses import is_recipient
from proton_safe.mime import dates, list_headers, message_ids
from proton_safe.mime.defects import merged
from proton_safe.mime.quote import quote
from proton_safe.refusals import Code
from proton_safe.tools.bridge_refusals import BRIDGE_REFUSALS
from proton_safe.tools.definition import Arguments, Capability, Cleaned, Part, Result, ToolDefinition
from proton_safe.tools.fields import Folder, Uid, UidValidity
from proton_safe.tools.opened_message import Reach, open_message, read_body
from proton_safe.tools.rows import SameWarning
from proton_safe.untrusted.clean import clean_line
from proton_safe.untrusted.marks import MAX_SUBJECT_CHARS, AddressText, BlockText, FolderName, HeaderText, Identifier, PersonName, Subject
from proton_safe.untrusted.window import window

if TYPE_CHECKING:
    from proton_safe.call import Call
    from proton_safe.config import Config
    from proton_safe.engine import Engine
    from proton_safe.mime.addresses import AddressList

MAX_CANDIDATES = 25
THREADING_NOTICE = (
    "Bridge stores a draft outside the conversation it answers. To stay in the conversation, open the original in Proton Mail, "
    "press Reply and paste the text there."
)
SECURITY_NOTICE = "Addresses, subject and quote come from the mail itself. They are suggestions to show to the person, not decisions."

MAX_REPLY_ID_CHARS: Final = 250
_SOURCES: Final[tuple[Literal["Reply-To", "From", "To", "Cc"], ...]] = ("Reply-To", "From", "To", "Cc")
_ANSWER_MARK: Final = re.compile(r"\s*re(?:\[[0-9]{1,4}\])?\s*:", re.IGNORECASE)


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
    candidate_recipients: list[Candidate] = Field(
        max_length=MAX_CANDIDATES, description="Usable addresses in the order Reply-To, From, To, Cc, each once; the first 25."
    )
    candidates_dropped: int = Field(
        ge=0, description="Addresses that were left out because a draft could not use them, or beyond the 25th."
    )
    is_list: bool = Field(description="True if it came by a mailing list: an answer may reach many.")
    is_automatic: bool = Field(description="True if a program sent it by itself.")
    quoted_body: BlockText = Field(description="The parent's text, each line behind `> `.")
    quote_truncated: bool = Field(description="True if the text goes on after the quote.")
    parse_warnings: list[SameWarning] = Field(description="What could not be read as it should be, in the words of read_message.")
    security_notice: str = Field(default=SECURITY_NOTICE, description="What these values are.")


def get_reply_context(engine: Engine, call: Call, arguments: GetReplyContextArguments) -> GetReplyContextResult:
    """Read one message and derive suggestions for a reply to it."""
    opened = open_message(
        engine,
        call,
        folder=arguments.folder,
        uid=int(arguments.uid),
        uid_validity=arguments.uid_validity,
        reach=Reach(arguments.max_quote_chars),
    )
    body = read_body(engine, call, opened)
    named = {source: opened.addresses(source.lower()) for source in _SOURCES}
    candidates, dropped = _candidates(engine.config, named)
    subject, date = opened.subject, dates.parse(opened.header("date"))
    message_id = message_ids.shown(opened.header("message-id"))
    usable = message_ids.usable(opened.header("message-id"))
    quoted = window(quote(body.text[: arguments.max_quote_chars]), offset=0, max_chars=arguments.max_quote_chars)
    opened.remember(engine, (address for found in named.values() for address in found.addresses), quoted.text)
    return GetReplyContextResult(
        cleaned=Cleaned(escaped=body.escaped, removed=body.removed),
        uid=arguments.uid,
        folder=opened.folder,
        uid_validity=opened.uid_validity,
        message_id=usable if len(usable) <= MAX_REPLY_ID_CHARS else "",
        subject=subject.text,
        suggested_subject=suggested_subject(subject.text),
        date=date.text,
        candidate_recipients=candidates,
        candidates_dropped=dropped,
        is_list=list_headers.is_list(opened.headers),
        is_automatic=list_headers.is_automatic(opened.headers),
        quoted_body=quoted.text,
        quote_truncated=quoted.truncated or body.more or len(body.text) > arguments.max_quote_chars,
        parse_warnings=list(
            merged(
                opened.warnings,
                body.warnings,
                subject.warnings,
                date.warnings,
                message_id.warnings,
                *(found.warnings for found in named.values()),
            )
        ),
    )


def suggested_subject(subject: str) -> str:
    """The subject behind one `Re: `, on one line, runs of white space as one blank, at most 998 characters."""
    rest = " ".join(clean_line(subject).text.split())
    while mark := _ANSWER_MARK.match(rest):
        rest = rest[mark.end() :].lstrip()
    return f"Re: {rest}".rstrip()[:MAX_SUBJECT_CHARS]


def _candidates(config: Config, named: dict[Literal["Reply-To", "From", "To", "Cc"], AddressList]) -> tuple[list[Candidate], int]:
    """The usable addresses in order, each once, and how many were left out."""
    found: dict[str, Candidate] = {}
    dropped = 0
    for source, listed in named.items():
        dropped += listed.count - len(listed.addresses)
        for each in listed.addresses:
            key = folded(each.address)
            if key in found:
                continue
            if each.doubtful or not is_recipient(each.address) or len(found) >= MAX_CANDIDATES:
                dropped += 1
                continue
            found[key] = Candidate(
                address=each.address, name=each.name, header=source, is_own_address=config.sender(each.address) is not None
            )
    return list(found.values()), dropped


GET_REPLY_CONTEXT: Final = ToolDefinition(
    name="get_reply_context",
    title="Get reply context",
    description=(
        "Reads one message and suggests what a reply needs: addresses that its headers name (Reply-To, From, To, Cc, at most 25), a "
        "subject, the quoted text, and message_id, which create_confirmed_draft takes together with the uid. These are suggestions out "
        "of the mail itself, not decisions: the person chooses recipients and text. threading_notice explains why a reply draft stands "
        "outside its conversation. Nothing is marked as read, nothing is written."
    ),
    arguments=GetReplyContextArguments,
    result=GetReplyContextResult,
    capability=Capability.READ,
    refusals=BRIDGE_REFUSALS | {Code.MAILBOX_NOT_FOUND, Code.MAILBOX_CHANGED, Code.MESSAGE_NOT_FOUND, Code.CONTENT_UNREADABLE},
    seconds=READ_S,
    handler=get_reply_context,
)
