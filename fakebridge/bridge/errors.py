"""How Bridge refuses. The texts are wire facts (bridge-behaviour 1.6, 2.6, 5.4); `ApiError` of the account passes through unchanged."""

from __future__ import annotations

from fakebridge.account.errors import ApiError

NOT_ALLOWED = "operation not allowed"
NO_SUCH_MAILBOX = "no such mailbox"
NO_SUCH_USER = "no such user"


class Refused(Exception):
    """`tag NO text`. `too_large`: nothing is kept in Recovered Messages (5.1)."""

    def __init__(self, text: str, *, too_large: bool = False) -> None:
        super().__init__(text)
        self.too_large = too_large


class NoSuchMailbox(Refused):
    """The mailbox is not there; APPEND, COPY and MOVE add [TRYCREATE]."""

    def __init__(self) -> None:
        super().__init__(NO_SUCH_MAILBOX)


class Malformed(Exception):
    """`tag BAD text`: the header check of APPEND (5.1)."""


__all__ = ["NOT_ALLOWED", "NO_SUCH_MAILBOX", "NO_SUCH_USER", "ApiError", "Malformed", "NoSuchMailbox", "Refused"]
