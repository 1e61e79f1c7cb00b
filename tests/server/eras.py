"""How a client opens a connection in each protocol version, and how its requests look there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from tests.server.stdio import Stdio

HANDSHAKES: Final = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
MODERN: Final = "2026-07-28"
VERSIONS: Final = (*HANDSHAKES, MODERN)
ENVELOPE: Final = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "tests", "version": "0"},
}


class Era:
    """One protocol version as a client speaks it."""

    def __init__(self, version: str) -> None:
        self.version = version
        self.modern = version == MODERN

    def opening(self) -> tuple[str, dict[str, Any]]:
        """Method and parameters of the first request."""
        if self.modern:
            return "server/discover", {"_meta": dict(ENVELOPE)}
        return "initialize", {"protocolVersion": self.version, "capabilities": {}, "clientInfo": {"name": "tests", "version": "0"}}

    def params(self, **given: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON value
        """Parameters of a request, with the envelope where the era has one."""
        meta = {**(ENVELOPE if self.modern else {}), **given.pop("_meta", {})}
        return {**given, **({"_meta": meta} if meta else {})}

    def open(self, server: Stdio) -> dict[str, Any]:
        """Open the connection; the result of the opening."""
        method, params = self.opening()
        server.send(id="open", method=method, params=params)
        result: dict[str, Any] = server.answer("open")["result"]
        if not self.modern:
            server.send(method="notifications/initialized")
        return result

    def ask(self, server: Stdio, identifier: object, method: str, **given: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON value
        """Ask and wait for the answer."""
        server.send(id=identifier, method=method, params=self.params(**given))
        return server.answer(identifier)
