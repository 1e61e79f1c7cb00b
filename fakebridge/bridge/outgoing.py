"""What the SMTP side needs of Bridge: logging in, the send recorder, the Sent copy, and a sink that keeps what was accepted.

Facts: bridge-behaviour 7.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from fakebridge.account.addresses import OwnAddress
from fakebridge.account.contents import StoredContent
from fakebridge.account.message import AccountMessage
from fakebridge.bridge.recorder import SendRecorder
from fakebridge.journal import Journal, Kind
from fakebridge.message.accountserver import AccountServer
from fakebridge.message.stored import Origin, StoredMessage
from fakebridge.profile import RefusalTexts

if TYPE_CHECKING:
    from fakebridge.bridge.service import Bridge
    from fakebridge.faults.plan import FaultPlan

INTERNAL = "@protonmail.internalid"


@dataclass(frozen=True, slots=True)
class Accepted:
    """One message that was sent: envelope and octets as the client gave them, and the account's id of the Sent copy."""

    sender: str
    recipients: tuple[str, ...]
    literal: bytes
    message: str


class Outgoing:
    """One for a Bridge; SMTP handlers share it."""

    def __init__(self, bridge: Bridge) -> None:
        self._bridge = bridge
        self.recorder = SendRecorder(now=bridge.clock.now, pause=bridge.clock.pause, window=bridge.profile.duplicate_window_seconds)
        self.sink: list[Accepted] = []

    @property
    def journal(self) -> Journal:
        """The evidence."""
        return self._bridge.journal

    @property
    def faults(self) -> FaultPlan:
        """The fault plan."""
        return self._bridge.faults

    @property
    def server(self) -> AccountServer:
        """The account server behind it."""
        return self._bridge.profile.account_server

    @property
    def refusal_texts(self) -> RefusalTexts:
        """How refusals are worded."""
        return self._bridge.profile.smtp_refusal_texts

    def authenticate(self, user: str, password: str) -> bool:
        """Whether user and password are right; any enabled address, letter case ignored, no throttle (7.1)."""
        own = self._bridge.account.addresses.exact(user)
        accepted = self._bridge.logged_in and own is not None and own.enabled and password == self._bridge.password
        self.journal.record(Kind.SMTP, what="auth", user=user, accepted=accepted)
        return accepted

    @property
    def logged_in(self) -> bool:
        """Whether the account is signed in to Bridge."""
        return self._bridge.logged_in

    def addresses(self) -> tuple[OwnAddress, ...]:
        """All own addresses, the primary one first."""
        return self._bridge.account.addresses.all

    def now(self) -> datetime:
        """The present moment, UTC."""
        return self._bridge.clock.moment()

    def new_message_id(self) -> str:
        """The account's id for a message to be sent."""
        return self._bridge.new_message_id()

    def find_parent(self, references: tuple[str, ...]) -> str | None:
        """The account's id of the message that a reply belongs to (7.3): internal ids first, the last wins; then the last external id."""
        messages = self._bridge.account.messages
        parent = None
        external = ""
        for reference in references:
            if reference.endswith(INTERNAL):
                known = messages.get(reference.removesuffix(INTERNAL))
                if known is not None and known.origin is not Origin.DRAFT:
                    parent = known.id
            else:
                external = reference
        if parent is not None or not external:
            return parent
        found = [message for message in messages.values() if message.content.stored().external_id == external]
        if len(found) == 1:
            return found[0].id if found[0].origin is not Origin.DRAFT else None
        return next((message.id for message in found if message.origin is Origin.SENT), None)

    def draft_references(self, references: tuple[str, ...]) -> tuple[str, ...]:
        """The referenced drafts, which are deleted after a successful send (7.3)."""
        messages = self._bridge.account.messages
        ids = [reference.removesuffix(INTERNAL) for reference in references if reference.endswith(INTERNAL)]
        return tuple(one for one in ids if one in messages and messages[one].origin is Origin.DRAFT)

    def parent_reference(self, parent: str) -> str:
        """The Message-ID of a parent, in brackets, as the service puts it into the reply's headers."""
        stored = self._bridge.account.messages[parent].content.stored()
        return f"<{stored.external_id}>" if stored.external_id else f"<{parent}{INTERNAL}>"

    async def read_settings(self) -> None:
        """The account's mail settings, which Bridge reads before each send. ApiError while the server is away."""
        account = self._bridge.account
        if not account.online:
            await self._bridge.clock.pause(self._bridge.profile.offline_hang_seconds)
        account.reach("GET", "/mail/v4/settings")

    async def deliver(
        self,
        stored: StoredMessage,
        *,
        sender: str,
        recipients: tuple[str, ...],
        literal: bytes,
        parent: str | None = None,
        forwards: bool = False,
        drafts: tuple[str, ...] = (),
    ) -> str:
        """Send: the Sent copy appears at the next poll, the parent is marked, referenced drafts go. ApiError while the server is away."""
        account = self._bridge.account
        if not account.online:
            await self._bridge.clock.pause(self._bridge.profile.offline_hang_seconds)
        account.reach("POST", "/mail/v4/messages")
        address = stored.sender.address if stored.sender is not None else sender
        own = account.addresses.find(address) or account.addresses.primary
        message = account.add(
            AccountMessage(
                id=stored.internal_id,
                address=own.id,
                origin=Origin.SENT,
                time=int(self._bridge.clock.now()),
                content=StoredContent(stored),
            )
        )
        if parent is not None and parent in account.messages:
            if forwards:
                account.messages[parent].forwarded = True
            else:
                account.messages[parent].replied = True
            account.events.message(parent)
        account.delete_messages(drafts)
        self.sink.append(Accepted(sender, recipients, literal, message.id))
        return message.id
