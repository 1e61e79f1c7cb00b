"""A keyring that nobody unlocks."""

from __future__ import annotations

from keyring.backend import KeyringBackend
from keyring.errors import KeyringLocked


class Keyring(KeyringBackend):
    """Holds an entry for everybody and gives it to nobody."""

    priority = 1.0

    def get_password(self, service: str, username: str) -> str | None:  # noqa: ARG002 - the library's signature
        """Always locked."""
        raise KeyringLocked("the keyring is locked")

    def set_password(self, service: str, username: str, password: str) -> None:  # noqa: ARG002 - the library's signature
        """Always locked."""
        raise KeyringLocked("the keyring is locked")
