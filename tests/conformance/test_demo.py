"""`make demo`, the first thing that a newcomer starts: it goes through, and Ctrl-C leaves nothing behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

from conformance.demo.__main__ import STOPPED

ROOT: Final = Path(__file__).resolve().parents[2]
DEMO: Final = (sys.executable, "-m", "conformance.demo")
WAIT_S: Final = 110


def test_the_demo_goes_through_and_says_so_in_its_last_line() -> None:
    """All thirteen tools, and each claim read from the simulated Bridge's journal."""
    done = subprocess.run(DEMO, cwd=ROOT, capture_output=True, text=True, timeout=WAIT_S, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "13 of 13" in done.stdout
    assert done.stdout.splitlines()[-1] == "The demo went through, and every claim holds."


def test_a_demo_that_is_interrupted_ends_what_it_started(tmp_path: Path) -> None:
    """The server and the simulated Bridge end, and their folders go."""
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(
        DEMO, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as demo:
        try:
            assert demo.stdout is not None
            while "An MCP client has started the server" not in demo.stdout.readline():
                assert demo.poll() is None
            os.killpg(demo.pid, signal.SIGINT)
            _, said = demo.communicate(timeout=WAIT_S)
        finally:
            demo.kill()
    assert (demo.returncode, said) == (STOPPED, "Stopped before its end; what the demo started has ended.\n")
    assert list(tmp_path.iterdir()) == []
