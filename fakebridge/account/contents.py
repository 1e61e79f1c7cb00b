"""Where the octets of an account's message come from: octets served by Bridge before, a stored message, an original mail, a recipe.

All of them are read or made when they are asked for, so that a large world costs nothing at its start.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from fakebridge.message import header
from fakebridge.message.build import BuildOptions, build
from fakebridge.message.mbox import MboxError, strip_mbox_lines
from fakebridge.message.stored import StoredMessage

KEPT_OCTETS = 65_536
"""Messages up to this size are kept once they have been built."""

GLUON_ID = b"X-Pm-Gluon-Id"


class AccountContent(Protocol):
    """What an account's message holds."""

    def built(self) -> bytes:
        """The whole message as Bridge builds it, without the store's own header line."""
        ...

    def buildable(self) -> bool:
        """Whether Bridge can build it; one that it cannot build is in no mailbox (bridge-behaviour 4.3)."""
        ...

    def stored(self) -> StoredMessage:
        """The message as the account keeps it."""
        ...

    def subject(self) -> str:
        """The subject, decoded."""
        ...


class StoredContent:
    """A message that the account keeps in parts; Bridge builds the octets."""

    def __init__(self, stored: StoredMessage) -> None:
        self._stored = stored
        self._built: bytes | None = None

    def built(self) -> bytes:
        """Built once if it is small, each time if it is large: the result is the same."""
        if self._built is not None:
            return self._built
        octets = build(self._stored)
        if len(octets) <= KEPT_OCTETS:
            self._built = octets
        return octets

    def buildable(self) -> bool:
        """Not if its body ends in an unfinished mbox line."""
        try:
            strip_mbox_lines(self._stored.body)
        except MboxError:
            return False
        return True

    def stored(self) -> StoredMessage:
        """As it is."""
        return self._stored

    def subject(self) -> str:
        """As it is."""
        return self._stored.subject


class LazyContent:
    """An original mail that is taken apart when it is first needed."""

    def __init__(self, make: Callable[[], StoredMessage]) -> None:
        self._make = make
        self._content: StoredContent | None = None

    def _made(self) -> StoredContent:
        if self._content is None:
            self._content = StoredContent(self._make())
        return self._content

    def built(self) -> bytes:
        """See StoredContent. What Bridge could not build keeps its mbox lines: nobody looked when the world was loaded."""
        content = self._made()
        return content.built() if content.buildable() else build(content.stored(), BuildOptions(strip_mbox_lines=False))

    def buildable(self) -> bool:
        """Taken for granted, so that nothing has to be read."""
        return True

    def stored(self) -> StoredMessage:
        """See StoredContent."""
        return self._made().stored()

    def subject(self) -> str:
        """See StoredContent."""
        return self._made().subject()


class KeptContent:
    """An appended mail whose octets are kept as they came, beside the account's view of it."""

    def __init__(self, octets: bytes, stored: StoredMessage) -> None:
        self._octets = octets
        self._stored = stored

    def built(self) -> bytes:
        """As they came."""
        return self._octets

    def buildable(self) -> bool:
        """Nothing has to be built."""
        return True

    def stored(self) -> StoredMessage:
        """As the account understands it."""
        return self._stored

    def subject(self) -> str:
        """As the account understands it."""
        return self._stored.subject


class ServedContent:
    """Octets exactly as a Bridge has served them; `understand` makes the account's view of them if somebody edits the message."""

    def __init__(self, read: Callable[[], bytes], understand: Callable[[bytes], StoredMessage]) -> None:
        self._read = read
        self._understand = understand

    def built(self) -> bytes:
        """The octets without the line of the store that served them."""
        octets = self._read()
        return octets.partition(b"\n")[2] if octets.startswith(GLUON_ID + b":") else octets

    def buildable(self) -> bool:
        """It was built before."""
        return True

    def stored(self) -> StoredMessage:
        """Taken apart like a mail that arrives."""
        return self._understand(self.built())

    def subject(self) -> str:
        """Out of the header, as it stands there."""
        return header_value(self.built(), b"Subject")


def with_crlf(octets: bytes) -> bytes:
    """With line ends as IMAP wants them."""
    return octets.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


def header_value(octets: bytes, name: bytes) -> str:
    """The value of a header field as text; empty if there is none, or if the header can't be read."""
    try:
        value = header.first(header.split(octets)[0], name)
    except header.HeaderError:
        return ""
    return value.decode("utf-8", "replace").strip() if value else ""
