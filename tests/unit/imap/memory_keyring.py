"""A keyring backend that keeps its passwords in memory, written against the library's own base class."""

from __future__ import annotations

from typing import TYPE_CHECKING

from keyring.backend import KeyringBackend

if TYPE_CHECKING:
    import threading


class MemoryKeyring(KeyringBackend):
    """A backend as keyring's documentation describes one; never chosen by itself."""

    priority = -1

    def __init__(self, failure: Exception | None = None) -> None:
        super().__init__()  # type: ignore[no-untyped-call] # keyring leaves it untyped
        self.passwords: dict[tuple[str, str], str] = {}
        self.asked: list[tuple[str, str]] = []
        self.failure = failure
        self.prompt: threading.Event | None = None
        self.one_after_the_other: list[str] = []

    def get_password(self, service: str, username: str) -> str | None:
        """What was stored, after the prompt if there is one."""
        self.asked.append((service, username))
        if self.prompt is not None:
            self.prompt.wait(30)
        if self.failure is not None:
            raise self.failure
        if self.one_after_the_other:
            return self.one_after_the_other.pop(0)
        return self.passwords.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        """Store."""
        self.passwords[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        """Forget."""
        del self.passwords[service, username]
