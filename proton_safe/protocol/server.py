"""One connection: the SDK's low-level server between our wire and our dispatch, until input ends or a signal comes."""

from __future__ import annotations

import signal
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import anyio
from mcp.server.lowlevel import Server
from mcp.shared.message import SessionMessage

from proton_safe import __version__
from proton_safe.protocol.wire import Wire

if TYPE_CHECKING:
    from collections.abc import Callable

    from proton_safe.protocol.dispatch import Dispatch
    from proton_safe.protocol.wire import Descriptors

NAME: Final = "proton-safe"
TITLE: Final = "Proton Safe"
_BUFFERED: Final = 16


@dataclass(frozen=True, slots=True)
class Identity:
    """What the server says of itself."""

    instructions: str


def run(descriptors: Descriptors, dispatch: Dispatch, identity: Identity) -> None:
    """Serve until the input ends, the client reads no more, or SIGINT, SIGTERM or SIGHUP arrives."""
    anyio.run(_serve, descriptors, dispatch, identity)


async def _serve(descriptors: Descriptors, dispatch: Dispatch, identity: Identity) -> None:
    server: Server[Any] = Server(
        NAME,
        version=__version__,
        title=TITLE,
        instructions=identity.instructions,
        on_list_tools=dispatch.list_tools,
        on_call_tool=dispatch.call_tool,
    )
    server.middleware.clear()  # the SDK's tracing names tools and methods; this server tells nobody
    wire = Wire(descriptors)
    to_server, server_reads = anyio.create_memory_object_stream[SessionMessage | Exception](_BUFFERED)
    server_writes, from_server = anyio.create_memory_object_stream[SessionMessage](_BUFFERED)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_stop_on_signal, tasks.cancel_scope, dispatch.cancel_all)
        tasks.start_soon(_stop_when_broken, wire, tasks.cancel_scope, dispatch.cancel_all)
        tasks.start_soon(wire.write_all, from_server)
        wire.start_reading(to_server)
        await server.run(server_reads, server_writes, server.create_initialization_options())
        dispatch.cancel_all()
        tasks.cancel_scope.cancel()


async def _stop_on_signal(scope: anyio.CancelScope, interrupt: Callable[[], None]) -> None:
    with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM, signal.SIGHUP) as signals:
        async for _ in signals:
            interrupt()
            scope.cancel()
            return


async def _stop_when_broken(wire: Wire, scope: anyio.CancelScope, interrupt: Callable[[], None]) -> None:
    await wire.broken.wait()
    interrupt()
    scope.cancel()
