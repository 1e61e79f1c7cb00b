"""A peer that hangs up at once, for a long time: two connections a call at most, and nothing is left open."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

if TYPE_CHECKING:
    from tests.server.conftest import FakeBridge
    from tests.server.stdio import Stdio

CALLS: Final = 1_000
AT_ONCE: Final = 50


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="open descriptors are looked up in /proc")
def test_a_thousand_calls_leave_no_descriptor_behind(bridge: FakeBridge, server: Stdio) -> None:
    """Attack catalogue, imap/reconnect-storm: at most two connects a call, no descriptor lost, and the next call is served."""
    served(server, "first")
    before = descriptors(server)
    bridge.ask(do="faults", rules=[{"on": "CONNECT", "do": "drop", "times": None}])
    bridge.ask(do="restart")
    for batch in range(CALLS // AT_ONCE):
        for number in range(AT_ONCE):
            server.call(f"{batch}-{number}", "mailbox_status")
        answers = [server.receive() for _ in range(AT_ONCE)]
        assert {answer["result"]["_meta"]["proton-safe/refusal"]["code"] for answer in answers} == {"connection-lost"}
    assert len(bridge.journal("connect")) <= 2 * CALLS
    bridge.ask(do="clear-faults")
    served(server, "last")
    assert descriptors(server) <= before


def served(server: Stdio, identifier: str) -> None:
    """One call ends with a result."""
    server.call(identifier, "mailbox_status")
    assert server.receive()["result"]["structuredContent"]["connected"] is True


def descriptors(server: Stdio) -> int:
    """How many descriptors the server process has open."""
    return len(list(Path(f"/proc/{server.process.pid}/fd").iterdir()))
