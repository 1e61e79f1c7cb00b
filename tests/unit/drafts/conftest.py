"""A writer of drafts on a fakebridge of the module's own."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest

from conformance.bridge import Bridge, account_of
from proton_safe.call import Call
from proton_safe.config import Config
from proton_safe.drafts.confirmed import ConfirmedDraft
from proton_safe.drafts.creation import DraftWriter, Receipt
from proton_safe.imap.credentials import Credentials
from proton_safe.imap.pins import Pins
from proton_safe.imap.pool import Pool
from proton_safe.references import References
from proton_safe.secret import Secret

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_BODY = "Dear Ben,\n\nFrom here\n>From there\n  two  blanks\tand a tab\n-- \nAda \u00a0 \u00e9 <b>&amp;\n\n"


class ShiftedClock:
    """The computer's clock, put forward by the test; the wall clock begins in the middle of a ten-minute slot."""

    def __init__(self) -> None:
        self.ahead = 0.0

    def monotonic(self) -> float:
        """Seconds that only grow."""
        return time.monotonic()

    def time(self) -> float:
        """Seconds since 1970."""
        return 600_000_300.0 + self.ahead


class Desk:
    """A writer with its fakebridge."""

    def __init__(self, bridge: Bridge, config: Config, clock: ShiftedClock) -> None:
        self.bridge = bridge
        self.clock = clock
        self.references = References()
        self.pool = Pool(config, Pins(config.state_dir), Credentials(config), clock)
        self.writer = DraftWriter(config, clock, self.pool, self.references)
        self.draft = ConfirmedDraft(config.user, ("ben@okafor.example",), ("c@d.example",), ("e@f.example",), "R\u00e9union =?x?=", _BODY)

    def create(self, draft: ConfirmedDraft | None = None, *, seconds: float = 30) -> Receipt:
        """Store a draft."""
        return self.writer.create(draft or self.draft, Call(self.clock, seconds=seconds))

    def stored(self) -> int:
        """How many drafts fakebridge has."""
        with self.pool.examine("Drafts", Call(self.clock, seconds=30)) as mailbox:
            return len(mailbox.index())

    def fault(self, **rule: object) -> None:
        """Plant a fault."""
        self.bridge.control({"do": "fault", "rule": rule})

    def appends(self) -> list[dict[str, Any]]:
        """What the journal knows of APPEND commands, carried out or spoilt."""
        return [entry for entry in self.bridge.journal() if entry["kind"] == "command" and entry["verb"] == "APPEND"]


@pytest.fixture(scope="module")
def bridge() -> Iterator[Bridge]:
    """One fakebridge for the module."""
    running = Bridge("small")
    yield running
    running.close()


@pytest.fixture
def desk(bridge: Bridge, tmp_path: Path) -> Iterator[Desk]:
    """A writer on a fresh mailbox."""
    bridge.reset("small")
    account = account_of("small")
    config = Config(account.user, account.aliases, bridge.imap_port, Secret(bridge.password), tmp_path / "state")
    made = Desk(bridge, config, ShiftedClock())
    yield made
    made.pool.close()
