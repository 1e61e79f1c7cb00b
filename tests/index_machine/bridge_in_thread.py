"""A fakebridge in a thread of this process: the code under test talks to it over a real socket, the test looks into its stores."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Final, Self, TypeVar

from fakebridge.bridge.service import Bridge
from fakebridge.faults.plan import FaultPlan
from fakebridge.faults.rule import FaultRule
from fakebridge.serve import Process
from fakebridge.settings import Settings

T = TypeVar("T")
WAIT_S: Final = 60.0


@dataclass(slots=True)
class Meanwhile(FaultPlan):
    """A plan of faults that also lets things happen: `happens` is called once, when a command with this verb has arrived."""

    verb: str = ""
    happens: Callable[[], None] | None = field(default=None)

    def hit(self, verb: str, *, mailbox: str | None = None, sent: int = 0) -> FaultRule | None:
        """What happens now, then the rule that this command meets."""
        if self.happens is not None and verb == self.verb:
            happens, self.happens = self.happens, None
            happens()
        return FaultPlan.hit(self, verb, mailbox=mailbox, sent=sent)


class BridgeInThread:
    """One process's worth of fakebridge; `reset` gives it a fresh account behind the same port."""

    def __init__(self, world: Path) -> None:
        self._world = world
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="fakebridge", daemon=True)
        self.plan = Meanwhile()
        self._process = Process(Settings(world=world, smtp_port=None))
        self._process.faults = self._process.bridge.faults = self.plan

    def __enter__(self) -> Self:
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._process.start(), self._loop).result(WAIT_S)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        asyncio.run_coroutine_threadsafe(self._process.stop(), self._loop).result(WAIT_S)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(WAIT_S)
        self._loop.close()

    @property
    def port(self) -> int:
        """Where it listens for IMAP."""
        return self._process.ports["imap"]

    @property
    def password(self) -> str:
        """The one of the present account."""
        return self._process.bridge.password

    @property
    def here(self) -> Bridge:
        """The present one, for what already runs in its thread."""
        return self._process.bridge

    def reset(self) -> None:
        """A fresh account; all connections are closed."""
        self.look(lambda _: self._process.reset(self._world))

    def look(self, question: Callable[[Bridge], T]) -> T:
        """What `question` finds, or does, between two commands."""

        async def ask() -> T:
            return question(self._process.bridge)

        return asyncio.run_coroutine_threadsafe(ask(), self._loop).result(WAIT_S)
