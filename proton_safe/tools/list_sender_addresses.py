"""`list_sender_addresses`: the addresses that a draft may come from. Asks nobody: they are configured."""

from __future__ import annotations

from pydantic import Field

from proton_safe.tools.definition import Arguments, Result


class ListSenderAddressesArguments(Arguments):
    """No argument."""


class ListSenderAddressesResult(Result):
    """The primary address and all configured ones."""

    default_sender: str = Field(description="The primary address; used when a draft names none.")
    sender_addresses: list[str] = Field(description="All configured addresses, the primary one first.")
