"""A server process and its raw pipes: lines in, lines out, every wait bounded. Knows JSON-RPC and nothing of our code."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

if TYPE_CHECKING:
    from collections.abc import Mapping

WAIT_S: Final = 80
"""Longer than the server may take for any call, so that a busy machine doesn't look like a hang."""
PROTOCOL: Final = "2025-11-25"


class Stdio:
    """One server process; without `reading` its output is left to the test."""

    def __init__(
        self, environment: Mapping[str, str], *, command: tuple[str, ...] = ("-m", "proton_safe", "serve"), reading: bool = True
    ) -> None:
        passed = {
            name: os.environ[name] for name in ("PATH", "HOME", "COVERAGE_PROCESS_CONFIG", "COVERAGE_PROCESS_START") if name in os.environ
        }
        self.process = subprocess.Popen(
            [sys.executable, *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**passed, **environment},
        )
        self._lines: queue.Queue[bytes | None] = queue.Queue()
        if reading:
            threading.Thread(target=self._read, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(WAIT_S)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None and not stream.closed:
                stream.close()

    def write(self, line: bytes) -> None:
        """Send octets as they are; a line's end is the caller's."""
        assert self.process.stdin is not None
        self.process.stdin.write(line)
        self.process.stdin.flush()

    def send(self, **message: object) -> None:
        """Send one JSON-RPC message."""
        self.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    def receive(self) -> dict[str, Any]:
        """The next line, parsed."""
        line = self._lines.get(timeout=WAIT_S)
        assert line is not None, "the server closed its output"
        value: dict[str, Any] = json.loads(line)
        assert value["jsonrpc"] == "2.0"
        return value

    def answer(self, identifier: object) -> dict[str, Any]:
        """The answer to this id; other lines on the way must be notifications."""
        while True:
            message = self.receive()
            if "method" not in message and message.get("id") == identifier:
                return message
            assert "method" in message, message

    def initialize(self) -> dict[str, Any]:
        """The handshake of 2025-11-25; gives the server's result."""
        client = {"protocolVersion": PROTOCOL, "capabilities": {}, "clientInfo": {"name": "tests", "version": "0"}}
        self.send(id="init", method="initialize", params=client)
        result: dict[str, Any] = self.answer("init")["result"]
        self.send(method="notifications/initialized")
        return result

    def call(self, identifier: object, tool: str, **arguments: object) -> None:
        """Ask for a tool; the answer is fetched with `answer`."""
        self.send(id=identifier, method="tools/call", params={"name": tool, "arguments": arguments})

    def peak_kib(self) -> int:
        """The most memory that the process has had resident, in KiB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM")))

    def waits_in(self, call: str) -> bool:
        """Whether a thread of the process waits in this system call (Linux: what the kernel says of it)."""
        found = False
        for task in Path(f"/proc/{self.process.pid}/task").iterdir():
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # a thread that has ended waits for nothing
                found |= call in (task / "wchan").read_text(encoding="ascii")
        return found

    def closed_output(self) -> bool:
        """Whether the server writes nothing more."""
        return self._lines.get(timeout=WAIT_S) is None

    def rest(self) -> list[dict[str, Any]]:
        """What the server still says until it closes its output."""
        return [json.loads(line) for line in iter(lambda: self._lines.get(timeout=WAIT_S), None)]

    def end(self) -> tuple[int, str]:
        """Close the input and wait; exit status and standard error."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.ended()

    def ended(self) -> tuple[int, str]:
        """Wait for the end; exit status and standard error."""
        status = self.process.wait(WAIT_S)
        assert self.process.stderr is not None
        return status, self.process.stderr.read().decode()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)
        self._lines.put(None)
