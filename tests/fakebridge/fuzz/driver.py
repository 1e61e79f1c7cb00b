"""A session of fakebridge without sockets: octets in, octets out, nothing caught. What escapes is a finding."""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from fakebridge.bridge.service import Bridge
from fakebridge.clock import Clock
from fakebridge.faults.plan import FaultPlan
from fakebridge.imap.commands.starttls import StarttlsCommand
from fakebridge.imap.reading import Reader
from fakebridge.imap.requests import ContinuationWanted, Ended, Request, Unparsable
from fakebridge.imap.session import Session, Ways
from fakebridge.journal import Journal
from fakebridge.world import load
from tests.fakebridge.worlds import PASSWORD, world

MOST_SAID = 64 << 20
"""More than this in answer to one conversation is growth without bound."""


async def _at_once(_: float) -> None:
    """Time passes without waiting."""


def new_bridge(folder: Path) -> Bridge:
    """The default world."""
    path = folder / "world.json"
    path.write_text(json.dumps(world()), encoding="utf-8")
    loaded = load(path)
    return Bridge(loaded, clock=Clock(sleep=_at_once, start=loaded.now), journal=Journal(), faults=FaultPlan(), password=PASSWORD)


def _finished(work: Coroutine[Any, Any, None]) -> None:
    """Run to the end; nothing here ever waits."""
    try:
        work.send(None)
    except StopIteration:
        return
    raise AssertionError("a session waited for something")


class Driver:
    """One session. `is_open` until the session ends; `answered` is all it has said."""

    def __init__(self, bridge: Bridge, number: int = 1) -> None:
        self.bridge = bridge
        self.answered = bytearray()
        self.is_open = True
        self._due: list[Callable[[], None]] = []
        self._reader = Reader(bridge.profile)
        self.session = Session(bridge, number, Ways(self._take, self._breathe, lambda _, call: self._due.append(call)))
        self.session.greet()

    def _take(self, octets: bytes) -> None:
        self.answered += octets
        assert len(self.answered) < MOST_SAID, "the answer has no end"

    async def _breathe(self) -> None:
        """Nobody else is there."""

    def feed(self, octets: bytes) -> None:
        """The client has sent these octets."""
        if not self.is_open:
            return
        self._reader.receive(octets)
        while (incoming := self._reader.next()) is not None:
            if isinstance(incoming, ContinuationWanted):
                self._take(incoming.line + b"\r\n")
            elif isinstance(incoming, Ended) or (isinstance(incoming, Request) and isinstance(incoming.command, StarttlsCommand)):
                # What is cut off behind STARTTLS depends on how it arrived; here it is the end.
                self.end()
            elif isinstance(incoming, Unparsable):
                self.session.refuse(incoming)
            else:
                _finished(self.session.execute(incoming))
            if self._is_over():
                return

    def _is_over(self) -> bool:
        if self.session.closing:
            self.end()
        return not self.is_open

    def pass_time(self) -> None:
        """What was to be done later is done."""
        due, self._due = self._due, []
        for call in due:
            call()

    def end(self) -> None:
        """The client is gone, or the server has closed."""
        if self.is_open:
            self.is_open = False
            self.session.leave()

    @property
    def waiting_octets(self) -> int:
        """What is kept of an unfinished command."""
        return len(self._reader._data)
