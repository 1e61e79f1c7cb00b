"""What one line of the wire becomes: a message, an error answer, or nothing. The whole process is tried in tests/server."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proton_safe.protocol.arguments import DUPLICATE_KEY, NO_NUMBER, NO_UNICODE, TOO_DEEP, Fault
from proton_safe.protocol.frames import INVALID_REQUEST, PARSE_ERROR, BadFrame, Frame, parse


def nested(depth: int, *, inside: str = "params") -> bytes:
    """A request whose `inside` holds lists nested so that the whole is `depth` containers deep."""
    lists = depth - (2 if inside == "params" else 3)
    value: object = []
    for _ in range(lists - 1):
        value = [value]
    params = {"x": value} if inside == "params" else {"arguments": {"x": value}}
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": params}).encode()


@pytest.mark.parametrize("line", [b"", b"   ", b"\r", b"\xef\xbb\xbf", b"\t\r\n"])
def test_blank_line_is_ignored(line: bytes) -> None:
    """A blank line is no message and no error."""
    assert parse(line) is None


@pytest.mark.parametrize(
    "line",
    [
        b"not json",
        b'{"jsonrpc": "2.0", "id": 1, "method": "ping"',
        b'{"jsonrpc": "2.0", "id": 1, "method": "\xff"}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "a\x00b"}',
        b'{"jsonrpc": "2.0", "id": NaN, "method": "ping"}',
        b'{"jsonrpc": "2.0", "id": ' + b"9" * 4301 + b', "method": "ping"}',
        b"[" * 100_000,
        nested(17),
    ],
    ids=["text", "cut", "not-utf-8", "nul", "nan", "integer-of-4301-digits", "open-lists", "depth-17"],
)
def test_line_that_is_no_json_is_a_parse_error_without_id(line: bytes) -> None:
    """JSON-RPC 2.0, 5.1: -32700, id null."""
    frame = parse(line)
    assert isinstance(frame, BadFrame)
    assert (frame.code, frame.id) == (PARSE_ERROR, None)
    assert frame.answer()["id"] is None


@pytest.mark.parametrize(
    "line,identifier",
    [
        (b"42", None),
        (b"{}", None),
        (b"[]", None),
        (b'[{"jsonrpc": "2.0", "id": 1, "method": "ping"}]', None),
        (b'{"jsonrpc": "1.0", "id": 7, "method": "ping"}', 7),
        (b'{"jsonrpc": "2.0", "id": null, "method": "ping"}', None),
        (b'{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}', None),
        (b'{"jsonrpc": "2.0", "id": true, "method": "ping"}', None),
        (b'{"jsonrpc": "2.0", "id": "a", "method": 3}', "a"),
        (b'{"jsonrpc": "2.0", "id": "a"}', "a"),
        (b'{"jsonrpc": "2.0", "id": 2, "method": "ping", "params": []}', 2),
    ],
)
def test_json_that_is_no_request_is_invalid_with_its_id_if_it_has_one(line: bytes, identifier: str | int | None) -> None:
    """JSON-RPC 2.0, 5.1: -32600; an id is a string or an integer."""
    frame = parse(line)
    assert isinstance(frame, BadFrame)
    assert (frame.code, frame.id) == (INVALID_REQUEST, identifier)


@pytest.mark.parametrize(
    "line,identifier",
    [
        (b'{"jsonrpc": "2.0", "id": 7, "method": "ping", "method": "tools/list"}', 7),
        (b'{"jsonrpc": "2.0", "id": 7, "id": 8, "method": "ping"}', None),
        (b'{"jsonrpc": "2.0", "id": 7, "method": "ping", "params": {"x": 1, "x": 1}}', 7),
        (b'{"jsonrpc": "2.0", "id": 7, "method": "ping", "params": {"_meta": {"a": [{"b": 1, "b": 2}]}}}', 7),
        (b'{"jsonrpc": "2.0", "id": 7, "method": "ping", "params": {"arguments": {}, "arguments": {}}}', 7),
    ],
)
def test_key_that_stands_twice_makes_a_message_invalid(line: bytes, identifier: int | None) -> None:
    """RFC 8259, 4: readers differ in which value they take, so neither is taken."""
    frame = parse(line)
    assert isinstance(frame, BadFrame)
    assert (frame.code, frame.id) == (INVALID_REQUEST, identifier)


def test_byte_order_mark_is_stripped() -> None:
    """A client that writes a BOM is understood."""
    frame = parse(b'\xef\xbb\xbf{"jsonrpc": "2.0", "id": 1, "method": "ping"}')
    assert isinstance(frame, Frame)
    assert (frame.method, frame.id, frame.params) == ("ping", 1, None)


def test_depth_sixteen_passes_outside_arguments() -> None:
    """The limit of the wire."""
    assert isinstance(parse(nested(16)), Frame)


@pytest.mark.parametrize(
    "arguments,rule",
    [
        (b'{"x": ' + b"[" * 16 + b"]" * 16 + b"}", TOO_DEEP.rule),
        (b'{"x": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", TOO_DEEP.rule),
        (b"[" * 100_000 + b"]" * 100_000, TOO_DEEP.rule),
        (b'{"x": ' + b'{"\\"]": [' * 50_000 + b"]}" * 50_000 + b"}", TOO_DEEP.rule),
        (b'{"x": ' + b"9" * 4301 + b"}", NO_NUMBER.rule),
        (b'{"x": [NaN]}', NO_NUMBER.rule),
        (b'{"x": {"y": -1e999}}', NO_NUMBER.rule),
        (b'{"x": 1, "x": 2}', DUPLICATE_KEY.rule),
        (b'{"x": [[{"y": 1, "y": 1}]]}', DUPLICATE_KEY.rule),
        (b'{"x": "\\ud800"}', NO_UNICODE.rule),
        (b'{"\\uDFFF": 1}', NO_UNICODE.rule),
    ],
    ids=str,
)
def test_fault_inside_arguments_takes_their_place(arguments: bytes, rule: str) -> None:
    """The request is readable, so its tool refuses it with a code; depth costs nothing."""
    frame = parse(b'{"jsonrpc":"2.0","params":{"arguments":' + arguments + b',"name":"t"},"id":5,"method":"tools/call"}')
    assert isinstance(frame, Frame)
    assert (frame.method, frame.id) == ("tools/call", 5)
    assert frame.params is not None
    assert frame.params["name"] == "t"
    found = frame.params["arguments"]
    assert isinstance(found, dict)
    assert [(key, type(value), value.rule) for key, value in found.items()] == [("arguments", Fault, rule)]


@pytest.mark.parametrize(
    "arguments",
    [
        b'{"x": ' + b"[" * 15 + b"]" * 15 + b"}",
        b'{"x": ' + b"9" * 4300 + b', "y": -' + b"9" * 4300 + b"}",
        b'{"x": "\\ud83d\\ude00", "y": 1e308, "z": {"x": 1}}',
        b"[]",
        b"null",
    ],
    ids=str,
)
def test_arguments_at_the_limits_are_left_alone(arguments: bytes) -> None:
    """The bounds are inclusive."""
    frame = parse(b'{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"t","arguments":' + arguments + b"}}")
    assert isinstance(frame, Frame)
    assert frame.params == {"name": "t", "arguments": json.loads(arguments)}


@pytest.mark.parametrize(
    "line",
    [
        b'{"jsonrpc":"2.0","id":1,"method":"m","params":{"arguments":' + b"[" * 100_000 + b"}}",
        b'{"jsonrpc":"2.0","id":1,"method":"m","params":{"arguments":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"jsonrpc":"2.0","id":1,"method":"m","params":{"arguments":' + b"[" * 100_000 + b"]" * 100_000 + b"}} x",
        b'{"jsonrpc":"2.0","id":1,"method":"m","params":{"other":' + b"[" * 100_000 + b"]" * 100_000 + b"}}",
        b'{"jsonrpc":"2.0","id":1,"method":"m","params":{"arguments":' + b"[" * 100_000 + b"]" * 100_000 + b",}}",
        b'{"jsonrpc":"2.0","id":' + b"[" * 100_000 + b"]" * 100_000 + b',"method":"m","params":{"arguments":{}}}',
        b'{"params":{"arguments":' + b"[" * 100_000 + b"]" * 100_000 + b",5:1}}",
        b'{"params":5,"x":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"params":{"arguments":5},"x":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    ],
    ids=["not-closed", "message-not-closed", "text-after", "elsewhere", "comma", "id", "key", "params", "arguments"],
)
def test_depth_that_json_gives_up_on_is_a_parse_error_outside_readable_arguments(line: bytes) -> None:
    """Only arguments may be stepped over, and only when all else can be read."""
    frame = parse(line)
    assert isinstance(frame, BadFrame)
    assert (frame.code, frame.id) == (PARSE_ERROR, None)


@pytest.mark.parametrize("line", [b'{"x":[' + b"1," * 1_000_001 + b"1]}", b"[" + b"{}," * 50_001 + b"{}]"], ids=["commas", "objects"])
def test_more_values_than_any_message_needs_are_a_parse_error(line: bytes) -> None:
    """A line may be long, but not become a hundred times its size in memory."""
    frame = parse(line)
    assert isinstance(frame, BadFrame)
    assert (frame.code, frame.id, frame.message) == (PARSE_ERROR, None, "Parse error: too many values")


def test_response_asks_nothing_and_a_notification_has_no_id() -> None:
    """This server asks its client nothing, so no response is its own."""
    assert parse(b'{"jsonrpc": "2.0", "id": 1, "result": {}}') is None
    assert parse(b'{"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": ""}}') is None
    notification = parse(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}')
    assert isinstance(notification, Frame)
    assert (notification.method, notification.id) == ("notifications/initialized", None)


@given(st.binary(max_size=200))
def test_any_octets_give_a_message_an_error_or_nothing(line: bytes) -> None:
    """No line raises."""
    frame = parse(line)
    assert frame is None or isinstance(frame, Frame | BadFrame)
