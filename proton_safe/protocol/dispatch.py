"""The only place where a call becomes an answer: strict arguments, a place in the queue, a deadline, a result or a refusal.

Knows what a tool is, and no tool: the catalogue is given.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import threading
import time
from typing import TYPE_CHECKING, Any, Final

import anyio
import anyio.to_thread
from mcp.shared.exceptions import MCPError
from mcp_types import ListToolsResult
from pydantic import ValidationError

from proton_safe import log
from proton_safe.call import Call, CallCancelled
from proton_safe.protocol.answers import of_refusal, of_result
from proton_safe.protocol.argument_faults import refusal_of, refuse_unreadable
from proton_safe.protocol.book import MAX_CALLS
from proton_safe.protocol.places import Places
from proton_safe.protocol.progress import reporter
from proton_safe.protocol.published import published
from proton_safe.refusals import Code, Refusal
from proton_safe.tools.definition import COMMON_REFUSALS

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from mcp.server.context import ServerRequestContext
    from mcp_types import CallToolRequestParams, CallToolResult, PaginatedRequestParams

    from proton_safe.call import Clock
    from proton_safe.engine import Engine
    from proton_safe.protocol.answers import Answer
    from proton_safe.tools.definition import Arguments, Result, ToolDefinition

MAX_RUNNING: Final = 4
INVALID_PARAMS: Final = -32602


class Dispatch:
    """Answers `tools/list` and `tools/call` for one catalogue."""

    def __init__(self, catalogue: Sequence[ToolDefinition[Any, Any]], engine: Engine, *, max_calls: int = MAX_CALLS) -> None:
        self._tools = {definition.name: definition for definition in catalogue}
        self._listed = ListToolsResult(tools=published(catalogue))
        self._engine = engine
        self._max_calls = max_calls
        self._admitted = 0
        self.places = Places(MAX_RUNNING)
        self._running: set[Call] = set()
        self._lock = threading.Lock()

    @property
    def clock(self) -> Clock:
        """The server's clock."""
        return self._engine.clock

    def tool(self, name: str) -> ToolDefinition[Any, Any] | None:
        """The tool of this name."""
        return self._tools.get(name)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the tools, in the catalogue's order."""
        return tuple(self._tools)

    async def list_tools(self, _context: ServerRequestContext[Any, Any], params: PaginatedRequestParams | None) -> ListToolsResult:
        """The catalogue, in its order. There is one page, so every cursor is unknown."""
        if params is not None and params.cursor is not None:
            raise MCPError(INVALID_PARAMS, "Unknown cursor")
        return self._listed

    async def call_tool(self, context: ServerRequestContext[Any, Any], params: CallToolRequestParams) -> CallToolResult:
        """Run one tool. A name that isn't in the catalogue is answered alike, whatever it is."""
        definition = self._tools.get(params.name)
        if definition is None:
            raise MCPError(INVALID_PARAMS, "Unknown tool")
        try:
            return await self._admit(context, definition, params.arguments or {})
        except Refusal as refusal:
            return of_refusal(refusal).for_sdk()

    def cancel_all(self) -> None:
        """Interrupt every running call; their answers are lost."""
        with self._lock:
            running = tuple(self._running)
        for call in running:
            call.cancel()

    async def _admit(
        self, context: ServerRequestContext[Any, Any], definition: ToolDefinition[Any, Any], raw: dict[str, object]
    ) -> CallToolResult:
        """1. room in the queue, 2. arguments, 3. a place among the running calls."""
        if self._admitted >= self._max_calls:
            raise Refusal(Code.BUSY)
        self._admitted += 1
        try:
            return await self._run(context, definition, checked(definition, raw))
        finally:
            self._admitted -= 1

    async def _run(
        self, context: ServerRequestContext[Any, Any], definition: ToolDefinition[Any, Any], arguments: Arguments
    ) -> CallToolResult:
        async with self._place(), anyio.create_task_group() as tasks:
            call = Call(self._engine.clock, seconds=definition.seconds, progress=await reporter(context, tasks, self._engine.clock))
            with self._lock:
                self._running.add(call)
            tasks.start_soon(_cancel_with_me, call)
            try:
                # Shielded: the thread is interrupted by call.cancel() and then waited for, so that at most MAX_RUNNING ever run.
                answer = await anyio.to_thread.run_sync(self.answer, definition, call, arguments, limiter=anyio.CapacityLimiter(1))
            finally:
                with self._lock:
                    self._running.discard(call)
            tasks.cancel_scope.cancel()
        return answer.for_sdk()

    @contextlib.asynccontextmanager
    async def _place(self) -> AsyncIterator[None]:
        """A place among the running calls, while inside."""
        loop = asyncio.get_running_loop()
        given = asyncio.Event()

        def ready() -> None:
            with contextlib.suppress(RuntimeError):  # the loop has ended; nobody runs calls any more
                loop.call_soon_threadsafe(given.set)

        self.places.ask(ready)
        try:
            await given.wait()
        except BaseException:
            if not self.places.withdraw(ready):
                self.places.give()
            raise
        try:
            yield
        finally:
            self.places.give()

    def answer(self, definition: ToolDefinition[Any, Any], call: Call, arguments: Arguments) -> Answer:
        """In a worker thread: handler, answer, and a line in the log. The caller holds a place."""
        began = time.monotonic()
        answer, outcome = self._outcome(definition, call, arguments)
        seconds = round(time.monotonic() - began, 3)
        log.event(log.Level.INFO, "call", tool=definition.name, outcome=outcome, seconds=seconds)
        return answer

    def _outcome(self, definition: ToolDefinition[Any, Any], call: Call, arguments: Arguments) -> tuple[Answer, str]:
        """The handler's result, checked, and the outcome in one word. Whatever else happens becomes `internal-error`."""
        try:
            result: Result = definition.handler(self._engine, call, arguments)
            if type(result) is not definition.result:
                raise TypeError("a handler returned another tool's result")
            return of_result(result), "result"
        except Refusal as refusal:
            if refusal.code in definition.refusals | COMMON_REFUSALS:
                return of_refusal(refusal), refusal.code.value
            return _bug(definition, refusal), Code.INTERNAL_ERROR.value
        except CallCancelled:
            return of_refusal(Refusal(Code.DEADLINE)), "cancelled"  # nobody reads it: a cancelled request is not answered
        except Exception as error:  # noqa: BLE001 - the one border where any fault becomes a constant answer
            return _bug(definition, error), Code.INTERNAL_ERROR.value


def checked(definition: ToolDefinition[Any, Any], raw: dict[str, object]) -> Arguments:
    """A call's arguments, strictly. Raises `arguments-invalid`."""
    refuse_unreadable(raw)
    try:
        arguments: Arguments = definition.arguments.model_validate(raw)
    except ValidationError as error:
        raise refusal_of(error) from None
    return arguments


def _bug(definition: ToolDefinition[Any, Any], error: Exception) -> Answer:
    """A constant answer with a correlation id; the log gets places, never the exception's text."""
    correlation = secrets.token_hex(8)
    log.event(log.Level.ERROR, "internal-error", tool=definition.name, correlation=correlation, at=log.places(error))
    return of_refusal(Refusal(Code.INTERNAL_ERROR), correlation=correlation)


async def _cancel_with_me(call: Call) -> None:
    """Pass on the cancellation of the request to the thread that works on it."""
    try:
        await anyio.sleep_forever()
    finally:
        call.cancel()
