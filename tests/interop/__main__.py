"""`python -m tests.interop`: each client in turn, one line each; status 1 when one failed or could not be had."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

from fakebridge.testing import start
from tests import on_demand
from tests.interop import fetcher, mailbox_synchroniser, senders
from tests.interop.site import Failed, Site, get

CLIENTS: Final[dict[str, Callable[[Site], str]]] = {
    "mbsync": mailbox_synchroniser.play,
    "curl": fetcher.play,
    "msmtp": senders.play_msmtp,
    "swaks": senders.play_swaks,
}


def tried(tool: str) -> tuple[bool, str]:
    """Whether the client did all it should, and a line about it."""
    try:
        version = get(tool)
        with tempfile.TemporaryDirectory(prefix="interop-") as folder, start() as bridge:
            seen = CLIENTS[tool](Site(Path(folder), bridge))
    except Failed as failed:
        return False, f"{tool}: FAILED: {failed}"
    return True, f"{tool} ({version}): {seen}"


def main() -> int:
    """All of them."""
    bad = 0
    for tool in CLIENTS:
        is_good, line = tried(tool)
        bad += not is_good
        _say(line)
    _say(f"interop: {len(CLIENTS) - bad} of {len(CLIENTS)} clients did all that was asked of them")
    return 1 if bad else 0


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    on_demand.run("make interop", main)
