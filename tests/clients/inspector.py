"""The Inspector's two command lines: `--cli`, which starts a server for each command, and `mcpdo`, which keeps one connected.

Neither shows progress or sends a cancellation. The token of progress is given as metadata, and what the server answered to it is
counted on the wire; an interrupted command must lead to a dropped connection when the client goes away.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import signal
import subprocess
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import anyio
import anyio.to_thread

from tests.clients.report import Report
from tests.clients.story import STORY, Answer, play

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Literal

    from tests.clients.installation import Installation
    from tests.clients.site import Site
    from tests.clients.story import Heard

    Era = Literal["legacy", "modern"]

PACKAGE: Final = "@modelcontextprotocol/inspector"
SERVER: Final = "proton-safe"
DAEMON_FOLDER: Final = "MCP_INSPECTOR_DAEMON_DIR"
COMMAND_S: Final = 180
TOOL_IS_ERROR: Final = 5
"""The exit status of both command lines for an answer with `isError`."""
LOAD: Final = {"--load-requests": "100", "--load-concurrency": "8"}


class Failed(Exception):
    """A command of the Inspector failed; `str()` says which and what it wrote."""


@dataclass(frozen=True, slots=True)
class Commands:
    """Runs the Inspector's programs in a home folder of their own."""

    installation: Installation
    site: Site
    program: str
    environment: Mapping[str, str]

    def run(self, *arguments: str, allowed: frozenset[int] = frozenset({0})) -> subprocess.CompletedProcess[str]:
        """One command to its end. Raises Failed."""
        done = subprocess.run(
            self._line(arguments), env=dict(self.environment), capture_output=True, text=True, timeout=COMMAND_S, check=False
        )
        if done.returncode not in allowed:
            raise Failed(f"{' '.join(arguments[:6])}: status {done.returncode}: {(done.stderr or done.stdout)[-1000:]}")
        return done

    def interrupt(self, *arguments: str) -> None:
        """Start a command, wait until the Bridge stalls, and interrupt it as a terminal would."""
        self.site.stall()
        pipe = subprocess.PIPE
        with subprocess.Popen(
            self._line(arguments), env=dict(self.environment), stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe
        ) as started:
            try:
                self.site.wait_until_stalled()
                started.send_signal(signal.SIGINT)
                started.wait(COMMAND_S)
            finally:
                started.kill()

    def _line(self, arguments: Sequence[str]) -> tuple[str, ...]:
        return str(self.installation.node), str(self.installation.program(PACKAGE, self.program)), *arguments


def cli(installation: Installation, site: Site, era: Era) -> Report:
    """`--cli`: a server for each command. The schema lint must be silent, and the load mode must see no error."""
    run = Commands(installation, site, "clients/launcher/build/index.js", _environment(site))
    target = ("--cli", "--config", _config(site), "--server", SERVER, "--protocol-era", era, "--format", "json")
    report = Report()

    def call(tool: str, given: dict[str, Any], *more: str) -> tuple[str, ...]:
        return *target, "--quiet", "--method", "tools/call", "--tool-name", tool, "--tool-args-json", json.dumps(given), *more

    def answer(tool: str, given: dict[str, Any], *more: str) -> Answer:
        done = run.run(*call(tool, given, *more), allowed=frozenset({0, TOOL_IS_ERROR}))
        return Answer.from_json(json.loads(done.stdout)["result"])

    def work() -> None:
        listed = run.run(*target, "--method", "tools/list", "--strict")
        lint = [line for line in listed.stderr.splitlines() if line.strip() and not line.startswith("[mcp-inspector]")]
        report.faults += [f"--strict: {line}" for line in lint]
        tools = json.loads(listed.stdout)["result"]["tools"]
        report.listed = [tool["name"] for tool in tools]
        _play(tools, answer, site, report, alone=True)
        cancelled = STORY["cancelled"]
        run.interrupt(*call(cancelled["tool"], cancelled["arguments"]))
        site.wait_until_dropped()
        report.cancelled = not answer(cancelled["tool"], cancelled["arguments"]).is_error
        options = [text for pair in LOAD.items() for text in pair]
        load = json.loads(run.run(*call("mailbox_status", {}, "--load", *options)).stdout)["result"]
        if (load["ok"], load["toolErrors"], load["errors"]) != (int(LOAD["--load-requests"]), 0, 0):
            report.faults.append(f"--load: {json.dumps(load)}")
        times = load["latencyMs"]
        report.notes = ["--strict: nothing", f"--load: {load['ok']} calls, {load['concurrency']} at once, p50 {times['p50']} ms"]
        report.closed = True

    return _guarded(work, report)


