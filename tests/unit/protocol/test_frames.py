"""What one line of the wire becomes: a message, an error answer, or nothing. The whole process is tried in tests/server."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
    assert json.loads(frame.encode())["id"] is None


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


def test_byte_order_mark_is_stripped() -> None:
    """A client that writes a BOM is understood."""
    assert parse(b'\xef\xbb\xbf{"jsonrpc": "2.0", "id": 1, "method": "ping"}') == Frame(
        {"jsonrpc": "2.0", "id": 1, "method": "ping"}, "ping", 1
    )


def test_depth_sixteen_passes_and_depth_inside_arguments_is_left_to_dispatch() -> None:
    """The limit is 16 outside `params.arguments`; inside, dispatch refuses with a code."""
    assert isinstance(parse(nested(16)), Frame)
    assert isinstance(parse(nested(30, inside="arguments")), Frame)


def test_response_and_notification_are_told_apart() -> None:
    """A response has no method; a notification has no id."""
    response = parse(b'{"jsonrpc": "2.0", "id": 1, "result": {}}')
    notification = parse(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}')
    assert isinstance(response, Frame)
    assert (response.method, response.id) == (None, 1)
    assert isinstance(notification, Frame)
    assert (notification.method, notification.id) == ("notifications/initialized", None)


@given(st.binary(max_size=200))
def test_any_octets_give_a_message_an_error_or_nothing(line: bytes) -> None:
    """No line raises."""
    frame = parse(line)
    assert frame is None or isinstance(frame, Frame | BadFrame)
