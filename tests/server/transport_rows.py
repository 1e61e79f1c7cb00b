"""What a line is answered with, row by row: the octets, and the exact reply. Sources: JSON-RPC 2.0, MCP, RFC 8259, RFC 3629."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Final

MAX_LINE: Final = 16 * 1024 * 1024
DEEP: Final = 100_000


@dataclass(frozen=True, slots=True)
class Row:
    """One line without its end, and the reply; None: no reply."""

    name: str
    line: bytes
    reply: dict[str, Any] | None


def error(code: int, message: str, identifier: str | int | None) -> dict[str, Any]:
    """A JSON-RPC error object."""
    return {"jsonrpc": "2.0", "id": identifier, "error": {"code": code, "message": message}}


def result(identifier: str | int, value: object) -> dict[str, Any]:
    """A JSON-RPC result object."""
    return {"jsonrpc": "2.0", "id": identifier, "result": value}


def arguments_refused(identifier: str | int, rule: str, field: str = "arguments") -> dict[str, Any]:
    """The refusal `arguments-invalid` as the result of a call."""
    next_step = "Change the named argument so that it fits the rule."
    text = f"arguments-invalid: An argument breaks a rule of this tool. {field}: {rule}. {next_step}"
    facts = {"code": "arguments-invalid", "class": "caller", "field": field, "retryable": False, "next_step": next_step}
    return result(identifier, {"content": [{"type": "text", "text": text}], "isError": True, "_meta": {"proton-safe/refusal": facts}})


def call(arguments: str, tool: str = "list_messages") -> bytes:
    """A request for a tool with id 5, whose arguments are given as JSON text; they stand before the rest."""
    name = json.dumps(tool)
    return f'{{"jsonrpc":"2.0","params":{{"arguments":{arguments},"name":{name}}},"id":5,"method":"tools/call"}}'.encode()


def request(**members: object) -> bytes:
    """A request as JSON."""
    return json.dumps({"jsonrpc": "2.0", **members}).encode()


NOT_JSON: Final = error(-32700, "Parse error: not JSON", None)
TOO_DEEP: Final = error(-32700, "Parse error: nested too deeply", None)
NO_NUMBER: Final = error(-32700, "Parse error: not a number", None)
UNKNOWN_TOOL: Final = error(-32602, "Unknown tool", 5)

# Answered by the wire itself; the engine is not needed.
FRAMES: Final = (
    Row("text", b"not json", NOT_JSON),
    Row("cut short", b'{"jsonrpc":"2.0","id":1,"method":"ping"', NOT_JSON),
    Row("two messages on a line", request(id=1, method="ping") * 2, NOT_JSON),
    Row("single quotes", b"{'jsonrpc':'2.0','id':1,'method':'ping'}", NOT_JSON),
    Row("comment", b'{"jsonrpc":"2.0","id":1,"method":"ping"} // ping', NOT_JSON),
    Row("raw control character in a string", b'{"jsonrpc":"2.0","id":1,"method":"pi\x1bng"}', NOT_JSON),
    Row("bad escape", b'{"jsonrpc":"2.0","id":1,"method":"\\x41"}', NOT_JSON),
    Row("header of another transport", b"Content-Length: 42", NOT_JSON),
    Row("invalid UTF-8", b'{"jsonrpc":"2.0","id":1,"method":"\xff"}', error(-32700, "Parse error: not UTF-8", None)),
    Row("surrogate in UTF-8", b'{"jsonrpc":"2.0","id":1,"method":"\xed\xa0\x80"}', error(-32700, "Parse error: not UTF-8", None)),
    Row("overlong UTF-8", b'{"jsonrpc":"2.0","id":1,"method":"\xc0\xaf"}', error(-32700, "Parse error: not UTF-8", None)),
    Row("UTF-16", '{"jsonrpc":"2.0","id":1,"method":"ping"}'.encode("utf-16-le"), error(-32700, "Parse error: NUL", None)),
    Row("NUL", b'{"jsonrpc":"2.0","id":1,"method":"pi\x00ng"}', error(-32700, "Parse error: NUL", None)),
    Row("open lists", b"[" * 200_000, NOT_JSON),
    Row("deep lists", b"[" * DEEP + b"]" * DEEP, NOT_JSON),
    Row("depth 17 outside arguments", request(id=1, method="ping", params={"x": json.loads("[" * 15 + "]" * 15)}), TOO_DEEP),
    Row("depth 900 in an id", b'{"jsonrpc":"2.0","method":"ping","id":' + b"[" * 900 + b"]" * 900 + b"}", TOO_DEEP),
    Row("integer of 4,301 digits as id", b'{"jsonrpc":"2.0","id":' + b"1" * 4301 + b',"method":"ping"}', NO_NUMBER),
    Row("NaN as id", b'{"jsonrpc":"2.0","id":NaN,"method":"ping"}', NO_NUMBER),
    Row("Infinity in params", b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"x":-Infinity}}}', NO_NUMBER),
    Row("oversize", b"{" + b" " * MAX_LINE + b"}", error(-32700, "Parse error: line too long", None)),
    Row("a million empty lists", b"[" + b"[]," * 1_000_001 + b"[]]", error(-32700, "Parse error: too many values", None)),
    Row("number", b"42", error(-32600, "Invalid request: not an object", None)),
    Row("string", b'"ping"', error(-32600, "Invalid request: not an object", None)),
    Row("null", b"null", error(-32600, "Invalid request: not an object", None)),
    Row("empty object", b"{}", error(-32600, "Invalid request: jsonrpc must be 2.0", None)),
    Row("batch", b"[" + request(id=1, method="ping") + b"]", error(-32600, "Invalid request: not an object", None)),
    Row("empty batch", b"[]", error(-32600, "Invalid request: not an object", None)),
    Row("jsonrpc 1.0", b'{"jsonrpc":"1.0","id":5,"method":"ping"}', error(-32600, "Invalid request: jsonrpc must be 2.0", 5)),
    Row("jsonrpc as a number", b'{"jsonrpc":2.0,"id":5,"method":"ping"}', error(-32600, "Invalid request: jsonrpc must be 2.0", 5)),
    Row("no jsonrpc", b'{"id":"p","method":"ping"}', error(-32600, "Invalid request: jsonrpc must be 2.0", "p")),
    Row("params as a list", request(id="p", method="ping", params=[1]), error(-32600, "Invalid request: params must be an object", "p")),
    Row("params null", request(id="p", method="ping", params=None), error(-32600, "Invalid request: params must be an object", "p")),
    Row("method as a number", request(id=4, method=4), error(-32600, "Invalid request: no method", 4)),
    Row("no method", request(id=4), error(-32600, "Invalid request: no method", 4)),
    Row("id null", request(id=None, method="ping"), error(-32600, "Invalid request: id must be a string or an integer", None)),
    Row("id 1.5", request(id=1.5, method="ping"), error(-32600, "Invalid request: id must be a string or an integer", None)),
    Row("id 1.0", request(id=1.0, method="ping"), error(-32600, "Invalid request: id must be a string or an integer", None)),
    Row("id true", request(id=True, method="ping"), error(-32600, "Invalid request: id must be a string or an integer", None)),
    Row("id object", request(id={}, method="ping"), error(-32600, "Invalid request: id must be a string or an integer", None)),
    Row(
        "id with a lone surrogate",
        b'{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}',
        error(-32600, "Invalid request: id must be a string or an integer", None),
    ),
    Row(
        "id null of a stray result",
        b'{"jsonrpc":"2.0","id":null,"result":{}}',
        error(-32600, "Invalid request: id must be a string or an integer", None),
    ),
    Row("method twice", b'{"jsonrpc":"2.0","id":5,"method":"ping","method":"x"}', error(-32600, "Invalid request: a key stands twice", 5)),
    Row("id twice", b'{"jsonrpc":"2.0","id":5,"id":6,"method":"ping"}', error(-32600, "Invalid request: a key stands twice", None)),
    Row(
        "arguments twice",
        b'{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"list_folders","arguments":{},"arguments":{}}}',
        error(-32600, "Invalid request: a key stands twice", 5),
    ),
    Row("blank line", b"", None),
    Row("spaces", b"   ", None),
    Row("tab and carriage return", b"\t\r", None),
    Row("byte order mark alone", b"\xef\xbb\xbf", None),
    Row("unknown notification", request(method="notifications/unknown"), None),
    Row("odd notification", request(method="tools/call", params={"name": "list_folders", "arguments": {}}), None),
    Row("notification with bad params", request(method="notifications/cancelled", params={"requestId": [1]}), None),
    Row("cancel of an unknown id", request(method="notifications/cancelled", params={"requestId": "nobody"}), None),
    Row("cancel without an id", request(method="notifications/cancelled"), None),
    Row("cancel of true", request(method="notifications/cancelled", params={"requestId": True}), None),
    Row("stray result", request(id=77, result={}), None),
    Row("stray error", request(id=77, error={"code": 1, "message": ""}), None),
    Row("ping", request(id="p", method="ping"), result("p", {})),
    Row("ping with a token", request(id=-7, method="ping", params={"_meta": {"progressToken": "t"}}), result(-7, {})),
    Row("byte order mark", b"\xef\xbb\xbf" + request(id=3, method="ping"), result(3, {})),
    Row("carriage return", request(id=3, method="ping") + b"\r", result(3, {})),
    Row("empty id", request(id="", method="ping"), result("", {})),
    Row("integer of 4,300 digits as id", b'{"jsonrpc":"2.0","id":' + b"1" * 4300 + b',"method":"ping"}', result(int("1" * 4300), {})),
    Row("emoji as id", b'{"jsonrpc":"2.0","id":"\\ud83d\\ude00","method":"ping"}', result("😀", {})),
)

# Answered by the engine.
REQUESTS: Final = (
    Row("unknown method", request(id=9, method="no/such"), error(-32601, "Method not found", 9)),
    Row("empty method", request(id=9, method=""), error(-32601, "Method not found", 9)),
    Row("method with a lone surrogate", b'{"jsonrpc":"2.0","id":9,"method":"\\ud800"}', error(-32601, "Method not found", 9)),
    Row("a capability that is not offered", request(id=9, method="prompts/list"), error(-32601, "Method not found", 9)),
    Row("a method of the other era", request(id=9, method="server/discover"), error(-32601, "Method not found", 9)),
    Row("unknown tool", call("{}", "send_email"), UNKNOWN_TOOL),
    Row("tool of another spelling", call("{}", "List_Folders"), UNKNOWN_TOOL),
    Row("tool with a blank", call("{}", "list_folders "), UNKNOWN_TOOL),
    Row("tool with an escape", call("{}", "\x1b[31m"), UNKNOWN_TOOL),
    Row("tool of a million characters", call("{}", "x" * 1_000_000), UNKNOWN_TOOL),
    Row("tool with a lone surrogate", call("{}", "\ud800"), UNKNOWN_TOOL),
    Row("unknown tool with unreadable arguments", call("[" * DEEP + "]" * DEEP, "send_email"), UNKNOWN_TOOL),
    Row("no tool", request(id=5, method="tools/call"), error(-32602, "Invalid request parameters", 5)),
    Row("tool null", request(id=5, method="tools/call", params={"name": None}), error(-32602, "Invalid request parameters", 5)),
    Row("arguments as a list", call("[]"), error(-32602, "Invalid request parameters", 5)),
    Row("arguments as text", call('"{}"'), error(-32602, "Invalid request parameters", 5)),
    Row("unknown cursor", request(id=9, method="tools/list", params={"cursor": "x"}), error(-32602, "Unknown cursor", 9)),
    Row(
        "an envelope in the older era",
        request(
            id=9,
            method="tools/list",
            params={
                "_meta": {
                    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                    "io.modelcontextprotocol/clientCapabilities": {},
                }
            },
        ),
        error(
            -32600,
            "this connection serves the handshake protocol era; requests carrying the 2026-07-28 envelope are not accepted on it",
            9,
        ),
    ),
    Row("lone surrogate in an argument", call('{"folder":"\\ud800"}'), arguments_refused(5, "must be valid Unicode")),
    Row("lone surrogate in a name", call('{"\\udfff":1}'), arguments_refused(5, "must be valid Unicode")),
    Row("depth 17 in arguments", call('{"x":' + "[" * 16 + "]" * 16 + "}"), arguments_refused(5, "must not nest deeper than 16")),
    Row("depth 150 in arguments", call('{"x":' + "[" * 149 + "]" * 149 + "}"), arguments_refused(5, "must not nest deeper than 16")),
    Row("depth 900 in arguments", call('{"x":' + '{"y":' * 900 + "1" + "}" * 901), arguments_refused(5, "must not nest deeper than 16")),
    Row("depth 100,000 in arguments", call("[" * DEEP + "]" * DEEP), arguments_refused(5, "must not nest deeper than 16")),
    Row("depth in objects", call('{"]":[' * DEEP + "1" + "]}" * DEEP), arguments_refused(5, "must not nest deeper than 16")),
    Row("depth 16 in arguments", call('{"x":' + "[" * 15 + "]" * 15 + "}"), arguments_refused(5, "is not an argument of this tool", "x")),
    Row(
        "integer of 4,301 digits",
        call('{"limit":' + "9" * 4301 + "}"),
        arguments_refused(5, "must hold finite numbers of at most 4300 digits only"),
    ),
    Row("integer of 4,300 digits", call('{"limit":' + "9" * 4300 + "}"), arguments_refused(5, "must be at most 100", "limit")),
    Row("1e400", call('{"limit":1e400}'), arguments_refused(5, "must hold finite numbers of at most 4300 digits only")),
    Row("NaN", call('{"limit":[NaN]}'), arguments_refused(5, "must hold finite numbers of at most 4300 digits only")),
    Row("argument twice", call('{"limit":3,"limit":99}'), arguments_refused(5, "must not hold a key twice in one object")),
    Row("unknown argument", call('{"__proto__":1}'), arguments_refused(5, "is not an argument of this tool", "__proto__")),
)
