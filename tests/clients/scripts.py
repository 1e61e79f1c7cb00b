"""Runs one of the Node scripts: gives it the story and the server's command, answers its questions about the Bridge, takes its report."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from conformance.line_process import Ended, LineProcess, Silent, inherited_environment
from tests.clients.report import Report
from tests.clients.story import STORY

if TYPE_CHECKING:
    from tests.clients.installation import Installation
    from tests.clients.site import Site

LINE_S: Final = 180
"""The longest that a script may be silent."""


def run(installation: Installation, script: str, site: Site, mode: str) -> Report:
    """The script's report, or one that says why there is none."""
    process = LineProcess(
        (str(installation.node), str(installation.script(script))),
        environment={**inherited_environment(), "HOME": str(site.home)},
        folder=str(installation.folder),
    )
    command, *arguments = site.command
    server = {"command": command, "args": arguments, "env": site.environment}
    try:
        _say(process, {"story": STORY, "server": server, "mode": mode})
        while True:
            message = json.loads(process.next_line(within_s=LINE_S))
            if "report" in message:
                return Report.from_json(message["report"])
            _say(process, _answer(site, message["ask"]))
    except (Ended, Silent, ValueError) as trouble:
        return Report(faults=[f"{script} gave no report ({type(trouble).__name__}): {process.stderr[-2000:]}"])
    finally:
        process.close()


def _say(process: LineProcess, message: dict[str, Any]) -> None:
    process.write(json.dumps(message).encode() + b"\n")


def _answer(site: Site, question: str) -> dict[str, Any]:
    actions = {"stall": site.stall, "stalled": site.wait_until_stalled, "dropped": site.wait_until_dropped}
    try:
        actions[question]()
    except TimeoutError as late:
        return {"fault": str(late)}
    return {}