def mcpdo(installation: Installation, site: Site, era: Era) -> Report:
    """`mcpdo`: one connection, held by a daemon of its own folder, that all commands share."""
    daemon = {DAEMON_FOLDER: str(site.home / "daemon"), "MCP_INSPECTOR_DAEMON_TOKEN": secrets.token_urlsafe(32)}
    run = Commands(installation, site, "clients/mcpdo/build/mcp-bin.js", {**_environment(site), **daemon})
    here = ("--format", "json", f"@{SERVER}")
    report = Report()

    def call(tool: str, given: dict[str, Any], *more: str) -> tuple[str, ...]:
        return *here, "tools/call", tool, "--tool-args-json", json.dumps(given), *more

    def answer(tool: str, given: dict[str, Any], *more: str) -> Answer:
        return Answer.from_json(json.loads(run.run(*call(tool, given, *more), allowed=frozenset({0, TOOL_IS_ERROR})).stdout))

    def work() -> None:
        connect = ("--config", _config(site), "--format", "json", "connect", SERVER, "--era", era)
        run.run(*connect)
        report.protocol = json.loads(run.run("--format", "json", "connections/show", f"@{SERVER}").stdout)["protocolVersion"]
        tools = json.loads(run.run(*here, "tools/list").stdout)["tools"]
        report.listed = [tool["name"] for tool in tools]
        _play(tools, answer, site, report)
        cancelled = STORY["cancelled"]
        run.interrupt(*call(cancelled["tool"], cancelled["arguments"]))
        run.run("disconnect", f"@{SERVER}")
        site.wait_until_dropped()
        run.run(*connect)
        report.cancelled = not answer(cancelled["tool"], cancelled["arguments"]).is_error
        run.run("disconnect", f"@{SERVER}")

    try:
        _guarded(work, report)
        return _guarded(partial(_stop, run, report), report)
    finally:
        end_daemons(daemon[DAEMON_FOLDER])


def end_daemons(folder: str) -> None:
    """End each process that was started to serve this folder (Linux).

    Such a daemon has a session of its own, which Ctrl-C does not reach, and one that is only starting up hears no command.
    """
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it ended meanwhile, or is somebody else's
            if f"{DAEMON_FOLDER}={folder}".encode() in (process / "environ").read_bytes().split(b"\0"):
                os.kill(int(process.name), signal.SIGTERM)


def _stop(run: Commands, report: Report) -> None:
    run.run("daemon", "stop")
    report.closed = json.loads(run.run("--format", "json", "daemon", "status").stdout).get("running") is False


def _play(tools: list[dict[str, Any]], answer: Callable[..., Answer], site: Site, report: Report, *, alone: bool = False) -> None:
    async def call(tool: str, given: dict[str, Any], heard: Heard | None) -> Answer:
        if heard is None:
            return await anyio.to_thread.run_sync(answer, tool, given)
        before = len(_progress(site))
        result = await anyio.to_thread.run_sync(answer, tool, given, "--tool-metadata", "progressToken=story")
        heard.extend(_progress(site)[before:])
        return result

    schemas = {tool["name"]: tool["outputSchema"] for tool in tools}
    anyio.run(partial(play, call, schemas, report, alone=alone))


def _progress(site: Site) -> list[float]:
    return [
        message["params"]["progress"]
        for seen in site.seen()
        for message in seen.from_server
        if message.get("method") == "notifications/progress"
    ]


def _guarded(work: Callable[[], None], report: Report) -> Report:
    try:
        work()
    except (Failed, TimeoutError, subprocess.TimeoutExpired, ValueError, KeyError) as trouble:
        report.faults.append(f"{type(trouble).__name__}: {trouble}")
    return report


def _environment(site: Site) -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "HOME": str(site.home), "MCP_INSPECTOR_SECRET_STORE": "memory"}


def _config(site: Site) -> str:
    """The server as a host's configuration file names it."""
    command, *arguments = site.command
    path = site.home / "servers.json"
    server = {"type": "stdio", "command": command, "args": arguments, "env": site.environment}
    path.write_text(json.dumps({"mcpServers": {SERVER: server}}), encoding="utf-8")
    return str(path)
