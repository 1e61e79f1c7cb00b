"""A certificate, a clock and an account for tests that connect."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from fakebridge.tls import Certificate, make_certificate
from proton_safe.call import Call
from proton_safe.config import Config
from proton_safe.imap.credentials import Credentials
from proton_safe.imap.pins import Pins
from proton_safe.imap.pool import Pool
from proton_safe.secret import Secret
from tests.unit.imap.scripted_bridge import Script, ScriptedBridge
from tests.unit.imap.scripted_folder import show_three

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

# How long an example takes says something about the machine, and no test asserts times.
settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")

USER = "ada@harbour.example"
PASSWORD = Secret("canary-password-7f3a")


class RealClock:
    """The computer's clock, that a test can put forward."""

    def __init__(self) -> None:
        self.ahead = 0.0

    def monotonic(self) -> float:
        """Seconds that only grow."""
        return time.monotonic() + self.ahead

    def time(self) -> float:
        """Seconds since 1970."""
        return time.time() + self.ahead


@pytest.fixture(scope="session")
def certificate() -> Certificate:
    """What the peer shows."""
    return make_certificate()


@pytest.fixture
def clock() -> RealClock:
    """A clock of the test's own."""
    return RealClock()


@pytest.fixture
def call(clock: RealClock) -> Call:
    """A call with the readers' budget."""
    return Call(clock, seconds=30)


@pytest.fixture
def account(tmp_path: Path) -> Callable[..., Config]:
    """Settings for a port, with a state folder of the test's own."""

    def make(port: int, password: Secret | None = PASSWORD) -> Config:
        return Config(user=USER, aliases=(), imap_port=port, password=password, state_dir=tmp_path / "state")

    return make


@pytest.fixture
def script() -> Script:
    """What the peer of a test says."""
    return Script()


@pytest.fixture
def bridge(script: Script, certificate: Certificate) -> Iterator[ScriptedBridge]:
    """A peer that says it."""
    with ScriptedBridge(script, certificate) as listening:
        yield listening


@pytest.fixture
def pool(bridge: ScriptedBridge, account: Callable[..., Config], clock: RealClock) -> Iterator[Pool]:
    """Connections to that peer."""
    config = account(bridge.port)
    connections = Pool(config, Pins(config.state_dir), Credentials(config), clock)
    yield connections
    connections.close()


@pytest.fixture
def three(bridge: ScriptedBridge) -> ScriptedBridge:
    """A peer with a folder of three messages, uids 1, 2 and 4."""
    return show_three(bridge)
