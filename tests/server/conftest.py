"""What tests of the running server share: a fakebridge process, and a server that talks to it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

import pytest

from tests.server.stdio import Stdio

if TYPE_CHECKING:
    from collections.abc import Iterator

WORLDS: Final = Path(__file__).parent.parent.parent / "conformance" / "worlds"
WAIT_S: Final = 15


class FakeBridge:
    """A fakebridge process with its control channel."""

    def __init__(self, world: str) -> None:
        command = [sys.executable, "-m", "fakebridge", "serve", "--world", str(WORLDS / world / "world.json"), "--control"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.ready = self._read()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.communicate(timeout=WAIT_S)

    def ask(self, **command: object) -> dict[str, Any]:
        """One control command."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(command) + "\n")
        self.process.stdin.flush()
        answer = self._read()
        assert answer["ok"], answer
        return answer

    def journal(self, kind: str) -> list[dict[str, Any]]:
        """The entries of one kind."""
        return [entry for entry in self.ask(do="journal")["entries"] if entry["kind"] == kind]

    def environment(self, state: Path) -> dict[str, str]:
        """The settings of a server for this account."""
        primary, *aliases = self.ready["addresses"]
        return {
            "PROTON_BRIDGE_USER": primary,
            "PROTON_BRIDGE_ALIASES": ",".join(aliases),
            "PROTON_IMAP_PORT": str(self.ready["imap"]),
            "PROTON_BRIDGE_PASSWORD": self.ready["password"],
            "PROTON_MCP_STATE_DIR": str(state),
        }

    def _read(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        value: dict[str, Any] = json.loads(self.process.stdout.readline())
        return value


def offline(state: Path) -> dict[str, str]:
    """Settings of a server whose Bridge does not exist, for what needs none."""
    return {
        "PROTON_BRIDGE_USER": "ada@keller.example",
        "PROTON_IMAP_PORT": "1",
        "PROTON_MCP_STATE_DIR": str(state),
        "PROTON_BRIDGE_PASSWORD": "CANARY-password",
    }


@pytest.fixture
def bridge() -> Iterator[FakeBridge]:
    """A fakebridge with the world `small`."""
    with FakeBridge("small") as running:
        yield running


@pytest.fixture
def server(bridge: FakeBridge, tmp_path: Path) -> Iterator[Stdio]:
    """A server for that account, after its handshake."""
    with Stdio(bridge.environment(tmp_path)) as running:
        running.initialize()
        yield running
