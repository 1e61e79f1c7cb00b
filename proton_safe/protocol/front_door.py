"""Answers what needs no engine from a table that was recorded from the engine at build time: the handshake, ping, the list of tools.

Takes only requests of the usual shape. Whatever is unusual, odd or wrong is the engine's to answer; the table and the engine agree on
all that both can answer (`front_door.json` is made by `proton_safe.protocol.recording` and compared with it by tests).
Belongs to the front door: imports nothing but json and os.
"""

from __future__ import annotations

import json
import os

from proton_safe.protocol.output import encode
from proton_safe.protocol.usual_shapes import bare, capabilities_are_usual, envelope_is_usual, implementation_is_usual, meta_is_plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from proton_safe.protocol.frames import Frame

TABLE = os.path.join(os.path.dirname(__file__), "front_door.json")  # noqa: PTH118, PTH120 - pathlib costs more than all else here
VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities"
_HANDSHAKE = "handshake"
_MODERN = "modern"


class FrontDoor:
    """What one connection has agreed on so far, and the answers that follow from it."""

    def __init__(self) -> None:
        self._table: dict[str, Any] | None = None
        self._encoded: dict[str, bytes] = {}
        self._era: str | None = None
        self._version: str | None = None
        self._engine_negotiates = False
        self._opening: list[dict[str, Any]] = []

    def result(self, frame: Frame) -> bytes | None:
        """The encoded result of a request; None if it is the engine's to answer."""
        opens = self._era is None
        if opens:
            self._era = _MODERN if _has_envelope(frame) else _HANDSHAKE
        result = self._modern(frame) if self._era == _MODERN else self._handshake(frame)
        if opens and result is not None and frame.method != "initialize":
            self._opening.append(self._opener())
        return result

    def busy(self, frame: Frame) -> bytes | None:
        """The encoded refusal `busy` for a tool call of the usual shape; None if it has another shape."""
        params = frame.params or {}
        if not isinstance(params.get("name"), str) or not isinstance(params.get("arguments", {}), dict):
            return None
        if self._era == _MODERN:
            return self._answer(_MODERN, "busy") if self._enveloped(params) else None
        return self._answer(_HANDSHAKE, "busy") if self._version is not None else None

    def is_plain(self, frame: Frame) -> bool:
        """Whether this is a tool call of the shape that most have, in the handshake era, after a handshake that was answered here."""
        params = frame.params or {}
        return (
            self._era == _HANDSHAKE
            and self._version is not None
            and frame.method == "tools/call"
            and {"name"} <= params.keys() <= {"name", "arguments", "_meta"}
            and isinstance(params["name"], str)
            and isinstance(params.get("arguments", {}), dict)
            and meta_is_plain(params.get("_meta", {}), plain=frame.plain)
        )

    def take_opening(self) -> list[dict[str, Any]]:
        """The messages by which the engine learns what was agreed on here; their answers are for nobody. Each is given out once."""
        opening, self._opening = self._opening, []
        return opening

    def _handshake(self, frame: Frame) -> bytes | None:
        if frame.method == "initialize":
            return self._initialize(frame)
        if not bare(frame.params):
            return None
        if frame.method == "ping":
            return b"{}"
        if frame.method == "tools/list" and self._version is not None:
            return self._answer(_HANDSHAKE, "list")
        return None

    def _initialize(self, frame: Frame) -> bytes | None:
        """The first `initialize` is answered here if it is usual; after any other one the engine alone knows the version."""
        params = frame.params or {}
        requested = params.get("protocolVersion")
        if (
            self._version is not None
            or self._engine_negotiates
            or not frame.plain
            or not isinstance(requested, str)
            or not bare({key: value for key, value in params.items() if key not in {"protocolVersion", "capabilities", "clientInfo"}})
            or not capabilities_are_usual(params.get("capabilities"))
            or not implementation_is_usual(params.get("clientInfo"))
        ):
            self._version = None
            self._engine_negotiates = True
            return None
        table = self._read()[_HANDSHAKE]
        self._version = requested if requested in table["versions"] else table["latest"]
        agreed = {"protocolVersion": self._version, "capabilities": {}, "clientInfo": {"name": "client", "version": "0"}}
        self._opening += [{"method": "initialize", "params": agreed}, {"method": "notifications/initialized"}]
        return encode({"protocolVersion": self._version, **table["initialize"]})

    def _modern(self, frame: Frame) -> bytes | None:
        params = frame.params or {}
        name = {"server/discover": "discover", "tools/list": "list"}.get(frame.method)
        if name is None or not frame.plain or params.keys() != {"_meta"} or not self._enveloped(params):
            return None
        return self._answer(_MODERN, name)

    def _enveloped(self, params: dict[str, Any]) -> bool:
        return envelope_is_usual(params.get("_meta"), self._read()[_MODERN]["versions"])

    def _opener(self) -> dict[str, Any]:
        if self._era == _HANDSHAKE:
            return {"method": "ping"}
        envelope = {VERSION_KEY: self._read()[_MODERN]["versions"][0], CAPABILITIES_KEY: {}}
        return {"method": "server/discover", "params": {"_meta": envelope}}

    def _answer(self, era: str, name: str) -> bytes:
        key = f"{era} {name}"
        if key not in self._encoded:
            table = self._read()
            result = table[era][name]
            self._encoded[key] = encode({"tools": table["tools"], **result} if name == "list" else result)
        return self._encoded[key]

    def _read(self) -> dict[str, Any]:
        if self._table is None:
            with open(TABLE, encoding="utf-8") as file:  # noqa: PTH123 - pathlib costs more than all else here
                table: dict[str, Any] = json.load(file)
            self._table = table
        return self._table


def _has_envelope(frame: Frame) -> bool:
    """Whether a first request opens the modern era: it carries the version key; `initialize` never does."""
    meta = (frame.params or {}).get("_meta")
    return frame.method != "initialize" and isinstance(meta, dict) and VERSION_KEY in meta
