"""The client of the Python SDK, over its own STDIO transport, in the mode that it is told: "legacy" or "auto"."""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final

import anyio
import anyio.to_thread
from mcp import Client, MCPError, StdioServerParameters
from mcp_types import TextContent

from tests.clients.report import Report
from tests.clients.story import STORY, Answer, play

if TYPE_CHECKING:
    from typing import Literal

    from mcp_types import CallToolResult

    from tests.clients.site import Site
    from tests.clients.story import Heard

VERSION: Final = version("mcp")
DEADLINE_S: Final = 600


def run(site: Site, mode: Literal["legacy", "auto"]) -> Report:
    """The whole story, the cancelled call included."""
    report = Report()
    try:
        anyio.run(_work, site, mode, report)
    except* (MCPError, TimeoutError) as group:
        report.faults += [f"{type(error).__name__}: {error}" for error in group.exceptions]
    return report


async def _work(site: Site, mode: Literal["legacy", "auto"], report: Report) -> None:
    command, *arguments = site.command
    server = StdioServerParameters(command=command, args=arguments, env=site.environment)
    with anyio.fail_after(DEADLINE_S):
        async with Client(server, mode=mode) as client:
            report.protocol = client.protocol_version
            tools = (await client.list_tools()).tools
            report.listed = [tool.name for tool in tools]

            async def call(tool: str, given: dict[str, Any], heard: Heard | None = None) -> Answer:
                async def progressed(progress: float, total: float | None, message: str | None) -> None:  # noqa: ARG001 - the names are the protocol's
                    if heard is not None:
                        heard.append(progress)

                return _answer(await client.call_tool(tool, given, progress_callback=None if heard is None else progressed))

            await play(call, {tool.name: tool.output_schema or {} for tool in tools}, report)
            await _cancel(site, client, report)
        report.closed = True


def _answer(result: CallToolResult) -> Answer:
    texts = tuple(part.text for part in result.content if isinstance(part, TextContent))
    return Answer(bool(result.is_error), result.structured_content, texts, result.meta or {})


async def _cancel(site: Site, client: Client, report: Report) -> None:
    """Cancel a call that the Bridge stalls, see its connection dropped, and make the same call again."""
    tool, given = STORY["cancelled"]["tool"], STORY["cancelled"]["arguments"]

    async def stalled() -> None:
        await client.call_tool(tool, given)
        report.faults.append("the cancelled call was answered")

    site.stall()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(stalled)
        await anyio.to_thread.run_sync(site.wait_until_stalled)
        tasks.cancel_scope.cancel()
    await anyio.to_thread.run_sync(site.wait_until_dropped)
    again = await client.call_tool(tool, given)
    if again.is_error:
        report.faults.append("the call after the cancelled one was refused")
    report.cancelled = True
