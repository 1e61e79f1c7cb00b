"""The Inspector's daemon is stopped whatever ends the commands that go through it."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.clients import inspector
from tests.clients.installation import Installation
from tests.clients.site import Site

if TYPE_CHECKING:
    from collections.abc import Sequence


def test_an_interrupted_run_stops_the_daemon(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has a session of its own: Ctrl-C never reaches it, and it would keep a server for as long as the machine runs."""
    asked: list[Sequence[str]] = []

    def run(_: object, *arguments: str, **__: object) -> subprocess.CompletedProcess[str]:
        asked.append(arguments)
        if "connect" in arguments:
            raise KeyboardInterrupt
        return subprocess.CompletedProcess(arguments, 0, '{"running": false}', "")

    monkeypatch.setattr(inspector.Commands, "run", run)
    with Site() as site, pytest.raises(KeyboardInterrupt):
        inspector.mcpdo(Installation(Path("nowhere"), {}), site, "legacy")
    assert ("daemon", "stop") in asked
