"""`mailbox_status`: is Bridge there, and how much is in INBOX."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from pydantic import Field

from proton_safe.call import READ_S
from proton_safe.imap import questions
from proton_safe.imap.mailboxes import INBOX
from proton_safe.tools.bridge_refusals import BRIDGE_REFUSALS
from proton_safe.tools.definition import Arguments, Capability, Result, ToolDefinition

if TYPE_CHECKING:
    from proton_safe.call import Call
    from proton_safe.engine import Engine


class MailboxStatusArguments(Arguments):
    """No argument."""


class MailboxStatusResult(Result):
    """The account and INBOX's counts (RFC 3501 6.3.10)."""

    connected: bool = Field(description="True: Bridge answered and accepted the login.")
    account: str = Field(description="The configured address.")
    inbox_messages: int | None = Field(description="Messages in INBOX; null if Bridge did not say.")
    inbox_unread: int | None = Field(description="Unread messages in INBOX; null if Bridge did not say.")


def mailbox_status(engine: Engine, call: Call, _: MailboxStatusArguments) -> MailboxStatusResult:
    """Ask for INBOX's counts now."""
    counts = engine.pool.ask(partial(questions.status, raw_name=INBOX.raw_name), call)
    return MailboxStatusResult(
        connected=True, account=engine.config.user, inbox_messages=counts.get(b"MESSAGES"), inbox_unread=counts.get(b"UNSEEN")
    )


MAILBOX_STATUS: Final = ToolDefinition(
    name="mailbox_status",
    title="Check the mailbox",
    description=(
        "Tells whether Proton Mail Bridge answers and accepts the login, for which address, and how many messages and unread "
        "messages INBOX holds. Reads no mail and changes nothing."
    ),
    arguments=MailboxStatusArguments,
    result=MailboxStatusResult,
    capability=Capability.READ,
    refusals=BRIDGE_REFUSALS,
    seconds=READ_S,
    handler=mailbox_status,
)
