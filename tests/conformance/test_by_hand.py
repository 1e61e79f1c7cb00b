"""What an explanation prints for two terminals can be typed, and the lines that it shows bring the answers of the case."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from conformance import by_hand
from conformance.explain import explain
from conformance.library import case_named
from conformance.matching import matches
from conformance.model import CallStep
from conformance.values import UID_KEY, expand
from conformance.worlds_at_hand import uids

ROOT: Final = Path(__file__).resolve().parents[2]


def _typed(command: str) -> subprocess.Popen[str]:
    """A command as a person would type it in the repository, with this Python as `python`."""
    line = f"python() {{ '{sys.executable}' \"$@\"; }}\n{command}"
    return subprocess.Popen(["/bin/sh", "-c", line], cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


@pytest.mark.parametrize("case_id", ["header:encoded-crlf:subject", "imap:append-lies:nothing-stored"])
def test_a_case_is_replayed_in_two_terminals(case_id: str) -> None:
    """As printed, but for the port, which may be taken: a mail that attacks, and a Bridge that is told to lie."""
    case = case_named(case_id)
    told = explain(case)
    serve, server = (line.strip() for line in told.splitlines() if line.startswith("    ") and " serve" in line)
    with _typed(serve.replace(str(by_hand.PORT), "0")) as bridge:
        assert bridge.stdin is not None
        assert bridge.stdout is not None
        port = json.loads(bridge.stdout.readline())["imap"]
        with _typed(server.replace(str(by_hand.PORT), str(port))) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            answers = {}
            for line in told.splitlines():
                if line.startswith("  fakebridge is told "):
                    bridge.stdin.write(line.removeprefix("  fakebridge is told ") + "\n")
                    bridge.stdin.flush()
                    assert json.loads(bridge.stdout.readline())["ok"]
                elif line.startswith("→ "):
                    process.stdin.write(line.removeprefix("→ ") + "\n")
                    process.stdin.flush()
                    asked = json.loads(line.removeprefix("→ "))
                    if "id" in asked:
                        answers[asked["id"]] = json.loads(process.stdout.readline())
            process.stdin.close()
        bridge.stdin.close()
    expectations = [step.expect for step in case.script if isinstance(step, CallStep)]
    for expect, (_, answer) in zip(expectations, sorted(answers.items())[1:], strict=True):
        if expect.ok is None:
            assert answer["result"]["content"][0]["text"].startswith(f"{expect.refused}: ")
        else:
            assert matches(expand(expect.ok, {UID_KEY: uids(case.world)}), answer["result"]["structuredContent"])


def test_a_case_whose_variables_only_a_run_can_fill_has_no_commands() -> None:
    """A path of the suite itself, a port that is closed: those a person can't type."""
    assert by_hand.commands(case_named("mailbox_status:keyring:none")) == []
    assert by_hand.commands(case_named("mailbox_status:bridge:not-listening")) == []
    assert "two terminals" not in explain(case_named("mailbox_status:keyring:none"))
