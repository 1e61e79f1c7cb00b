"""Makes the front door's table: asks the engine in memory what it answers, for every handshake version and in the modern era.

Raises ValueError when the engine's answers don't have the form in which the table keeps them: the same list of tools everywhere, and
one `initialize` but for the version.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import anyio
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCMessage, jsonrpc_message_adapter
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, LATEST_HANDSHAKE_VERSION, MODERN_PROTOCOL_VERSIONS

from proton_safe.protocol.front_door import CAPABILITIES_KEY, VERSION_KEY
from proton_safe.protocol.server import low_level_server

if TYPE_CHECKING:
    from collections.abc import Sequence

    from proton_safe.protocol.dispatch import Dispatch
    from proton_safe.protocol.server import Identity

_WAIT_S: Final = 30.0
_CLIENT: Final = {"name": "client", "version": "0"}


def recorded(dispatch: Dispatch, identity: Identity) -> dict[str, Any]:
    """The table. `dispatch` must admit no call, so that its answer to any call is `busy`."""
    by_version = {version: _handshake(dispatch, identity, version) for version in HANDSHAKE_PROTOCOL_VERSIONS}
    lists = [answers["list"].pop("tools") for answers in by_version.values()]
    named = [answers["initialize"].pop("protocolVersion") for answers in by_version.values()]
    handshake = by_version[LATEST_HANDSHAKE_VERSION]
    modern = _modern(dispatch, identity)
    tools = modern["list"].pop("tools")
    if named != list(by_version) or any(answers != handshake for answers in by_version.values()):
        raise ValueError("the handshake versions differ in more than their name")
    if any(listed != tools for listed in lists):
        raise ValueError("the eras list different tools")
    return {
        "handshake": {"versions": list(HANDSHAKE_PROTOCOL_VERSIONS), "latest": LATEST_HANDSHAKE_VERSION, **handshake},
        "modern": {"versions": list(MODERN_PROTOCOL_VERSIONS), **modern},
        "tools": tools,
    }


def _handshake(dispatch: Dispatch, identity: Identity, version: str) -> dict[str, Any]:
    opening = {"protocolVersion": version, "capabilities": {}, "clientInfo": _CLIENT}
    call = {"name": dispatch.names[0], "arguments": {}}
    return _ask(dispatch, identity, {"initialize": ("initialize", opening), "list": ("tools/list", {}), "busy": ("tools/call", call)})


def _modern(dispatch: Dispatch, identity: Identity) -> dict[str, Any]:
    envelope = {"_meta": {VERSION_KEY: MODERN_PROTOCOL_VERSIONS[0], CAPABILITIES_KEY: {}}}
    call = {"name": dispatch.names[0], "arguments": {}, **envelope}
    return _ask(
        dispatch,
        identity,
        {"discover": ("server/discover", envelope), "list": ("tools/list", envelope), "busy": ("tools/call", call)},
    )


def _ask(dispatch: Dispatch, identity: Identity, questions: dict[str, tuple[str, dict[str, Any]]]) -> dict[str, Any]:
    """The engine's results by name, asked one after the other on one connection of their own."""
    messages = [
        jsonrpc_message_adapter.validate_python({"jsonrpc": "2.0", "id": number, "method": method, "params": params}, by_name=False)
        for number, (method, params) in enumerate(questions.values())
    ]
    return dict(zip(questions, anyio.run(_converse, dispatch, identity, messages), strict=True))


async def _converse(dispatch: Dispatch, identity: Identity, messages: Sequence[JSONRPCMessage]) -> list[Any]:
    server = low_level_server(dispatch, identity)
    to_server, server_reads = anyio.create_memory_object_stream[SessionMessage | Exception](1)
    server_writes, from_server = anyio.create_memory_object_stream[SessionMessage](1)
    results: list[Any] = []
    async with anyio.create_task_group() as tasks, to_server, from_server:
        tasks.start_soon(server.run, server_reads, server_writes, server.create_initialization_options())
        with anyio.fail_after(_WAIT_S):
            for message in messages:
                await to_server.send(SessionMessage(message))
                answer = (await from_server.receive()).message.model_dump(by_alias=True, mode="json", exclude_unset=True)
                results.append(answer["result"])
        tasks.cancel_scope.cancel()
    return results
