"""`python -m conformance.demo`: exit status 0 only if every step went through and every claim holds."""

from __future__ import annotations

import signal
import sys
import tempfile
from importlib import resources
from pathlib import Path
from typing import Final

import anyio
from mcp import Client, StdioServerParameters

from conformance.demo import screen
from conformance.demo.evidence import judge
from conformance.demo.story import StoryError, Walk, tell
from fakebridge.testing import FakeBridge, start

DEADLINE_S: Final = 120
STOPPED: Final = 130


async def walk(bridge: FakeBridge, state: Path) -> bool:
    """Start the server as a host would, walk, and judge."""
    primary, *aliases = bridge.addresses
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "proton_safe", "serve"],
        env={
            "PROTON_BRIDGE_USER": primary,
            "PROTON_BRIDGE_ALIASES": ",".join(aliases),
            "PROTON_IMAP_PORT": str(bridge.imap_port),
            "PROTON_BRIDGE_PASSWORD": bridge.password,
            "PROTON_MCP_STATE_DIR": str(state),
        },
    )
    with anyio.fail_after(DEADLINE_S):
        async with Client(server) as client:
            tools = (await client.list_tools()).tools
            screen.title(f"An MCP client has started the server and sees {len(tools)} tools")
            walked = Walk(client)
            try:
                receipt = await tell(walked)
            except StoryError as error:
                screen.failure(f"The walk stopped: {error}")
                return False
        return judge(bridge, walked.used, receipt)


def main() -> int:
    """Run the walk and give the exit status; Ctrl-C ends the server and the simulated Bridge too."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        holds = _walked()
    except KeyboardInterrupt:
        screen.failure("Stopped before its end; what the demo started has ended.")
        return STOPPED
    screen.say("")
    screen.say("The demo went through, and every claim holds." if holds else "The demo FAILED.")
    return 0 if holds else 1


def _walked() -> bool:
    world = resources.files("fakebridge") / "data" / "demo" / "world.json"
    with tempfile.TemporaryDirectory(prefix="proton-safe-demo-") as state, resources.as_file(world) as path, start(path) as bridge:
        screen.title("A simulated Proton Mail Bridge is running with a sample mailbox; nothing leaves this computer")
        try:
            return anyio.run(walk, bridge, Path(state))
        except TimeoutError:
            screen.failure(f"The walk was not through after {DEADLINE_S} seconds.")
            return False


if __name__ == "__main__":
    sys.exit(main())
