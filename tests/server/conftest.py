"""What tests of the running server share: a fakebridge process, and a server that talks to it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from fakebridge import testing
from tests.server.stdio import Stdio

if TYPE_CHECKING:
    from collections.abc import Iterator

WORLDS: Final = Path(__file__).parent.parent.parent / "conformance" / "worlds"


class FakeBridge(testing.FakeBridge):
    """A fakebridge process with a world of the suite."""

    def __init__(self, world: str) -> None:
        super().__init__(WORLDS / world / "world.json", ())

    def ask(self, do: str, **fields: object) -> dict[str, Any]:
        """One control command."""
        return self.control(do, **fields)

    def environment(self, state: Path) -> dict[str, str]:
        """The settings of a server for this account."""
        primary, *aliases = self.addresses
        return {
            "PROTON_BRIDGE_USER": primary,
            "PROTON_BRIDGE_ALIASES": ",".join(aliases),
            "PROTON_IMAP_PORT": str(self.imap_port),
            "PROTON_BRIDGE_PASSWORD": self.password,
            "PROTON_MCP_STATE_DIR": str(state),
        }


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
