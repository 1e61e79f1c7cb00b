"""What the tests of fakebridge share: one process a worker, and a fresh world for every test."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.fakebridge.running_bridge import FakeBridge
from tests.fakebridge.talking import C, S, Wire, talk
from tests.fakebridge.worlds import PASSWORD, USER, world


class Stage:
    """A fakebridge with one world, and the wires to it."""

    def __init__(self, bridge: FakeBridge) -> None:
        self.bridge = bridge
        self._wires: list[Wire] = []

    def connect(self, kind: str = "imap") -> Wire:
        """A new connection; its greeting is still to be read."""
        wire = Wire(int(self.bridge.ready[kind]))
        self._wires.append(wire)
        return wire

    def log_in(self, user: str = USER) -> Wire:
        """A connection that has logged in."""
        wire = self.connect()
        talk(wire, S("* OK …"), C(f'l LOGIN "{user}" "{PASSWORD}"'), S("l OK … Logged in"))
        return wire

    def select(self, mailbox: str = "INBOX", *, verb: str = "SELECT") -> Wire:
        """A connection with a mailbox open."""
        wire = self.log_in()
        assert wire.ask(f'm {verb} "{mailbox}"')[-1].startswith("m OK")
        return wire

    def submit(self, literal: str) -> None:
        """Send a message by SMTP, from the account's address to Bob; `literal` has CRLF line ends, its dots are doubled on the way."""
        wire = self.connect("smtp")
        login = base64.b64encode(f"\0{USER}\0{PASSWORD}".encode()).decode()
        talk(wire, S("220 …"))
        wire.send(b"EHLO probe\r\n")
        while not (wire.line() or "").startswith("250 "):
            pass
        talk(wire, C(f"AUTH PLAIN {login}"), S("235 …"), C(f"MAIL FROM:<{USER}>"), S("250 …"), C("RCPT TO:<bob@example.test>"), S("250 …"))
        talk(wire, C("DATA"), S("354 …"), C(literal.replace("\r\n.", "\r\n..") + "."), S("250 2.0.0 OK: queued"))

    def poll(self) -> None:
        """The account's events arrive."""
        self.bridge.ask("poll")

    def close(self) -> None:
        """Close all wires."""
        for wire in self._wires:
            wire.close()


Staging = Callable[..., Stage]


@pytest.fixture(scope="session")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FakeBridge]:
    """One process for all tests of a worker; every test loads its own world into it."""
    path = tmp_path_factory.mktemp("world") / "world.json"
    path.write_text(json.dumps(world()), encoding="utf-8")
    with FakeBridge(path) as bridge:
        yield bridge


@pytest.fixture
def staged(running: FakeBridge, tmp_path: Path) -> Iterator[Staging]:
    """Loads a world (the default one, changed as wanted) and gives the stage."""
    stages: list[Stage] = []

    def load(**changes: Any) -> Stage:  # noqa: ANN401 - whatever the world's builder takes
        path = tmp_path / "world.json"
        path.write_text(json.dumps(world(**changes)), encoding="utf-8")
        running.ready = {**running.ready, **running.ask("reset", world=str(path))}
        stages.append(Stage(running))
        return stages[-1]

    yield load
    for stage in stages:
        stage.close()


@pytest.fixture
def stage(staged: Staging) -> Stage:
    """The default world."""
    return staged()
