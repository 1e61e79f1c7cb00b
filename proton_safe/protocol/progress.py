"""Progress of a call, from its worker thread to the client that asked for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import anyio.from_thread

if TYPE_CHECKING:
    from collections.abc import Callable

    from anyio.abc import TaskGroup
    from mcp.server.context import ServerRequestContext

    from proton_safe.call import Clock

    Report = Callable[[float, float | None, str], None]

LEAST_INTERVAL_S: Final = 0.1
STARTED: Final = "Started."


async def reporter(context: ServerRequestContext[Any, Any], tasks: TaskGroup, clock: Clock) -> Report | None:
    """Tell the client that its call has left the queue, and give the callback for what follows; None if it gave no token.

    Progress only grows, as the protocol asks, and comes at most ten times a second: what is less or sooner is left out.
    """
    if context.meta is None or "progress_token" not in context.meta:
        return None
    await context.session.report_progress(0.0, None, STARTED)
    furthest, last = 0.0, clock.monotonic() - LEAST_INTERVAL_S

    async def report(done: float, total: float | None, message: str) -> None:
        await context.session.report_progress(done, total, message)

    def from_worker(done: float, total: float | None, message: str) -> None:
        nonlocal furthest, last
        now = clock.monotonic()
        if done <= furthest or now - last < LEAST_INTERVAL_S:
            return
        furthest, last = done, now
        anyio.from_thread.run_sync(tasks.start_soon, report, done, total, message)

    return from_worker
