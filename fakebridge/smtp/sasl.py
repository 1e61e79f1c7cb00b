"""The two SASL mechanisms of the SMTP side, PLAIN and LOGIN, as exchanges of octets without any transport.

An exchange is fed with answers (None: the client gave no initial response) and yields a challenge or the credentials.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


class SaslError(Exception):
    """The exchange fails; ``text`` stands behind ``454 4.7.0 ``."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


@dataclass(frozen=True, slots=True)
class Credentials:
    """What the client said."""

    user: str
    password: str


class Exchange(Protocol):
    """One run of a mechanism."""

    def feed(self, answer: bytes | None) -> bytes | Credentials:
        """The next challenge, or the credentials at the end."""
        ...


class Plain:
    """RFC 4616: authorisation identity, user and password separated by NUL, in one answer."""

    def feed(self, answer: bytes | None) -> bytes | Credentials:
        """An empty challenge for no answer.

        Raises:
            SaslError: not three fields, or an identity other than the user.
        """
        if answer is None:
            return b""
        fields = answer.split(b"\0")
        if len(fields) != 3:
            raise SaslError("invalid response")
        identity, user, password = (_text(field) for field in fields)
        if identity and identity != user:
            raise SaslError("Identities not supported")
        return Credentials(user, password)


class Login:
    """User name and password in two answers; an initial response counts as the user name."""

    def __init__(self) -> None:
        self._user: str | None = None

    def feed(self, answer: bytes | None) -> bytes | Credentials:
        """The challenges ``Username:`` and ``Password:``, then the credentials."""
        if answer is None:
            return b"Username:"
        if self._user is None:
            self._user = _text(answer)
            return b"Password:"
        return Credentials(self._user, _text(answer))


def _text(octets: bytes) -> str:
    return octets.decode("utf-8", "surrogateescape")


def exchange(mechanism: str) -> Exchange | None:
    """The mechanism of that name (in capitals), None if there is none."""
    match mechanism:
        case "PLAIN":
            return Plain()
        case "LOGIN":
            return Login()
        case _:
            return None
