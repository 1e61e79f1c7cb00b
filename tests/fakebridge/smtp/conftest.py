"""A Bridge with three addresses, and clients of its SMTP port."""

import base64
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.fakebridge.running_bridge import FakeBridge
from tests.fakebridge.smtp.client import Client

WORLD = {
    "about": "an account that sends",
    "addresses": [
        {"address": "Ada@proton.local", "display_name": "Ada Example", "enabled": True},
        {"address": "ada.alias@proton.local", "display_name": "", "enabled": True},
        {"address": "ada.off@proton.local", "display_name": "", "enabled": False},
    ],
    "account_server": "simulated",
    "profile": {"offline_hang_seconds": 0.01, "response_order": "strict"},
    "mailboxes": {"INBOX": [{"text": "From: bob@example.test\nDate: Tue, 03 Feb 2026 10:11:12 +0100\nSubject: parent\n\nhello\n"}]},
}


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The world as a file."""
    path = tmp_path_factory.mktemp("smtp") / "world.json"
    path.write_text(json.dumps(WORLD), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def process(world: Path) -> Iterator[FakeBridge]:
    """One process for the tests of a file."""
    with FakeBridge(world) as running:
        yield running


@pytest.fixture
def bridge(process: FakeBridge, world: Path) -> FakeBridge:
    """The process with the world as it was at the start."""
    process.ask("reset", world=str(world))
    return process


@pytest.fixture
def client(bridge: FakeBridge) -> Iterator[Client]:
    """A client that has said EHLO."""
    with Client(bridge.ready["smtp"]) as connected:
        connected.ask("EHLO probe")
        yield connected


@pytest.fixture
def secret(bridge: FakeBridge) -> Callable[[str], str]:
    """The SASL PLAIN answer of a user."""
    return lambda user: base64.b64encode(f"\0{user}\0{bridge.password}".encode()).decode()


@pytest.fixture
def sender(client: Client, secret: Callable[[str], str]) -> Client:
    """A client that is logged in."""
    assert client.ask(f"AUTH PLAIN {secret('ada@proton.local')}") == "235 2.0.0 Authentication succeeded"
    return client
