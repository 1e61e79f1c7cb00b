"""The SDK alone: its low-level server on its own STDIO transport, with two tools that do nothing."""

import asyncio
from typing import Any

import mcp_types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

_SCHEMA = {"type": "object", "properties": {}, "additionalProperties": False}


async def _list_tools(_context: Any, _params: Any) -> mcp_types.ListToolsResult:  # noqa: ANN401 - the library's own generic types
    return mcp_types.ListToolsResult(tools=[mcp_types.Tool(name=name, input_schema=_SCHEMA) for name in ("first", "second")])


async def _call_tool(_context: Any, _params: Any) -> mcp_types.CallToolResult:  # noqa: ANN401 - as above
    return mcp_types.CallToolResult(content=[])


async def _main() -> None:
    server: Server[Any] = Server("bare", version="0", on_list_tools=_list_tools, on_call_tool=_call_tool)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


asyncio.run(_main())
