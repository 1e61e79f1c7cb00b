"""The STDIO transport: one line is one message, in both directions, on descriptors that nothing else can reach.

Descriptors 0 and 1 are claimed before anything else runs: afterwards 0 reads nothing and 1 is standard error, so a stray print or a
child's output can't reach the wire. A thread of its own reads lines of at most `max_line_octets`; what it can't hand on it answers.
Knows no tool.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import anyio
import anyio.from_thread
import anyio.lowlevel
import anyio.to_thread
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter
from pydantic import ValidationError

from proton_safe.protocol.frames import INVALID_REQUEST, PARSE_ERROR, BadFrame, Frame, parse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

MAX_LINE_OCTETS: Final = 16 * 1024 * 1024
_CHUNK_OCTETS: Final = 256 * 1024
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Descriptors:
    """The private ends of the wire."""

    incoming: int
    outgoing: int


def claim() -> Descriptors:
    """Take descriptors 0 and 1 for the wire and leave harmless ones in their place."""
    incoming, outgoing = os.dup(0), os.dup(1)
    os.set_inheritable(incoming, False)  # noqa: FBT003 - the library's signature
    os.set_inheritable(outgoing, False)  # noqa: FBT003 - the library's signature
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    return Descriptors(incoming, outgoing)


def lines(descriptor: int, max_octets: int) -> Iterator[bytes | None]:
    """The lines of a descriptor without their ends; None stands for one that was longer than `max_octets` and was discarded.

    Ends at the end of input; a last line without an end is no line.
    """
    pending = bytearray()
    discarding = False
    while chunk := _read(descriptor):
        start = 0
        while (end := chunk.find(b"\n", start)) >= 0:
            pending += chunk[start:end]
            start = end + 1
            yield None if discarding or len(pending) > max_octets else bytes(pending)
            pending.clear()
            discarding = False
        if not discarding:
            pending += chunk[start:]
        if len(pending) > max_octets:
            pending.clear()
            discarding = True


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, _CHUNK_OCTETS)
    except OSError:
        return b""


class Wire:
    """Connects the claimed descriptors with the SDK's pair of streams. `broken` is set once the client reads no more."""

    def __init__(self, descriptors: Descriptors, *, max_line_octets: int = MAX_LINE_OCTETS) -> None:
        self._descriptors = descriptors
        self._max_line_octets = max_line_octets
        self._in_flight: set[str | int] = set()
        self._lock = threading.Lock()
        self._write_lock = threading.Lock()
        self.broken = anyio.Event()

    def start_reading(self, to_server: MemoryObjectSendStream[SessionMessage | Exception]) -> None:
        """Start the reading thread. It closes `to_server` at the end of input."""
        token = anyio.lowlevel.current_token()

        def hand_on(message: SessionMessage) -> None:
            anyio.from_thread.run(to_server.send, message, token=token)

        def read() -> None:
            try:
                for line in lines(self._descriptors.incoming, self._max_line_octets):
                    self._receive(line, hand_on)
            except (OSError, anyio.ClosedResourceError, anyio.BrokenResourceError, anyio.RunFinishedError):
                pass  # the client reads no more, or the server ended first; what is left of the input concerns nobody
            with contextlib.suppress(anyio.RunFinishedError):
                anyio.from_thread.run(to_server.aclose, token=token)

        threading.Thread(target=read, name="wire-reader", daemon=True).start()

    def _receive(self, line: bytes | None, hand_on: Callable[[SessionMessage], None]) -> None:
        frame = BadFrame(PARSE_ERROR, "Parse error: line too long") if line is None else parse(line)
        if isinstance(frame, Frame):
            frame = self._admit(frame)
        if isinstance(frame, BadFrame):
            self._write(frame.encode())
        elif frame is not None:
            try:
                message = jsonrpc_message_adapter.validate_python(frame.payload, by_name=False)
            except ValidationError:
                self._settle(frame.id)
                self._write(BadFrame(INVALID_REQUEST, "Invalid request", frame.id).encode())
            else:
                hand_on(SessionMessage(message))

    def _admit(self, frame: Frame) -> Frame | BadFrame:
        """Keep the book of requests in flight: an id that still waits for its answer can't be used again."""
        if frame.method == "notifications/cancelled":
            params = frame.payload.get("params")
            cancelled = params.get("requestId") if isinstance(params, dict) else None
            if isinstance(cancelled, str | int):
                self._settle(cancelled)  # a cancelled request gets no answer, so nothing else would free its id
        elif frame.method is not None and frame.id is not None:
            with self._lock:
                if frame.id in self._in_flight:
                    return BadFrame(INVALID_REQUEST, "Invalid request: this id is in use", frame.id)
                self._in_flight.add(frame.id)
        return frame

    def _settle(self, identifier: str | int | None) -> None:
        with self._lock:
            self._in_flight.discard(identifier)

    async def write_all(self, from_server: MemoryObjectReceiveStream[SessionMessage]) -> None:
        """Write what the server says until it ends."""
        limiter = anyio.CapacityLimiter(1)
        async with from_server:
            async for item in from_server:
                payload = item.message.model_dump(by_alias=True, mode="json", exclude_unset=True)
                if "method" not in payload:
                    self._settle(payload.get("id"))
                try:
                    await anyio.to_thread.run_sync(self._write, encode(payload), limiter=limiter)
                except OSError:
                    self.broken.set()
                    return

    def _write(self, message: bytes) -> None:
        """Write one line; raises OSError when the client is gone."""
        view = memoryview(message + b"\n")
        with self._write_lock:
            while view:
                view = view[os.write(self._descriptors.outgoing, view) :]


def encode(payload: object) -> bytes:
    """The one place where a message becomes octets: UTF-8 without escapes; lone surrogates become U+FFFD."""
    text = json.dumps(payload, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    try:
        return text.encode()
    except UnicodeEncodeError:
        return _SURROGATE.sub("\ufffd", text).encode()
