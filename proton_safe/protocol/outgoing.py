"""A message of the SDK as it leaves: under the client's own id, and without what the SDK would say too much."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from mcp_types import JSONRPCError, JSONRPCNotification, JSONRPCResponse

if TYPE_CHECKING:
    from mcp_types import ErrorData, JSONRPCMessage

    from proton_safe.protocol.book import Book

_UNSUPPORTED_VERSION: Final = -32022
_INTERNAL_ERROR: Final = -32603
_MAX_VERSION_CHARS: Final = 64


def wire_form(message: JSONRPCMessage, book: Book) -> dict[str, Any] | None:
    """The JSON-RPC object to write; None for an answer that nobody waits for, and for a request, which this server never makes."""
    match message:
        case JSONRPCNotification():
            return {"jsonrpc": "2.0", "method": message.method, **({} if message.params is None else {"params": message.params})}
        case JSONRPCResponse() if (identifier := book.settle(message.id)) is not None:
            return {"jsonrpc": "2.0", "id": identifier, "result": message.result}
        case JSONRPCError() if (identifier := book.settle(message.id)) is not None:
            return {"jsonrpc": "2.0", "id": identifier, "error": _error(message.error)}
        case _:
            return None


def _error(error: ErrorData) -> dict[str, Any]:
    """Code and message. `data` echoes what the client sent: it stays only where the protocol asks for it, cut to a version's length.

    Code 0 is the SDK's for an exception, whose text is in the message; it becomes an internal error without a word.
    """
    if error.code == 0:
        return {"code": _INTERNAL_ERROR, "message": "Internal error"}
    kept: dict[str, Any] = {"code": error.code, "message": error.message}
    if error.code == _UNSUPPORTED_VERSION and isinstance(error.data, dict):
        kept["data"] = {name: value[:_MAX_VERSION_CHARS] if isinstance(value, str) else value for name, value in error.data.items()}
    return kept
