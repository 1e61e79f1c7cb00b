"""One line of the wire → a JSON-RPC message, or the error that the line is answered with. Knows no stream and no tool.

Order: 1. UTF-8 and NUL, 2. JSON within limits, 3. faults and depth outside `params.arguments`, 4. shape of a JSON-RPC 2.0 message,
5. its id, 6. faults inside `params.arguments`: those don't spoil the message, they take the arguments' place for dispatch to refuse.

A key that stands twice in one object is a fault wherever it stands: who checks a message and who serves it might read different values.
Belongs to the front door: imports nothing but json.
"""

from __future__ import annotations

import json

from proton_safe.protocol.arguments import DUPLICATE_KEY, NO_NUMBER, Fault, fault_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    ObjectMaker = Callable[[list[tuple[str, object]]], object]

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
MAX_DEPTH = 16
MAX_DIGITS = 4_300
MAX_OBJECTS = 50_000
MAX_COMMAS = 1_000_000


class BadFrame:
    """What a line that is no message is answered with."""

    __slots__ = ("code", "id", "message")

    def __init__(self, code: int, message: str, identifier: str | int | None = None) -> None:
        self.code = code
        self.message = message
        self.id = identifier

    def answer(self) -> dict[str, object]:
        """The JSON-RPC error object."""
        return {"jsonrpc": "2.0", "id": self.id, "error": {"code": self.code, "message": self.message}}


class Frame:
    """A JSON-RPC request (`id` is set) or notification (`id` is None).

    `params` is None when absent. `plain` tells that no string in it holds a lone surrogate.
    """

    __slots__ = ("id", "method", "params", "plain")

    def __init__(self, method: str, identifier: str | int | None, params: dict[str, object] | None, *, plain: bool = True) -> None:
        self.method = method
        self.id = identifier
        self.params = params
        self.plain = plain


class _Repeated(Fault):
    """An object with a key that stands twice; its pairs are kept, so that a request's id can be told."""

    __slots__ = ("pairs",)

    def __init__(self, pairs: list[tuple[str, object]]) -> None:
        super().__init__(DUPLICATE_KEY.rule)
        self.pairs = pairs


class _TooManyObjects(ValueError):
    """More objects than any message needs."""


def parse(line: bytes) -> Frame | BadFrame | None:
    """Read one line without its end. None stands for what asks nothing: a blank line, or a response to nobody."""
    line = line.removeprefix(b"\xef\xbb\xbf").strip(b" \t\r\n")
    if not line:
        return None
    if b"\x00" in line:
        return BadFrame(PARSE_ERROR, "Parse error: NUL")
    if line.count(b",") > MAX_COMMAS:
        return BadFrame(PARSE_ERROR, "Parse error: too many values")
    plain = b"\\ud" not in line and b"\\uD" not in line
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        return BadFrame(PARSE_ERROR, "Parse error: not UTF-8")
    del line
    try:
        value = _decoded(text)
    except _TooManyObjects:
        return BadFrame(PARSE_ERROR, "Parse error: too many values")
    except ValueError:
        return BadFrame(PARSE_ERROR, "Parse error: not JSON")
    return _message(value, plain=plain)


def _decoded(text: str) -> object:
    try:
        return decoder(object_maker()).decode(text)
    except RecursionError:
        from proton_safe.protocol.deep_arguments import without_arguments  # noqa: PLC0415 - loaded only for what json gives up on

        return without_arguments(text)


def decoder(made: ObjectMaker) -> json.JSONDecoder:
    """A decoder for one line. What it can't represent becomes a Fault in its place."""
    return json.JSONDecoder(object_pairs_hook=made, parse_int=_integer, parse_constant=lambda _: NO_NUMBER)


def _integer(digits: str) -> object:
    return int(digits) if len(digits) <= MAX_DIGITS or len(digits.lstrip("-")) <= MAX_DIGITS else NO_NUMBER


def object_maker() -> ObjectMaker:
    """Makes an object from its pairs: a dictionary, or a fault if a key stands twice. Raises ValueError when there are too many."""
    left = MAX_OBJECTS

    def an_object(pairs: list[tuple[str, object]]) -> object:
        nonlocal left
        left -= 1
        if left < 0:
            raise _TooManyObjects
        value = dict(pairs)
        return value if len(value) == len(pairs) else _Repeated(pairs)

    return an_object


def _message(value: object, *, plain: bool) -> Frame | BadFrame | None:
    fault = _fault_outside_arguments(value)
    if fault is not None and fault.code == PARSE_ERROR:
        return fault
    if isinstance(value, _Repeated):
        identifiers = [member for key, member in value.pairs if key == "id"]
        return BadFrame(INVALID_REQUEST, "Invalid request: a key stands twice", usable(identifiers[0]) if len(identifiers) == 1 else None)
    if not isinstance(value, dict):
        return BadFrame(INVALID_REQUEST, "Invalid request: not an object")
    identifier = usable(value.get("id"))
    if fault is not None:
        fault.id = identifier
        return fault
    if value.get("jsonrpc") != "2.0":
        return BadFrame(INVALID_REQUEST, "Invalid request: jsonrpc must be 2.0", identifier)
    if "id" in value and identifier is None:
        return BadFrame(INVALID_REQUEST, "Invalid request: id must be a string or an integer")
    method = value.get("method")
    if method is None and "id" in value and ("result" in value or "error" in value):
        return None
    if not isinstance(method, str):
        return BadFrame(INVALID_REQUEST, "Invalid request: no method", identifier)
    params = value.get("params", {})
    if not isinstance(params, dict):
        return BadFrame(INVALID_REQUEST, "Invalid request: params must be an object", identifier)
    if "arguments" in params and (inner := fault_in(params["arguments"], plain=plain)) is not None:
        params["arguments"] = {"arguments": inner}
    return Frame(method, identifier, params if "params" in value else None, plain=plain)


def usable(identifier: object) -> str | int | None:
    """The id if an answer can carry it: a string that UTF-8 can hold, or an integer."""
    if isinstance(identifier, int) and not isinstance(identifier, bool):
        return identifier
    if not isinstance(identifier, str):
        return None
    try:
        identifier.encode()
    except UnicodeEncodeError:
        return None
    return identifier


def _fault_outside_arguments(value: object) -> BadFrame | None:
    """Numbers that are none and depth spoil the line; a key that stands twice spoils the request, whose id may still be told.

    What stands in `params.arguments` is judged apart. Works without recursion, so that depth costs nothing.
    """
    params = value.get("params") if isinstance(value, dict) else None
    repeated = False
    level = [value]
    for depth in range(MAX_DEPTH + 1):
        below: list[object] = []
        for item in level:
            if item is NO_NUMBER:
                return BadFrame(PARSE_ERROR, "Parse error: not a number")
            if not isinstance(item, dict | list | _Repeated):
                continue
            if depth == MAX_DEPTH:
                return BadFrame(PARSE_ERROR, "Parse error: nested too deeply")
            if isinstance(item, dict):
                below += [member for key, member in item.items() if item is not params or key != "arguments"]
            elif isinstance(item, list):
                below += item
            else:
                repeated = True
                below += [member for _, member in item.pairs]
        level = below
    return BadFrame(INVALID_REQUEST, "Invalid request: a key stands twice") if repeated else None
