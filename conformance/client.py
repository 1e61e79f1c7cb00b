"""A minimal MCP client on raw pipes: JSON-RPC lines as they are, so that what a server writes is judged and not repaired."""

from __future__ import annotations

import itertools
import json
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from conformance.line_process import Ended, LineProcess
from conformance.model import Json

PROTOCOL: Final = "2025-11-25"
START_S: Final = 60.0
# What a server may take beside the call's own time until it has answered its first one: some load what they need no earlier, and on a busy
# machine that takes longer than any call.
FIRST_CALL_S: Final = 60.0


class NoAnswer(Exception):
    """A request was not answered in time: a hang."""


class ServerGone(Exception):
    """The server closed its output."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One response. `line` is what came, octet by octet; exactly one of `result` and `error` is set."""

    line: bytes
    result: dict[str, Json] | None
    error: dict[str, Json] | None
    seconds: float


class Client:
    """One server process and its session. Calls may overlap; answers are matched by id."""

    def __init__(self, command: Sequence[str], *, environment: Mapping[str, str], folder: str) -> None:
        self._numbers = itertools.count(1)
        self._arrived = threading.Condition()
        self._answers: dict[int, Answer] = {}
        self._asked: dict[int, float] = {}
        self._calls: set[int] = set()
        self._has_served = False
        self._given_up: set[int] = set()
        self._ended = False
        self.faults: list[str] = []
        self.answered_after_cancel: list[int] = []
        self._process = LineProcess(command, environment=environment, folder=folder, on_line=self._take)

    def initialize(self) -> dict[str, Json]:
        """The handshake. Gives the result of `initialize`. Raises ServerGone or NoAnswer."""
        params = {"protocolVersion": PROTOCOL, "capabilities": {}, "clientInfo": {"name": "conformance", "version": "1"}}
        answer = self.wait(self.send("initialize", params), within_s=START_S)
        self._write({"jsonrpc": "2.0", "method": "notifications/initialized"})
        if answer.result is None:
            raise ServerGone("initialize was refused")
        return answer.result

    def tools(self) -> list[dict[str, Json]]:
        """The result of `tools/list`. Raises ServerGone or NoAnswer."""
        answer = self.wait(self.send("tools/list", {}), within_s=START_S)
        if answer.result is None:
            raise ServerGone("tools/list was refused")
        tools: list[dict[str, Json]] = answer.result["tools"]
        return tools

    def send(self, method: str, params: dict[str, Json]) -> int:
        """Write one request and give its id. Raises ServerGone."""
        number = next(self._numbers)
        self._asked[number] = time.monotonic()
        self._write({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        return number

    def send_calls(self, calls: Sequence[tuple[str, dict[str, Json]]]) -> list[int]:
        """Write several tool calls in one go and give their ids."""
        numbers = [next(self._numbers) for _ in calls]
        self._asked |= dict.fromkeys(numbers, time.monotonic())
        self._calls.update(numbers)
        lines = [
            request_line({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": tool, "arguments": arguments}})
            for number, (tool, arguments) in zip(numbers, calls, strict=True)
        ]
        self._write_octets(b"".join(lines))
        return numbers

    def cancel(self, number: int) -> None:
        """Tell the server that the answer is no longer wanted."""
        with self._arrived:
            self._given_up.add(number)
        self._write({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}})

    def wait(self, number: int, *, within_s: float) -> Answer:
        """The answer to a request; the server's first call may take FIRST_CALL_S more. Raises NoAnswer or ServerGone."""
        with self._arrived:
            self._arrived.wait_for(self._is_there(number), timeout=within_s)
            if number in self._calls and not self._has_served:
                self._arrived.wait_for(self._is_there(number), timeout=FIRST_CALL_S)
            if number in self._answers:
                return self._answers.pop(number)
        if self._ended:
            raise ServerGone("the server ended")
        raise NoAnswer(f"no answer within {within_s:g} s")

    def _is_there(self, number: int) -> Callable[[], bool]:
        return lambda: number in self._answers or self._ended

    @property
    def stderr(self) -> str:
        """What the server wrote to standard error."""
        return self._process.stderr

    def close(self) -> int:
        """End the process; gives its exit status."""
        return self._process.close()

    def _write(self, message: dict[str, Json]) -> None:
        self._write_octets(request_line(message))

    def _write_octets(self, octets: bytes) -> None:
        try:
            self._process.write(octets)
        except Ended:
            raise ServerGone("the server no longer reads") from None

    def _take(self, line: bytes) -> None:
        with self._arrived:
            if not line:
                self._ended = True
            else:
                self._sort(line)
            self._arrived.notify_all()

    def _sort(self, line: bytes) -> None:
        try:
            message = json.loads(line.decode("utf-8"))
        except ValueError:
            self.faults.append(f"a line on standard output is not JSON in UTF-8: {line[:120]!r}")
            return
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            self.faults.append(f"a line on standard output is not JSON-RPC: {line[:120]!r}")
            return
        number = message.get("id")
        if "method" in message:
            if number is not None:
                self.faults.append(f"the server asks the client: {message['method']!r}")
        elif number in self._given_up:
            self.answered_after_cancel.append(number)
        elif number in self._asked:
            seconds = time.monotonic() - self._asked.pop(number)
            self._has_served = self._has_served or number in self._calls
            self._answers[number] = Answer(line.rstrip(b"\r\n"), message.get("result"), message.get("error"), seconds)
        else:
            self.faults.append(f"an answer to nothing that was asked: {line[:120]!r}")


def request_line(message: dict[str, Json]) -> bytes:
    """A JSON-RPC message as the line that goes over the pipe: UTF-8, with escapes where it holds lone surrogates, which UTF-8 can't."""
    line = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
    try:
        return line.encode() + b"\n"
    except UnicodeEncodeError:
        return json.dumps(message, separators=(",", ":")).encode() + b"\n"
