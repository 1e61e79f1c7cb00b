"""Plays the steps of a faulty answer on a connection: at once, drop by drop, without an end, or cut off."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable

from fakebridge.faults.delivery import Drip, End, Repeat, Send, Step, Wait

TICKS_A_SECOND = 10


class Delivering:
    """`send` writes octets and waits until the client takes them; `is_open` says whether that still makes sense."""

    def __init__(self, send: Callable[[bytes], Awaitable[None]], is_open: Callable[[], bool]) -> None:
        self._send = send
        self._is_open = is_open

    async def play(self, steps: Iterable[Step]) -> bool:
        """Whether the connection lives on."""
        for step in steps:
            if isinstance(step, Send):
                await self._send(step.octets)
            elif isinstance(step, Drip):
                await self._drip(step)
            elif isinstance(step, Repeat):
                await self._repeat(step)
            elif isinstance(step, Wait):
                await asyncio.sleep(step.seconds)
            elif isinstance(step, End):
                return False
        return self._is_open()

    async def _drip(self, step: Drip) -> None:
        size = max(1, step.per_second // TICKS_A_SECOND)
        for at in range(0, len(step.octets), size):
            if not self._is_open():
                return
            await self._send(step.octets[at : at + size])
            await asyncio.sleep(size / step.per_second)

    async def _repeat(self, step: Repeat) -> None:
        left = step.total
        while left > 0 and self._is_open():
            await self._send(step.piece[:left])
            left -= len(step.piece)
