"""The Inspector's daemon ends, whatever ends the commands that go through it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from tests.clients import inspector
from tests.clients.installation import Installation
from tests.clients.site import Site

if TYPE_CHECKING:
    from collections.abc import Iterator

WAIT_S: Final = 30
WAITING: Final = "print(flush=True); import signal; signal.pause()"


@pytest.fixture
def daemons() -> Iterator[list[subprocess.Popen[bytes]]]:
    """Whatever a test has started is ended."""
    started: list[subprocess.Popen[bytes]] = []
    yield started
    for process in started:
        with process:
            process.kill()


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="these clients run on Linux only")
def test_an_interrupted_run_ends_its_daemon_and_no_other(
    monkeypatch: pytest.MonkeyPatch, daemons: list[subprocess.Popen[bytes]], tmp_path: Path
) -> None:
    """It has a session of its own: Ctrl-C never reaches it, and it would keep a server for as long as the machine runs."""

    def start(environment: dict[str, str]) -> None:
        command = [sys.executable, "-c", WAITING]
        process = subprocess.Popen(command, env={**os.environ, **environment}, stdout=subprocess.PIPE, start_new_session=True)
        daemons.append(process)
        assert process.stdout is not None
        assert process.stdout.readline() == b"\n"

    def run(self: inspector.Commands, *arguments: str, **_: object) -> subprocess.CompletedProcess[str]:
        start(dict(self.environment))
        raise KeyboardInterrupt(arguments)

    monkeypatch.setattr(inspector.Commands, "run", run)
    start({inspector.DAEMON_FOLDER: str(tmp_path)})
    with Site() as site, pytest.raises(KeyboardInterrupt):
        inspector.mcpdo(Installation(Path("nowhere"), {}), site, "legacy")
    of_another, of_this = daemons
    assert of_this.wait(WAIT_S) == -signal.SIGTERM
    assert of_another.poll() is None
