"""For `proton-safe-mcp trust`: which certificate is on Bridge's port, and pinning it after the person's yes. Sends no password."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from proton_safe.imap import pins as pinning
from proton_safe.imap import tls
from proton_safe.imap.deadline import Deadline
from proton_safe.imap.opening import connect, start_tls
from proton_safe.imap.pins import Pins
from proton_safe.refusals import Refusal

if TYPE_CHECKING:
    from proton_safe.call import Call
    from proton_safe.config import Config


@dataclass(frozen=True, slots=True)
class ObservedCertificate:
    """SHA-256 fingerprints, 64 hex digits: the certificate that was shown just now, and the pinned one.

    `pinned` is None when there is none; `damaged` says that the pin file can't be read.
    """

    shown: str
    pinned: str | None
    damaged: bool

    @property
    def matches(self) -> bool:
        """Whether the certificate is the pinned one."""
        return self.shown == self.pinned


def observe_certificate(config: Config, call: Call) -> ObservedCertificate:
    """Connect, STARTTLS, look, close. Raises `bridge-unreachable`, `tls-required`, `connection-lost`, `bad-response`, `deadline`."""
    deadline = Deadline(call)
    connection = connect(config.imap_port, deadline)
    try:
        shown = tls.fingerprint(start_tls(connection, deadline))
    finally:
        connection.close()
    try:
        pinned, damaged = Pins(config.state_dir).known(pinning.key(config)), False
    except Refusal:
        pinned, damaged = None, True
    return ObservedCertificate(shown, pinned, damaged)


def accept_certificate(config: Config, fingerprint: str, call: Call) -> None:
    """Pin `fingerprint` for this account and port. Call it after the person compared both fingerprints and said yes."""
    Pins(config.state_dir).accept(pinning.key(config), fingerprint, Deadline(call))
