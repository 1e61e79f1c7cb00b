"""The part of a read message that says what to look at before trusting its sender."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from pydantic import Field

from proton_safe.mime import addresses, sender
from proton_safe.mime.sender import MAX_DOMAINS, SenderFlag
from proton_safe.tools.definition import Part
from proton_safe.tools.rows import MAX_ROW_ADDRESSES, Addresses, AddressRow
from proton_safe.untrusted.marks import HeaderText

if TYPE_CHECKING:
    from collections.abc import Iterable

    from proton_safe.config import Config
    from proton_safe.mime.addresses import AddressList, MailAddress
    from proton_safe.tools.opened_message import OpenedMessage

MAX_AUTHENTICATION_RESULTS: Final = 5


class SenderPanel(Part):
    """What the headers claim about the sender; nothing here is verified."""

    reply_to: Addresses = Field(description="Reply-To where it differs from From; else empty.")
    sent_by: Addresses = Field(description="Sender where it differs from From; else empty.")
    resent_from: Addresses = Field(description="Resent-From, the last one first.")
    authentication_results: list[HeaderText] = Field(
        description="Authentication-Results headers as they stand, unverified; the first five."
    )
    verification: Literal["unverified"] = Field(default="unverified", description="No header proves who wrote this.")
    flags: list[SenderFlag] = Field(description="What differs from what one would expect.")
    domains: list[HeaderText] = Field(
        max_length=MAX_DOMAINS,
        description="Domains of these that are not ASCII, mix scripts or look like one of yours: xn-- form, then (letters).",
    )


def panel(
    opened: OpenedMessage, config: Config, *, from_: AddressList, reply_to: AddressList
) -> tuple[SenderPanel, tuple[MailAddress, ...]]:
    """What the header block says of the sender, and the addresses beyond From that it shows."""
    own_domains = {address.rpartition("@")[2] for address in config.senders}
    look = sender.look_at(from_, reply_to, sender=opened.addresses("sender"), own_domains=own_domains)
    resent = [each for value in opened.headers.every("resent-from") for each in addresses.parse(value).addresses]
    shown = SenderPanel(
        reply_to=_rows(look.reply_to),
        sent_by=_rows(look.sent_by),
        resent_from=_rows(resent),
        authentication_results=[
            opened.text(value) for value in opened.headers.every("authentication-results")[:MAX_AUTHENTICATION_RESULTS]
        ],
        flags=list(look.flags),
        domains=[each.ascii if each.ascii == each.unicode else f"{each.ascii} ({each.unicode})" for each in look.domains],
    )
    return shown, (*look.reply_to, *look.sent_by, *resent[:MAX_ROW_ADDRESSES])


def _rows(found: Iterable[MailAddress]) -> list[AddressRow]:
    return [AddressRow(name=each.name, address=each.address) for each in list(found)[:MAX_ROW_ADDRESSES]]
