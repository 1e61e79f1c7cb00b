"""What the account's server answers when it refuses, in the words that Bridge passes on to the client."""

from __future__ import annotations


class ApiError(Exception):
    """A refusal of the account's server. `str()` is the text that follows NO (bridge-behaviour 2.6, 5.4, 8.2)."""


def http_refusal(host: str, *, status: int, method: str, path: str, reason: str, code: int = 0) -> ApiError:
    """The text of a refused request: status, request line, the server's message, its code."""
    return ApiError(f"{status} {method} {host}{path}: {reason} (Code={code}, Status={status})")


def plain_refusal(reason: str, *, code: int) -> ApiError:
    """A refusal inside a batch answer, which has no request line of its own."""
    return ApiError(f"{reason} (Code={code}, Status=0)")
