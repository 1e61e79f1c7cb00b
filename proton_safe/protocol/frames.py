"""One line of the wire → a JSON-RPC message, or the error that the line is answered with. Knows no stream and no tool.

Order: 1. UTF-8 and NUL, 2. JSON, 3. depth outside `params.arguments`, 4. shape of a JSON-RPC 2.0 message, 5. its id.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Final

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
MAX_DEPTH: Final = 16


@dataclass(frozen=True, slots=True)
class BadFrame:
    """What a line that is no message is answered with."""

    code: int
    message: str
    id: str | int | None = None

    def encode(self) -> bytes:
        """The JSON-RPC error object as one line, without its end."""
        return json.dumps({"jsonrpc": "2.0", "id": self.id, "error": {"code": self.code, "message": self.message}}).encode()


@dataclass(frozen=True, slots=True)
class Frame:
    """A JSON-RPC message: `id` is None for notifications; `method` is None for responses."""

    payload: dict[str, object]
    method: str | None
    id: str | int | None


def parse(line: bytes) -> Frame | BadFrame | None:
    """Read one line without its end. None stands for a blank line, which is ignored; a byte order mark is stripped."""
    line = line.removeprefix(b"\xef\xbb\xbf").strip(b" \t\r\n")
    if not line:
        return None
    if b"\x00" in line:
        return BadFrame(PARSE_ERROR, "Parse error: NUL")
    try:
        value: object = json.loads(line.decode("utf-8"), parse_constant=_no_constant)
    except UnicodeDecodeError:
        return BadFrame(PARSE_ERROR, "Parse error: not UTF-8")
    except (ValueError, RecursionError):
        return BadFrame(PARSE_ERROR, "Parse error: not JSON")
    if _depth_outside_arguments(value) > MAX_DEPTH:
        return BadFrame(PARSE_ERROR, "Parse error: nested too deeply")
    return _message(value)


def _no_constant(_: str) -> object:
    raise ValueError("NaN and Infinity are not JSON")


def _depth_outside_arguments(value: object) -> int:
    """How deep the containers nest; what stands in `params.arguments` is judged by dispatch, which can name the field."""
    skip: object = None
    if isinstance(value, dict) and isinstance(params := value.get("params"), dict):
        skip = params.get("arguments")
    depth, level = 0, [value]
    while depth <= MAX_DEPTH:
        containers = [item for item in level if isinstance(item, dict | list) and (item is not skip or depth == 0)]
        if not containers:
            break
        depth += 1
        level = [inner for item in containers for inner in (item.values() if isinstance(item, dict) else item)]
    return depth


def _message(value: object) -> Frame | BadFrame:
    if not isinstance(value, dict):
        return BadFrame(INVALID_REQUEST, "Invalid request: not an object")
    identifier = value.get("id")
    usable = identifier if isinstance(identifier, str | int) and not isinstance(identifier, bool) else None
    if value.get("jsonrpc") != "2.0":
        return BadFrame(INVALID_REQUEST, "Invalid request: jsonrpc must be 2.0", usable)
    if "id" in value and usable is None:
        return BadFrame(INVALID_REQUEST, "Invalid request: id must be a string or an integer")
    method = value.get("method")
    if method is None and "id" in value and ("result" in value or "error" in value):
        return Frame(value, None, usable)
    if not isinstance(method, str):
        return BadFrame(INVALID_REQUEST, "Invalid request: no method", usable)
    if not isinstance(value.get("params", {}), dict):
        return BadFrame(INVALID_REQUEST, "Invalid request: params must be an object", usable)
    return Frame(value, method, usable)
