"""The engine's end of one connection: the SDK's low-level server between the wire and dispatch, until input ends or a signal comes."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import anyio
import anyio.to_thread
from mcp.server.lowlevel import Server
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter

from proton_safe import __version__
from proton_safe.protocol.outgoing import wire_form
from proton_safe.protocol.output import ClientGone
from proton_safe.protocol.plain_calls import PlainCalls

if TYPE_CHECKING:
    from collections.abc import Callable

    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

    from proton_safe.protocol.dispatch import Dispatch
    from proton_safe.protocol.wire import Wire

NAME: Final = "proton-safe"
TITLE: Final = "Proton Safe"
_BUFFERED: Final = 16


@dataclass(frozen=True, slots=True)
class Identity:
    """What the server says of itself."""

    instructions: str


def low_level_server(dispatch: Dispatch, identity: Identity) -> Server[Any]:
    """The SDK's server for this catalogue: tools only, no tracing, no session state of ours."""
    server: Server[Any] = Server(
        NAME,
        version=__version__,
        title=TITLE,
        instructions=identity.instructions,
        on_list_tools=dispatch.list_tools,
        on_call_tool=dispatch.call_tool,
    )
    server.middleware.clear()  # the SDK's tracing names tools and methods; this server tells nobody
    return server


def run(wire: Wire, dispatch: Dispatch, identity: Identity, *, stopping: Callable[[], None]) -> None:
    """Serve until the input ends, the client reads no more, or SIGINT, SIGTERM or SIGHUP arrives.

    `stopping` is called once, as soon as that happened; running calls are interrupted right after.
    """
    connection = _Connection(wire, dispatch, stopping)
    anyio.run(connection.serve, low_level_server(dispatch, identity))
    connection.plain_calls.wait()


class _Connection:
    """One run of the engine."""

    def __init__(self, wire: Wire, dispatch: Dispatch, stopping: Callable[[], None]) -> None:
        self._wire = wire
        self._dispatch = dispatch
        self._stopping = stopping
        self._stopped = False
        self._end: Callable[[], object] = self._interrupt
        self.plain_calls = PlainCalls(dispatch, wire.book, wire.output, self._client_gone)

    async def serve(self, server: Server[Any]) -> None:
        """Run the server and what feeds it; the first of them that ends stops the others."""
        to_server, server_reads = anyio.create_memory_object_stream[SessionMessage | Exception](_BUFFERED)
        server_writes, from_server = anyio.create_memory_object_stream[SessionMessage](_BUFFERED)
        async with anyio.create_task_group() as tasks:
            self._stop_on_signals(tasks.cancel_scope)
            self._wire.plain_calls = self.plain_calls
            tasks.start_soon(self._write, from_server, tasks.cancel_scope)
            tasks.start_soon(self._feed, to_server)
            await server.run(server_reads, server_writes, server.create_initialization_options())
            self._interrupt()
            tasks.cancel_scope.cancel()

    def _client_gone(self) -> None:
        self._end()

    def _interrupt(self) -> None:
        """Tell that the end has begun, and interrupt what is running."""
        if not self._stopped:
            self._stopped = True
            self._stopping()
        self.plain_calls.close()
        self._dispatch.cancel_all()

    def _stop_on_signals(self, scope: anyio.CancelScope) -> None:
        """End at the first signal. The handlers stay until the process has tidied up: a second signal must not end it before that."""
        loop = asyncio.get_running_loop()

        def end() -> None:
            self._interrupt()
            scope.cancel()

        def on_signal(*_: object) -> None:
            with contextlib.suppress(RuntimeError):  # the loop has ended already
                loop.call_soon_threadsafe(end)

        self._end = on_signal
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, on_signal)

    async def _feed(self, to_server: MemoryObjectSendStream[SessionMessage | Exception]) -> None:
        """Hand messages from the wire to the server, in order, until no more will come; then running calls end as well."""
        news = asyncio.Event()
        loop = asyncio.get_running_loop()

        def wake() -> None:
            with contextlib.suppress(RuntimeError):  # the loop has ended; nobody wants news any more
                loop.call_soon_threadsafe(news.set)

        self._wire.inbox.attach(wake)
        ended = False
        async with to_server:
            while not ended:
                news.clear()
                messages, ended = self._wire.inbox.take()
                for message in messages:
                    # The wire has checked the message's form, so this can't fail; params are taken as they are.
                    parsed = jsonrpc_message_adapter.validate_python(message, by_name=False)
                    with contextlib.suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):  # the server has ended first
                        await to_server.send(SessionMessage(parsed))
                if not ended:
                    await news.wait()
            self._interrupt()

    async def _write(self, from_server: MemoryObjectReceiveStream[SessionMessage], scope: anyio.CancelScope) -> None:
        """Write what the server says until it ends or nobody reads. A write that is stuck doesn't hold up the end."""
        limiter = anyio.CapacityLimiter(1)
        async with from_server:
            async for item in from_server:
                message = wire_form(item.message, self._wire.book)
                if message is None:
                    continue
                try:
                    await anyio.to_thread.run_sync(self._wire.output.write, message, limiter=limiter, abandon_on_cancel=True)
                except ClientGone:
                    self._interrupt()
                    scope.cancel()
                    return
