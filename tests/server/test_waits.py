"""Who waits for the server waits longer than it may take: otherwise a busy machine looks like a server that hangs."""

from __future__ import annotations

import pytest

from proton_safe import call
from tests.clients import inspector, python_client, scripts, site
from tests.served import reader
from tests.server import stdio

LONGEST_S = max(call.READ_S, call.SEARCH_S, call.EXTRACT_S, call.DRAFT_S)


@pytest.mark.parametrize(
    "wait_s",
    [stdio.WAIT_S, reader.ANSWER_S, site.WAIT_S, inspector.COMMAND_S, scripts.LINE_S, python_client.DEADLINE_S],
    ids=["raw pipes", "served mails", "clients: Bridge", "clients: Inspector", "clients: scripts", "clients: Python"],
)
def test_a_wait_for_an_answer_outlasts_the_longest_call(wait_s: float) -> None:
    """A call that is overdue is refused by the server itself, and that answer must still be heard."""
    assert wait_s > LONGEST_S + call.CONNECT_S
