"""The wire's small parts, each alone: lines, the outgoing end, the book of requests, the way to the engine, what the SDK's words become."""

from __future__ import annotations

import json
import os
import threading
from typing import TYPE_CHECKING, Any

import pytest
from mcp_types import ErrorData, JSONRPCError, JSONRPCNotification, JSONRPCRequest, JSONRPCResponse

from proton_safe.protocol.book import MAX_CALLS, MAX_OCTETS, MAX_REQUESTS, Book
from proton_safe.protocol.descriptors import Descriptors
from proton_safe.protocol.inbox import Inbox
from proton_safe.protocol.line_reader import lines
from proton_safe.protocol.outgoing import wire_form
from proton_safe.protocol.output import ClientGone, Output, encode

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def pipes() -> Iterator[tuple[int, int, int, int]]:
    """Two pipes: what a client writes to, what the server reads; what the server writes to, what the client reads."""
    ours_in, theirs_out = os.pipe()
    theirs_in, ours_out = os.pipe()
    held = {ours_in, theirs_out, theirs_in, ours_out}
    yield theirs_out, ours_in, ours_out, theirs_in
    for descriptor in held:
        try:
            os.close(descriptor)
        except OSError:
            continue


def read_lines(octets: bytes, max_octets: int) -> list[bytes | None]:
    """What `lines` makes of these octets."""
    reading, writing = os.pipe()

    def write() -> None:
        with os.fdopen(writing, "wb") as end:
            end.write(octets)

    thread = threading.Thread(target=write)
    thread.start()
    found = list(lines(reading, max_octets))
    thread.join()
    os.close(reading)
    return found


def test_lines_are_cut_at_their_ends_and_bounded() -> None:
    """The bound is inclusive, what is longer is discarded, and octets without an end are no line."""
    assert read_lines(b"a\n\n12345\n123456\nb\nrest", 5) == [b"a", b"", b"12345", None, b"b"]
    assert read_lines(b"x" * 1_000_000 + b"\nnext\n", 5) == [None, b"next"]
    assert read_lines(b"x" * 300_000 + b"\n" + b"y" * 300_000 + b"\n", 300_000) == [b"x" * 300_000, b"y" * 300_000]


def test_descriptor_that_fails_is_the_end_of_input() -> None:
    """Nobody can repair it from here."""
    assert list(lines(-1, 5)) == []


def test_lines_of_many_threads_stay_whole(pipes: tuple[int, int, int, int]) -> None:
    """Lines longer than a pipe takes at once are not mixed."""
    _, ours_in, ours_out, theirs_in = pipes
    output = Output(Descriptors(ours_in, ours_out))
    writers = [threading.Thread(target=output.write, args=([number] * 30_000,)) for number in range(4)]
    for writer in writers:
        writer.start()
    with os.fdopen(os.dup(theirs_in), "rb") as reading:
        found = sorted(json.loads(reading.readline())[0] for _ in writers)
    for writer in writers:
        writer.join()
    assert found == [0, 1, 2, 3]


def test_client_that_closed_its_end_is_gone_for_good(pipes: tuple[int, int, int, int]) -> None:
    """The first write fails, and so does each later one."""
    _, ours_in, ours_out, theirs_in = pipes
    output = Output(Descriptors(ours_in, ours_out))
    os.close(theirs_in)
    for _ in range(2):
        with pytest.raises(ClientGone):
            output.write({})


def test_full_pipe_to_a_client_that_ended_its_input_gives_up(pipes: tuple[int, int, int, int]) -> None:
    """Its own end is closed and it reads nothing: nobody waits for the rest."""
    theirs_out, ours_in, ours_out, _ = pipes
    output = Output(Descriptors(ours_in, ours_out))
    os.close(theirs_out)
    with pytest.raises(ClientGone):
        output.write("x" * 1_000_000)


def test_encoding_replaces_lone_surrogates_and_joins_pairs() -> None:
    """UTF-8 without escapes; what no UTF-8 can hold becomes U+FFFD."""
    assert encode({"a": "\ud800x\ud83d\ude00\u00e9"}) == '{"a":"\ufffdx\U0001f600\u00e9"}'.encode()


