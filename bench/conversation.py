"""One server process and its raw pipes, with the time of everything."""

from __future__ import annotations

import json
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

INITIALIZE: Final = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "0"}}


class Conversation:
    """A process that was started just now. Times are seconds since then."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        self.began = time.perf_counter()
        self.process = subprocess.Popen(  # noqa: S603 - commands of our own
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=dict(environment), cwd="/"
        )

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
        assert self.process.stdin is not None  # noqa: S101 - a pipe that was asked for
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self.process.stdin.flush()

    def answer(self, identifier: object) -> tuple[dict[str, Any], float]:
        """Wait for an answer; the answer and its time."""
        assert self.process.stdout is not None  # noqa: S101 - a pipe that was asked for
        while line := self.process.stdout.readline():
            at = self.now()
            message: dict[str, Any] = json.loads(line)
            if message.get("id") == identifier:
                return message, at
        raise RuntimeError("the server closed its output")

    def next_id(self) -> object:
        """The id of the next answer."""
        assert self.process.stdout is not None  # noqa: S101 - a pipe that was asked for
        return json.loads(self.process.stdout.readline())["id"]

    def ask(self, identifier: object, method: str, params: object) -> tuple[dict[str, Any], float]:
        """Ask; the answer, and how long it took."""
        asked = self.now()
        self.send(id=identifier, method=method, params=params)
        message, at = self.answer(identifier)
        return message, at - asked

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
        return sum(_resident_kib(pid) for pid in _tree(self.process.pid)) / 1024

    def processor_s(self) -> float:
        """Processor time that the process has used, all its threads together."""
        tasks = Path(f"/proc/{self.process.pid}/task").glob("*/schedstat")
        return sum(int(task.read_text(encoding="ascii").split()[0]) for task in tasks) / 1e9


def _tree(pid: int) -> list[int]:
    children = [int(child) for task in Path(f"/proc/{pid}/task").glob("*/children") for child in task.read_text(encoding="ascii").split()]
    return [pid, *(below for child in children for below in _tree(child))]


def _resident_kib(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    return next((int(line.split()[1]) for line in status if line.startswith("VmRSS")), 0)
