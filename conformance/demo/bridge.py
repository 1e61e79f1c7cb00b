"""fakebridge as a process: started for the walk, asked for its journal, ended with its standard input."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any, Final, Self

if TYPE_CHECKING:
    from pathlib import Path

STOP_S: Final = 10


class Bridge:
    """A running fakebridge with the control channel open. `ready` is its ready line: ports, password, addresses."""

    def __init__(self, world: Path) -> None:
        command = [sys.executable, "-m", "fakebridge", "serve", "--world", str(world), "--control"]
        self._process = subprocess.Popen(  # noqa: S603 - our own interpreter, our own module
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.ready: dict[str, Any] = self._read()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate(timeout=STOP_S)

    def ask(self, **command: object) -> dict[str, Any]:
        """One control command; raises RuntimeError when it isn't carried out."""
        if self._process.stdin is None:
            raise RuntimeError("fakebridge has no control channel")
        self._process.stdin.write(json.dumps(command) + "\n")
        self._process.stdin.flush()
        answer = self._read()
        if not answer.get("ok"):
            raise RuntimeError(f"fakebridge: {answer.get('error', 'no reason given')}")
        return answer

    def _read(self) -> dict[str, Any]:
        line = self._process.stdout.readline() if self._process.stdout else ""
        if not line:
            raise RuntimeError("fakebridge ended before it answered")
        value = json.loads(line)
        return value if isinstance(value, dict) else {}
