"""A fakebridge process for tests: started with a world, asked over its control channel, ended by closing that channel."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

WAIT_S: Final = 30
ROOT: Final = Path(__file__).resolve().parent.parent.parent


class FakeBridge:
    """A running process. `ready` is its first line. FAKEBRIDGE_WITHOUT names behaviours it lacks (tests/fidelity)."""

    def __init__(self, world: Path, options: Sequence[str] = ()) -> None:
        program = "tests.fidelity.bridge" if os.environ.get("FAKEBRIDGE_WITHOUT") else "fakebridge"
        command = [sys.executable, "-m", program, "serve", "--world", str(world), "--control", *options]
        self.process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.ready: dict[str, Any] = self._read()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.end()

    def end(self) -> int:
        """Close the control channel; the exit status."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        try:
            return self.process.wait(WAIT_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait(WAIT_S)
        finally:
            self.process.stdout.close()

    def send(self, command: Mapping[str, object]) -> dict[str, Any]:
        """One control command; its answer, good or bad."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(command) + "\n")
        self.process.stdin.flush()
        return self._read()

    def ask(self, do: str, **fields: object) -> dict[str, Any]:
        """One control command that must succeed."""
        answer = self.send({"do": do, **fields})
        assert answer.pop("ok"), answer
        return answer

    def journal(self, *kinds: str) -> list[dict[str, Any]]:
        """The entries of these kinds, or all."""
        entries: list[dict[str, Any]] = self.ask("journal")["entries"]
        return [entry for entry in entries if not kinds or entry["kind"] in kinds]

    @property
    def password(self) -> str:
        """The one password."""
        return str(self.ready["password"])

    def _read(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        value: dict[str, Any] = json.loads(self.process.stdout.readline())
        return value
