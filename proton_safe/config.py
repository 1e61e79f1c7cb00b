"""The settings of one process, read once at start into a frozen value.

`config` holds the value and its bounds; `settings` reads it from the environment or from the managed file.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

    from proton_safe.secret import Secret

BRIDGE_HOST: Final = "127.0.0.1"
KEYRING_SERVICE: Final = "proton-safe-mcp"


@dataclass(frozen=True, slots=True)
class Bound:
    """A setting's default and its inclusive bounds."""

    default: int
    lowest: int
    highest: int


IMAP_PORT: Final = Bound(1143, 1, 65_535)
MAX_ATTACHMENT_BYTES: Final = Bound(20_971_520, 1, 26_214_400)
MAX_RECEIVED_ATTACHMENT_BYTES: Final = Bound(10_485_760, 1, 26_214_400)
MAX_CHUNK_BYTES: Final = Bound(393_216, 1, 1_048_576)
UPLOAD_TTL_SECONDS: Final = Bound(1_800, 1, 86_400)
MAX_BODY_CHARS: Final = Bound(100_000, 1, 500_000)
MAX_ALIASES: Final = 24


@dataclass(frozen=True, slots=True)
class Config:
    """What the operator chose. Sizes in octets unless the name says characters; times in seconds."""

    user: str
    aliases: tuple[str, ...]
    imap_port: int
    password: Secret | None
    state_dir: Path
    max_attachment_bytes: int = MAX_ATTACHMENT_BYTES.default
    max_received_attachment_bytes: int = MAX_RECEIVED_ATTACHMENT_BYTES.default
    max_chunk_bytes: int = MAX_CHUNK_BYTES.default
    upload_ttl_seconds: int = UPLOAD_TTL_SECONDS.default
    max_body_chars: int = MAX_BODY_CHARS.default

    @property
    def senders(self) -> tuple[str, ...]:
        """The primary address, then the aliases: the only addresses that a draft may come from."""
        return (self.user, *self.aliases)

    def sender(self, address: str) -> str | None:
        """The configured spelling of `address`, compared without the case of ASCII letters; None when it isn't configured.

        Configured addresses are ASCII. A character that merely folds to an ASCII letter (KELVIN SIGN) makes another address.
        """
        if not address.isascii():
            return None
        lowered = address.lower()
        return next((known for known in self.senders if known.lower() == lowered), None)
