"""What the SMTP side needs of the rest: logging in, own addresses, the memory of what was sent, and delivery.

Protocols and the one refusal. Nothing here knows of sockets.
"""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from fakebridge.account.addresses import OwnAddress
from fakebridge.bridge.recorder import SendRecorder
from fakebridge.faults.plan import FaultPlan
from fakebridge.journal import Journal
from fakebridge.message.accountserver import AccountServer
from fakebridge.message.stored import StoredMessage
from fakebridge.profile import RefusalTexts


class Refused(Exception):
    """A message is refused; ``text`` stands behind ``554 5.0.0 Error: `` (it may hold a line end of the message's own)."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


class Submission(Protocol):
    """The account as SMTP sees it."""

    @property
    def recorder(self) -> SendRecorder:
        """The memory of what was sent in the last half hour."""
        ...

    @property
    def journal(self) -> Journal:
        """The evidence."""
        ...

    @property
    def faults(self) -> FaultPlan:
        """The fault plan."""
        ...

    @property
    def server(self) -> AccountServer:
        """The account server behind it."""
        ...

    @property
    def refusal_texts(self) -> RefusalTexts:
        """How refusals are worded."""
        ...

    @property
    def logged_in(self) -> bool:
        """Whether the account is signed in to Bridge."""
        ...

    def authenticate(self, user: str, password: str) -> bool:
        """Whether user name and password are right."""
        ...

    def addresses(self) -> tuple[OwnAddress, ...]:
        """All own addresses, the primary one first."""
        ...

    def now(self) -> datetime:
        """The present moment, UTC."""
        ...

    def new_message_id(self) -> str:
        """The account's id for a new message."""
        ...

    def find_parent(self, references: tuple[str, ...]) -> str | None:
        """The account's id of the message that is replied to."""
        ...

    def draft_references(self, references: tuple[str, ...]) -> tuple[str, ...]:
        """Drafts among the references; they are deleted after the send."""
        ...

    def parent_reference(self, parent: str) -> str:
        """The Message-ID of a parent, in brackets."""
        ...

    async def read_settings(self) -> None:
        """The account's mail settings, read before each send. ApiError while the account server is away."""
        ...

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
        """Send, keep the Sent copy, and return its id."""
        ...
