"""When the child that reads a PDF is there: before the octets are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.server.slow_work import descendants, extraction_stalled
from tests.waiting import until

if TYPE_CHECKING:
    from tests.server.conftest import FakeBridge
    from tests.server.stdio import Stdio


def test_child_starts_while_the_octets_of_a_pdf_come(bridge: FakeBridge, server: Stdio) -> None:
    """Product page 5: an ordinary PDF costs about what it costs in process, even if no mail with one was read before."""
    extraction_stalled(bridge, server, at_fetch=3)
    until(lambda: bool(descendants(server.process.pid)))


def test_no_child_starts_before_the_attachment_is_known_to_be_a_pdf(bridge: FakeBridge, server: Stdio) -> None:
    """What is refused by its own header costs no process."""
    extraction_stalled(bridge, server, at_fetch=2)
    assert not descendants(server.process.pid)
