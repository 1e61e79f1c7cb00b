"""What the command says and which status it ends with; a person reads these sentences."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Final

import pytest

from proton_safe import __version__

if TYPE_CHECKING:
    from pathlib import Path

WAIT_S: Final = 30


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command to its end in an environment of its own."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "COVERAGE_PROCESS_CONFIG", "COVERAGE_PROCESS_START") if name in os.environ}
    return subprocess.run(
        [sys.executable, "-m", "proton_safe", *arguments],
        env={**kept, **environment},
        input="",
        capture_output=True,
        text=True,
        timeout=WAIT_S,
        check=False,
    )


def test_version_is_the_package_s() -> None:
    """One place for the version."""
    ended = run("--version")
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, f"{__version__}\n", "")


@pytest.mark.parametrize("arguments", [(), ("nonsense",), ("serve", "--profile", "full"), ("describe", "--form", "xml")])
def test_wrong_use_is_explained_with_status_two(arguments: tuple[str, ...]) -> None:
    """Nothing on standard output; what is meant on standard error."""
    ended = run(*arguments)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "usage: proton-safe-mcp" in ended.stderr


def test_description_as_data_has_every_tool_and_every_code() -> None:
    """What documentation and outside checks read."""
    described = json.loads(run("describe").stdout)
    assert len(described["tools"]) == 13
    codes = {row["code"] for row in described["refusals"]}
    assert {code for tool in described["tools"] for code in tool["refusals"]} <= codes
    assert all(set(row) == {"code", "class", "retryable", "sentence", "next_step"} for row in described["refusals"])


@pytest.mark.parametrize("command", ["serve", "trust"])
@pytest.mark.parametrize(
    "environment,code",
    [
        ({}, "CONFIG_MISSING"),
        ({"PROTON_BRIDGE_USER": "CANARY not an address"}, "CONFIG_INVALID"),
        ({"PROTON_BRIDGE_USER": "ada@keller.example", "PROTON_BRIDGE_HOST": "127.0.0.1"}, "CONFIG_INVALID"),
        ({"PROTON_BRIDGE_USER": "ada@keller.example", "PROTON_MCP_STATE_DIR": "here"}, "CONFIG_INVALID"),
        ({"PROTON_BRIDGE_USER": "ada@keller.example", "PROTON_IMAP_PORT": "99999"}, "CONFIG_INVALID"),
    ],
)
def test_unusable_settings_stop_the_start_with_one_sentence(command: str, environment: dict[str, str], code: str) -> None:
    """Status 1, one line on standard error that names the setting and no value, nothing on the wire."""
    ended = run(command, **environment)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.startswith(f"proton-safe-mcp: {code}: ")
    assert ended.stderr.count("\n") == 1
    assert "CANARY" not in ended.stderr


def test_managed_file_that_is_missing_is_named_by_code(tmp_path: Path) -> None:
    """No fallback to the environment."""
    ended = run("serve", "--config", str(tmp_path / "none.toml"), PROTON_BRIDGE_USER="ada@keller.example")
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.startswith("proton-safe-mcp: CONFIG_MISSING: ")
