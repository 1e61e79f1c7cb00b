"""The STDIO transport: one line is one message, in both directions. Reads each line, answers what it can, hands the rest to the engine.

What it answers itself never waits for the engine: bad frames, what the front door's table holds, and `busy` beyond the load limits.
Notifications but cancels, and responses, concern nobody here and go no further.
Belongs to the front door: imports nothing but its parts. Knows no tool.
"""

from __future__ import annotations

from proton_safe.protocol.book import Book
from proton_safe.protocol.frames import INVALID_REQUEST, PARSE_ERROR, BadFrame, Frame, parse
from proton_safe.protocol.front_door import FrontDoor
from proton_safe.protocol.inbox import Inbox
from proton_safe.protocol.line_reader import MAX_LINE_OCTETS, lines
from proton_safe.protocol.output import ClientGone, Output, encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from proton_safe.protocol.descriptors import Descriptors
    from proton_safe.protocol.plain_calls import PlainCalls

OVERLOADED = -32000


class Wire:
    """One client's connection. `answer_alone` first, then `go_on` in a thread of its own; the engine uses the other three.

    The engine sets `plain_calls` to what takes calls of the plain shape.
    """

    def __init__(self, descriptors: Descriptors, *, max_line_octets: int = MAX_LINE_OCTETS) -> None:
        self.output = Output(descriptors)
        self.book = Book()
        self.inbox = Inbox()
        self.plain_calls: PlainCalls | None = None
        self._door = FrontDoor()
        self._lines = lines(descriptors.incoming, max_line_octets)

    def answer_alone(self) -> bool:
        """Serve until a message needs the engine: True; or until the client is gone: False."""
        try:
            for line in self._lines:
                if self._receive(line):
                    return True
        except ClientGone:
            pass
        return False

    def go_on(self) -> None:
        """Serve beside the engine until the client is gone."""
        try:
            for line in self._lines:
                self._receive(line)
        except ClientGone:
            pass
        finally:
            self.inbox.close()

    def _receive(self, line: bytes | None) -> bool:
        """Serve one line; whether a request went to the engine."""
        frame = BadFrame(PARSE_ERROR, "Parse error: line too long") if line is None else parse(line)
        if isinstance(frame, Frame):
            if frame.id is not None:
                return self._serve(frame, frame.id, len(line or b""))
            if frame.method == "notifications/cancelled":
                self._cancel(frame.params or {})
        elif isinstance(frame, BadFrame):
            self.output.write(frame.answer())
        return False

    def _serve(self, frame: Frame, identifier: str | int, octets: int) -> bool:
        """Answer a request, or hand it on."""
        if self.book.holds(identifier):
            self.output.write(BadFrame(INVALID_REQUEST, "Invalid request: this id is in use", identifier).answer())
            return False
        is_call = frame.method == "tools/call"
        has_room = self.book.has_room(octets, is_call=is_call)
        result = self._door.result(frame)
        if result is None and is_call and not has_room:
            result = self._door.busy(frame)
        for message in self._door.take_opening():
            self._hand_on(message, self.book.number_for_nobody() if message["method"] != "notifications/initialized" else None)
        if result is not None:
            self.output.write_octets(b'{"jsonrpc":"2.0","id":' + encode(identifier) + b',"result":' + result + b"}")
            return False
        if not has_room:
            self.output.write(BadFrame(OVERLOADED, "Too many requests at once", identifier).answer())
            return False
        number = self.book.enter(identifier, octets, is_call=is_call)
        if self.plain_calls is not None and self._door.is_plain(frame) and self.plain_calls.take(number, frame.params or {}):
            return True
        message = {"method": frame.method} if frame.params is None else {"method": frame.method, "params": frame.params}
        self._hand_on(message, number)
        return True

    def _cancel(self, params: dict[str, object]) -> None:
        number = self.book.cancel(params.get("requestId"))
        if number is None or (self.plain_calls is not None and self.plain_calls.cancel(number)):
            return
        if not self.inbox.retract(number):
            self._hand_on({"method": "notifications/cancelled", "params": {"requestId": number}}, None)

    def _hand_on(self, message: dict[str, object], number: int | None) -> None:
        self.inbox.put({"jsonrpc": "2.0", **message} if number is None else {"jsonrpc": "2.0", "id": number, **message})
