"""One server process and its raw pipes, with the time of everything."""

from __future__ import annotations

import json
import os
import select
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

INITIALIZE: Final = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "0"}}
WAIT_S: Final = 300.0
_READ: Final = 1 << 20

Ask = tuple[str, dict[str, object]]
"""A tool and its arguments."""


class Refused(Exception):
    """A call was answered with an error or a refusal; holds the answer's first text."""


class Conversation:
    """A process that was started just now. Times are seconds since then."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        self.began = time.perf_counter()
        self.process = subprocess.Popen(  # noqa: S603 - commands of our own
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=dict(environment),
            cwd="/",
            bufsize=0,
        )
        self._buffer = b""
        self._asked = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()

    def now(self) -> float:
        """Seconds since the start."""
        return time.perf_counter() - self.began

    def send(self, **message: object) -> None:
        """Send one message."""
        self._write(_line(message))

    def answer(self, identifier: object) -> tuple[dict[str, Any], float]:
        """Wait for an answer; the answer and its time."""
        while True:
            line = self._read()
            at = self.now()
            message: dict[str, Any] = json.loads(line)
            if message.get("id") == identifier:
                return message, at

    def next_id(self) -> object:
        """The id of the next answer."""
        return json.loads(self._read())["id"]

    def ask(self, identifier: object, method: str, params: object) -> tuple[dict[str, Any], float]:
        """Ask; the answer, and how long it took."""
        line = _line({"id": identifier, "method": method, "params": params})
        asked = self.now()
        self._write(line)
        message, at = self.answer(identifier)
        return message, at - asked

    def call(self, ask: Ask) -> tuple[dict[str, Any], float]:
        """Call a tool; its result, and the seconds from the first octet written to the last one read. Raises Refused."""
        self._asked += 1
        message, took = self.ask(self._asked, "tools/call", {"name": ask[0], "arguments": ask[1]})
        return result_of(message), took

    def at_once(self, asks: Sequence[Ask]) -> float:
        """Write all calls in one go; the seconds until the last is answered. Raises Refused."""
        first = self._asked + 1
        self._asked += len(asks)
        lines = b"".join(
            _line({"id": number, "method": "tools/call", "params": {"name": ask[0], "arguments": ask[1]}})
            for number, ask in enumerate(asks, first)
        )
        waiting = set(range(first, first + len(asks)))
        arrived: list[tuple[bytes, float]] = []
        asked = self.now()
        self._write(lines)
        while len(arrived) < len(asks):
            arrived.append((self._read(), self.now()))
        for line, _ in arrived:
            message = json.loads(line)
            waiting.discard(message.get("id"))
            result_of(message)
        if waiting:
            raise Refused("a call was not answered")
        return arrived[-1][1] - asked

    def meanwhile(self, long: Ask, pause: float, short: Ask) -> tuple[float, bool]:
        """Call `short` so many seconds after `long`: how long it took, and whether it was answered first."""
        number = self._asked + 1
        self._asked += 2
        self.send(id=number, method="tools/call", params={"name": long[0], "arguments": long[1]})
        time.sleep(pause)
        line = _line({"id": number + 1, "method": "tools/call", "params": {"name": short[0], "arguments": short[1]}})
        asked = self.now()
        self._write(line)
        took = 0.0
        order: list[int] = []
        while len(order) < 2:
            line = self._read()
            at = self.now()
            message = json.loads(line)
            if message.get("id") in {number, number + 1}:
                result_of(message)
                order.append(message["id"])
                took = at - asked if message["id"] == number + 1 else took
        return took, order[0] == number + 1

    def open(self) -> tuple[float, float]:
        """Handshake and list of tools; when each was answered."""
        self.send(id="open", method="initialize", params=INITIALIZE)
        opened = self.answer("open")[1]
        self.send(method="notifications/initialized")
        self.send(id="list", method="tools/list", params={})
        return opened, self.answer("list")[1]

    def end(self) -> float:
        """Close the input; how long the process took to end."""
        assert self.process.stdin is not None  # noqa: S101 - a pipe that was asked for
        asked = time.perf_counter()
        self.process.stdin.close()
        self.process.wait(30)
        return time.perf_counter() - asked

    def stop(self) -> float:
        """Send SIGTERM; how long the process took to end."""
        asked = time.perf_counter()
        self.process.terminate()
        self.process.wait(30)
        return time.perf_counter() - asked

    def memory_mib(self) -> float:
        """Resident memory of the process and all its children, MiB."""
        return sum(_kib(pid, "VmRSS") for pid in _tree(self.process.pid)) / 1024

    def forget_peak(self) -> None:
        """Let the process's highest memory count from now on (Linux: clear_refs)."""
        Path(f"/proc/{self.process.pid}/clear_refs").write_text("5", encoding="ascii")

    def peak_mib(self) -> float:
        """The highest resident memory of the process since `forget_peak`, and what its children have now, MiB."""
        children = _tree(self.process.pid)[1:]
        return (_kib(self.process.pid, "VmHWM") + sum(_kib(pid, "VmRSS") for pid in children)) / 1024

    def processor_s(self) -> float:
        """Processor time that the process has used, all its threads together."""
        tasks = Path(f"/proc/{self.process.pid}/task").glob("*/schedstat")
        return sum(int(task.read_text(encoding="ascii").split()[0]) for task in tasks) / 1e9

    def _write(self, octets: bytes) -> None:
        assert self.process.stdin is not None  # noqa: S101 - a pipe that was asked for
        view = memoryview(octets)
        while view:
            view = view[os.write(self.process.stdin.fileno(), view) :]

    def _read(self) -> bytes:
        """The next line. Raises RuntimeError when the server closes its output or says nothing for five minutes."""
        assert self.process.stdout is not None  # noqa: S101 - a pipe that was asked for
        pieces: list[bytes] = []
        while True:
            line, end, rest = self._buffer.partition(b"\n")
            pieces.append(line)
            if end:
                self._buffer = rest
                return b"".join(pieces)
            if not select.select([self.process.stdout], [], [], WAIT_S)[0]:
                raise RuntimeError("the server does not answer")
            self._buffer = os.read(self.process.stdout.fileno(), _READ)
            if not self._buffer:
                raise RuntimeError("the server closed its output")


def result_of(message: Mapping[str, Any]) -> dict[str, Any]:
    """The result of a call. Raises Refused for an error and for a result that is one."""
    if "error" in message:
        raise Refused(str(message["error"].get("message"))[:200])
    result: dict[str, Any] = message["result"]
    if result.get("isError"):
        raise Refused(str(result.get("content"))[:200])
    return result


def value_of(result: Mapping[str, Any]) -> dict[str, Any]:
    """What a tool gave: the structured content, taken out of the wrapping that some servers add, or the JSON of the first text."""
    held = result.get("structuredContent")
    if isinstance(held, dict):
        inner = held.get("result")
        return inner if set(held) == {"result"} and isinstance(inner, dict) else held
    value: dict[str, Any] = json.loads(result["content"][0]["text"])
    return value


def _line(message: Mapping[str, object]) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n"


def _tree(pid: int) -> list[int]:
    children = [int(child) for task in Path(f"/proc/{pid}/task").glob("*/children") for child in task.read_text(encoding="ascii").split()]
    return [pid, *(below for child in children for below in _tree(child))]


def _kib(pid: int, figure: str) -> int:
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0  # it has ended meanwhile
    return next((int(line.split()[1]) for line in status if line.startswith(f"{figure}:")), 0)
