"""One message in the local store: its octets (read when asked for), its flags, and where it lies."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from fakebridge.mailstore.flags import NONE, Flags
from fakebridge.message.envelope import envelope
from fakebridge.message.structure import body, bodystructure


class Content(Protocol):
    """Where the octets of a message come from."""

    def built(self) -> bytes:
        """The whole message as Bridge builds it, without the store's own header line."""


@dataclass(slots=True, eq=False)
class Message:
    """A message as the store knows it.

    `number` counts the messages of a store; `identity` is the UUID that the store gave (None: the octets are served as they are, as in
    Recovered Messages); `remote` is the account's id; `date` is the message time in seconds since 1970 UTC; `homes` maps mailbox numbers
    to UIDs; `shows_identity`: a header line tells the identity. Envelope, structures and size are worked out once, on demand.
    """

    number: int
    remote: str
    date: int
    content: Content
    identity: str | None = None
    flags: Flags = NONE
    homes: dict[int, int] = field(default_factory=dict)
    gone: bool = False
    shows_identity: bool = True
    _size: int = -1
    _envelope: bytes | None = None
    _body: bytes | None = None
    _structure: bytes | None = None

    @property
    def recovered(self) -> bool:
        """Whether it is a local copy that the account does not know."""
        return self.identity is None

    def literal(self) -> bytes:
        """The octets that a client gets (BODY[])."""
        known = _latest.get(self)
        if known is not None:
            return known
        octets = self.content.built()
        if self.identity is not None and self.shows_identity:
            octets = b"X-Pm-Gluon-Id: " + self.identity.encode() + b"\r\n" + octets
        self._size = len(octets)
        # One command asks several times for the octets of one message, hardly ever for those of an earlier one.
        _latest.clear()
        _latest[self] = octets
        return octets

    def size(self) -> int:
        """RFC822.SIZE, octets."""
        if self._size < 0:
            self.literal()
        return self._size

    def envelope(self) -> bytes:
        """The value of ENVELOPE."""
        if self._envelope is None:
            self._envelope = envelope(self.literal())
        return self._envelope

    def body(self) -> bytes:
        """The value of BODY (structure without extension data)."""
        if self._body is None:
            self._body = body(self.literal())
        return self._body

    def structure(self) -> bytes:
        """The value of BODYSTRUCTURE."""
        if self._structure is None:
            self._structure = bodystructure(self.literal())
        return self._structure


_latest: dict[Message, bytes] = {}
"""The message that was read last, with its octets."""
