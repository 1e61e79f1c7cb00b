"""`trust`: both fingerprints are shown, only a person at a terminal can change the pin, and no password is sent."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from typing import TYPE_CHECKING, Final

import pytest

from tests.server.conftest import FakeBridge

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

WAIT_S: Final = 30


@pytest.fixture
def bridge() -> Iterator[FakeBridge]:
    """A fakebridge with the world `empty`."""
    with FakeBridge("empty") as running:
        yield running


def settings(bridge: FakeBridge, state: Path) -> dict[str, str]:
    """The environment of the command."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "COVERAGE_PROCESS_CONFIG", "COVERAGE_PROCESS_START") if name in os.environ}
    return {**kept, **bridge.environment(state)}


def trust(bridge: FakeBridge, state: Path, *, answer: str | None, environment: dict[str, str] | None = None) -> tuple[int, str, str]:
    """Run the command; `answer` is typed at a terminal, None means there is no terminal."""
    terminal, inner = pty.openpty()
    try:
        process = subprocess.Popen(
            [sys.executable, "-m", "proton_safe", "trust"],
            env=settings(bridge, state) | (environment or {}),
            stdin=inner if answer is not None else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        if answer is not None:
            os.write(terminal, f"{answer}\n".encode())
        out, err = process.communicate(timeout=WAIT_S)
    finally:
        os.close(inner)
        os.close(terminal)
    return process.returncode, out, err


def pinned(state: Path) -> list[str]:
    """The fingerprints in the pin file."""
    path = state / "pins.json"
    return [digits for digits in json.dumps(json.loads(path.read_text())).split('"') if len(digits) == 64] if path.exists() else []


def grouped(fingerprint: str) -> str:
    """As the command shows it."""
    return ":".join(fingerprint[at : at + 2] for at in range(0, 64, 2)).upper()


def test_first_pin_needs_a_typed_word(bridge: FakeBridge, tmp_path: Path) -> None:
    """Nothing is pinned before; the word pins; afterwards there is nothing to do."""
    fingerprint = bridge.certificate_sha256
    status, out, _ = trust(bridge, tmp_path, answer=None)
    assert (status, pinned(tmp_path)) == (1, [])
    assert "Nothing is pinned yet." in out
    status, out, _ = trust(bridge, tmp_path, answer="no")
    assert (status, pinned(tmp_path)) == (1, [])
    assert grouped(fingerprint) in out
    status, out, _ = trust(bridge, tmp_path, answer="trust")
    assert (status, pinned(tmp_path)) == (0, [fingerprint])
    assert out.endswith("Pinned.\n")
    status, out, _ = trust(bridge, tmp_path, answer=None)
    assert (status, pinned(tmp_path)) == (0, [fingerprint])
    assert "nothing to do" in out


def test_changed_certificate_shows_both_and_no_program_can_accept_it(bridge: FakeBridge, tmp_path: Path) -> None:
    """Without a terminal the pin stays; with one, the word pins the certificate that was shown."""
    old = bridge.certificate_sha256
    trust(bridge, tmp_path, answer="trust")
    bridge.ask(do="faults", rules=[{"do": "certificate"}])
    status, out, _ = trust(bridge, tmp_path, answer=None)
    assert "They differ." in out
    new = bridge.journal("tls")[-1]["certificate"]
    assert new != old
    assert (status, pinned(tmp_path)) == (1, [old])
    assert grouped(old) in out
    assert grouped(new) in out
    status, _, _ = trust(bridge, tmp_path, answer="trust")
    assert (status, pinned(tmp_path)) == (0, [bridge.journal("tls")[-1]["certificate"]])


def test_no_password_is_sent(bridge: FakeBridge, tmp_path: Path) -> None:
    """The journal shows no login."""
    trust(bridge, tmp_path, answer="trust")
    assert bridge.journal("login") == []
    assert {entry["verb"] for entry in bridge.journal("command")} <= {"CAPABILITY", "STARTTLS", "LOGOUT"}


def test_bridge_that_is_not_there_is_said_in_one_line(bridge: FakeBridge, tmp_path: Path) -> None:
    """The refusal's code, sentence and next step."""
    environment = settings(bridge, tmp_path) | {"PROTON_IMAP_PORT": "1"}
    ended = subprocess.run(
        [sys.executable, "-m", "proton_safe", "trust"],
        env=environment,
        input="",
        capture_output=True,
        text=True,
        timeout=WAIT_S,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.startswith("proton-safe-mcp: bridge-unreachable: ")


@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONIOENCODING": "ascii"},
        {"PYTHONIOENCODING": "cp437"},
        {"LANG": "C", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
        {"TERM": "dumb"},
    ],
    ids="-".join,
)
def test_poor_terminals_get_the_whole_display(bridge: FakeBridge, tmp_path: Path, environment: dict[str, str]) -> None:
    """Attack catalogue unicode/terminal-not-a-tty: what a person decides on is never partial, and plain ASCII everywhere."""
    status, out, err = trust(bridge, tmp_path, answer="no", environment=environment)
    assert (status, err) == (1, "")
    assert out.isascii()
    assert [len(line.strip()) for line in out.splitlines() if line.startswith("  ") and ":" in line] == [95]
    assert out.endswith("Nothing was changed.\n")


def test_a_display_that_nobody_reads_pins_nothing(bridge: FakeBridge, tmp_path: Path) -> None:
    """Attack catalogue unicode/terminal-not-a-tty: a broken pipe ends the command with an error, whatever was typed."""
    reader, writer = os.pipe()
    os.close(reader)
    terminal, inner = pty.openpty()
    try:
        os.write(terminal, b"trust\n")
        done = subprocess.run(
            [sys.executable, "-m", "proton_safe", "trust"],
            env=settings(bridge, tmp_path),
            stdin=inner,
            stdout=writer,
            stderr=subprocess.PIPE,
            timeout=WAIT_S,
            check=False,
            text=True,
        )
    finally:
        for descriptor in (writer, inner, terminal):
            os.close(descriptor)
    assert done.returncode not in {0, None}
    assert "Traceback" not in done.stderr
    assert pinned(tmp_path) == []