def test_book_keeps_ids_apart_and_frees_them() -> None:
    """1 and "1" are two ids; a cancelled or answered one can be used again, and its late answer is for nobody."""
    book = Book()
    number, text = book.enter(1, 10, is_call=True), book.enter("1", 10, is_call=False)
    assert (book.holds(1), book.holds("1"), book.holds(2)) == (True, True, False)
    assert book.cancel("1") == text
    others: list[object] = ["1", None, True, 1.0, [], "nobody"]
    assert [book.cancel(other) for other in others] == [None] * 6
    again = book.enter("1", 10, is_call=False)
    assert [book.settle(text), book.settle(again), book.settle(number), book.settle(number)] == [None, "1", 1, None]
    assert book.settle(book.number_for_nobody()) is None


def test_book_bounds_calls_requests_and_octets() -> None:
    """One request alone always has room."""
    book = Book()
    assert book.has_room(MAX_OCTETS + 1, is_call=True)
    for number in range(MAX_CALLS):
        assert book.has_room(1, is_call=True)
        book.enter(number, 1, is_call=True)
    assert not book.has_room(1, is_call=True)
    for number in range(MAX_CALLS, MAX_REQUESTS):
        assert book.has_room(1, is_call=False)
        book.enter(number, 1, is_call=False)
    assert not book.has_room(1, is_call=False)
    book.cancel(0)
    assert book.has_room(MAX_OCTETS - MAX_REQUESTS + 1, is_call=True)
    assert not book.has_room(MAX_OCTETS - MAX_REQUESTS + 2, is_call=True)


def test_inbox_keeps_order_and_tells_of_news() -> None:
    """What came before the engine is there when it comes; what was taken back is not."""
    inbox, woken = Inbox(), []
    for number in range(3):
        inbox.put({"id": number})
    assert (inbox.retract(1), inbox.retract(1)) == (True, False)
    inbox.attach(lambda: woken.append(1))
    inbox.put({"id": 3})
    assert inbox.take() == ([{"id": 0}, {"id": 2}, {"id": 3}], False)
    inbox.close()
    assert inbox.take() == ([], True)
    assert len(woken) == 2


def form(message: Any) -> Any:  # noqa: ANN401 - any message of the SDK
    """The wire's form of a message about the request with the client's id "c"."""
    book = Book()
    book.enter("c", 1, is_call=False)
    return wire_form(message, book)


def test_words_of_the_sdk_are_cut_to_what_the_protocol_needs() -> None:
    """An exception's text and echoes of what the client sent stay here."""
    assert form(JSONRPCResponse(jsonrpc="2.0", id=1, result={"a": 1})) == {"jsonrpc": "2.0", "id": "c", "result": {"a": 1}}
    leak = ErrorData(code=0, message="secret")
    assert form(JSONRPCError(jsonrpc="2.0", id=1, error=leak))["error"] == {"code": -32603, "message": "Internal error"}
    echo = ErrorData(code=-32601, message="Method not found", data="x" * 100)
    assert form(JSONRPCError(jsonrpc="2.0", id=1, error=echo))["error"] == {"code": -32601, "message": "Method not found"}
    version = ErrorData(code=-32022, message="Unsupported", data={"supported": ["a"], "requested": "9" * 100})
    assert form(JSONRPCError(jsonrpc="2.0", id=1, error=version))["error"]["data"] == {"supported": ["a"], "requested": "9" * 64}
    assert form(JSONRPCNotification(jsonrpc="2.0", method="n")) == {"jsonrpc": "2.0", "method": "n"}
    assert form(JSONRPCNotification(jsonrpc="2.0", method="n", params={}))["params"] == {}


def test_answers_for_nobody_and_requests_never_leave() -> None:
    """A cancelled request is not answered; this server asks its client nothing."""
    assert form(JSONRPCResponse(jsonrpc="2.0", id=2, result={})) is None
    assert form(JSONRPCError(jsonrpc="2.0", id=None, error=ErrorData(code=1, message=""))) is None
    assert form(JSONRPCRequest(jsonrpc="2.0", id=1, method="roots/list")) is None
