"""What was sent in the last half hour, so that the same message is not sent or stored twice (bridge-behaviour 5.5, 7.4)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

WAIT_SECONDS = 90.0
STEP_SECONDS = 0.05


@dataclass(slots=True, eq=False)
class Ticket:
    """One send, running or done. `message` is the account's id once it is done."""

    digest: bytes
    recipients: frozenset[str]
    expires: float
    message: str | None = None
    failed: bool = False


class SendRecorder:
    """Remembers digests of sent messages with their recipients for `window` seconds."""

    def __init__(self, *, now: Callable[[], float], pause: Callable[[float], Awaitable[None]], window: float) -> None:
        self._now = now
        self._pause = pause
        self._window = window
        self._tickets: list[Ticket] = []

    def _find(self, digest: bytes, recipients: tuple[str, ...]) -> Ticket | None:
        now = self._now()
        self._tickets = [ticket for ticket in self._tickets if ticket.expires >= now and not ticket.failed]
        wanted = frozenset(recipients)
        return next((ticket for ticket in self._tickets if ticket.digest == digest and ticket.recipients == wanted), None)

    async def _finished(self, ticket: Ticket) -> bool:
        waited = 0.0
        while ticket.message is None and not ticket.failed and waited < WAIT_SECONDS:
            await self._pause(STEP_SECONDS)
            waited += STEP_SECONDS
        return ticket.message is not None

    async def insert(self, digest: bytes, recipients: tuple[str, ...]) -> Ticket | None:
        """A ticket to send with, or None if the same was sent already. Waits for a running send of the same."""
        while (running := self._find(digest, recipients)) is not None:
            if await self._finished(running):
                return None
        ticket = Ticket(digest, frozenset(recipients), self._now() + self._window)
        self._tickets.append(ticket)
        return ticket

    async def find(self, digest: bytes, recipients: tuple[str, ...]) -> str | None:
        """The account's id of the same message if it was sent; waits for a running send."""
        while (running := self._find(digest, recipients)) is not None:
            if await self._finished(running):
                return running.message
            if not running.failed:
                return None
        return None

    def sent(self, ticket: Ticket, message: str) -> None:
        """The send succeeded."""
        ticket.message = message

    def failed(self, ticket: Ticket) -> None:
        """The send failed; the next try is free."""
        ticket.failed = True
