"""The rows that lists, searches and reads have in common."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, WithJsonSchema

from proton_safe.mime.defects import Defect
from proton_safe.tools.definition import Part, Result
from proton_safe.untrusted.marks import AddressText, FolderName, HeaderText, Identifier, PersonName, Subject

MAX_ROW_ADDRESSES = 20

ParseWarning = Defect
# The closed set is published once, with `read_message`: `tools/list` is read by every client at every start and must stay small.
SameWarning = Annotated[Defect, WithJsonSchema({"type": "string"})]


class AddressRow(Part):
    """One address of a header (RFC 5322 mailbox)."""

    name: PersonName = Field(description="Display name, decoded; empty if there is none.")
    address: AddressText = Field(description="The addr-spec as written; empty if unreadable.")


Addresses = Annotated[list[AddressRow], Field(max_length=MAX_ROW_ADDRESSES, description="The first 20 addresses.")]


class MessageRow(Part):
    """What a list or a search shows of one message."""

    uid: str = Field(pattern=r"^[1-9][0-9]{0,9}$", description="Names the message within this folder and uid_validity.")
    uid_validity: int = Field(ge=0, description="UIDVALIDITY of the folder.")
    from_: Addresses = Field(alias="from", description="From, the first 20 addresses.")
    to: Addresses = Field(description="To, the first 20 addresses.")
    to_count: int = Field(ge=0, description="How many addresses To holds.")
    subject: Subject = Field(description="Subject, decoded.")
    date: HeaderText = Field(description="The Date header's text; empty if absent.")
    date_iso: str | None = Field(description="The Date header as RFC 3339 with the sender's offset; null if unreadable.")
    received: str = Field(description="When the account received it (INTERNALDATE), RFC 3339 in UTC; empty if Bridge did not say.")
    message_id: Identifier = Field(description="The Message-ID; empty if absent or malformed.")
    unread: bool = Field(description="True if the message has not been read.")
    starred: bool = Field(description="True if the message is starred.")
    size_bytes: int | None = Field(description="Size of the whole message in octets; null if Bridge did not say.")
    parse_warnings: list[SameWarning] = Field(description="What could not be read as it should be, in the words of read_message.")


PageWarning = Literal[
    "search-base64-left-out",
    "search-case-left-out",
    "search-decomposed-left-out",
    "search-html-left-out",
    "search-long-phrase",
    "search-unfinished",
]


class Rows(Result):
    """What pages of lists and searches have in common, newest first (by INTERNALDATE, then uid)."""

    folder: FolderName = Field(description="The folder's decoded name.")
    messages: list[MessageRow] = Field(max_length=100, description="The rows of this page.")
    next_cursor: str | None = Field(description="Pass as cursor to read on; null at the end.")
    uid_validity: int = Field(ge=0, description="UIDVALIDITY of the folder.")
    skipped: int = Field(ge=0, description="Messages of this page that vanished while it was read.")
    warnings: list[PageWarning] = Field(description="In which forms a phrase was not looked for, or that time ran out.")


class Page(Rows):
    """One page of a list."""

    total: int = Field(ge=0, description="How many messages match in all.")


class SearchPage(Rows):
    """One page of what a search found."""

    total: int | None = Field(description="How many messages match in all; null if the search was not finished in time.")
    partial: bool = Field(
        description="True: time ran out, and messages that match may be missing here; it does not mean that nothing was found."
    )
