"""The ends of a real server process that nothing keeps busy: each is clean, silent and has status 0."""

from __future__ import annotations

import json
import signal
from typing import TYPE_CHECKING

import pytest

from tests.server.conftest import offline
from tests.server.stdio import Stdio

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Stdio]:
    """A server after its handshake."""
    with Stdio(offline(tmp_path)) as process:
        process.initialize()
        yield process


def test_end_of_input_ends_the_server_with_status_zero(server: Stdio) -> None:
    """Nothing is logged for a clean end."""
    assert server.end() == (0, "")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signal_ends_the_server_with_status_zero(server: Stdio, number: signal.Signals) -> None:
    """Hosts stop servers with a signal; the SDK's own transport ignores SIGINT."""
    server.process.send_signal(number)
    assert server.ended() == (0, "")


@pytest.mark.parametrize("method", ["ping", "no/such"], ids=["front door", "engine"])
def test_client_that_closes_its_end_ends_the_server(tmp_path: Path, method: str) -> None:
    """Nobody reads any more: the server leaves without a trace on standard error."""
    with Stdio(offline(tmp_path), reading=False) as server:
        server.send(id=1, method=method)
        assert server.process.stdout is not None
        assert json.loads(server.process.stdout.readline())["id"] == 1
        server.process.stdout.close()
        server.send(id=2, method=method)
        assert server.ended() == (0, "")


def test_password_stands_in_no_answer_and_no_log(server: Stdio) -> None:
    """The connection can't be made; the refusal is a constant."""
    server.call(7, "mailbox_status")
    answer = server.answer(7)
    assert answer["result"]["_meta"]["proton-safe/refusal"]["code"] == "bridge-unreachable"
    status, log = server.end()
    assert status == 0
    assert "CANARY" not in json.dumps(answer) + log
