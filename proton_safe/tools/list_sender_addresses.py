"""`list_sender_addresses`: the addresses that a draft may come from. Asks nobody: they are configured."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pydantic import Field

from proton_safe.call import READ_S
from proton_safe.tools.definition import Arguments, Capability, Result, ToolDefinition

if TYPE_CHECKING:
    from proton_safe.call import Call
    from proton_safe.engine import Engine


class ListSenderAddressesArguments(Arguments):
    """No argument."""


class ListSenderAddressesResult(Result):
    """The primary address and all configured ones."""

    default_sender: str = Field(description="The primary address; used when a draft names none.")
    sender_addresses: list[str] = Field(description="All configured addresses, the primary one first.")


def list_sender_addresses(engine: Engine, _call: Call, _: ListSenderAddressesArguments) -> ListSenderAddressesResult:
    """Show the configured addresses."""
    return ListSenderAddressesResult(default_sender=engine.config.user, sender_addresses=list(engine.config.senders))


LIST_SENDER_ADDRESSES: Final = ToolDefinition(
    name="list_sender_addresses",
    title="List sender addresses",
    description=(
        "Lists the addresses that a draft may come from: the account's primary address, which is the default, and the configured "
        "aliases. Answers from the server's settings; Bridge is not asked."
    ),
    arguments=ListSenderAddressesArguments,
    result=ListSenderAddressesResult,
    capability=Capability.READ,
    refusals=frozenset(),
    seconds=READ_S,
    handler=list_sender_addresses,
)
