"""`mailbox_status`: is Bridge there, and how much is in INBOX."""

from __future__ import annotations

from pydantic import Field

from proton_safe.tools.definition import Arguments, Result


class MailboxStatusArguments(Arguments):
    """No argument."""


class MailboxStatusResult(Result):
    """The account and INBOX's counts (RFC 3501 6.3.10)."""

    connected: bool = Field(description="True: Bridge answered and accepted the login.")
    account: str = Field(description="The configured address.")
    inbox_messages: int | None = Field(description="Messages in INBOX; null if Bridge did not say.")
    inbox_unread: int | None = Field(description="Unread messages in INBOX; null if Bridge did not say.")
