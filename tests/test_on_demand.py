"""How a job ends: its status, its closing line, what it had started, and what a terminal is shown."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests import on_demand

ROOT: Final = Path(__file__).resolve().parents[1]
WAIT_S: Final = 60
JOB: Final = """
import signal, sys, tempfile
from tests import on_demand
def work():
    with tempfile.TemporaryDirectory(dir=sys.argv[1]):
        try:
            print("started", flush=True)
            signal.pause()
        finally:
            print("ending", flush=True)
            sys.stdin.readline()
on_demand.run("make nothing", work)
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_job_that_is_stopped_ends_what_it_started_and_says_so(number: signal.Signals, tmp_path: Path) -> None:
    """Ctrl-C, and what `make` passes on when it is ended itself; the same a second time, while it is ending, changes nothing."""
    command = [sys.executable, "-c", JOB, str(tmp_path)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as job:
        try:
            assert job.stdout is not None
            assert job.stdout.readline() == "started\n"
            job.send_signal(number)
            assert job.stdout.readline() == "ending\n"
            for again in (signal.SIGINT, signal.SIGTERM):
                job.send_signal(again)
            _, complained = job.communicate("end\n", timeout=WAIT_S)
        finally:
            job.kill()
    assert (job.returncode, complained) == (on_demand.STOPPED, "\nmake nothing: stopped before its end; what it started has ended\n")
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def handlers(monkeypatch: pytest.MonkeyPatch) -> None:
    """The process that runs the tests keeps its own way with SIGTERM."""
    monkeypatch.setattr(signal, "signal", lambda *_: None)


@pytest.mark.usefixtures("handlers")
@pytest.mark.parametrize("status", [0, 1, 2])
def test_a_job_that_comes_to_its_end_exits_with_its_status(status: int) -> None:
    """Which make turns into its own."""
    with pytest.raises(SystemExit) as ended:
        on_demand.run("make nothing", lambda: status)
    assert ended.value.code == status


@pytest.mark.usefixtures("handlers")
def test_an_error_that_nobody_expected_fails_with_a_closing_line_and_steers_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """The error may quote a mail."""

    def work() -> int:
        raise ValueError("\x1b[2Jclean")

    with pytest.raises(SystemExit) as ended:
        on_demand.run("make nothing", work)
    said = capsys.readouterr().err
    assert ended.value.code == on_demand.FAILED
    assert said.splitlines()[-1] == "make nothing: FAILED with ValueError"
    assert "\\u{001b}[2Jclean" in said
    assert "\x1b" not in said


def test_progress_is_told_every_five_seconds_at_most(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A line for each mail would bury the result."""
    now = iter([0.0, 1.0, 5.0, 9.0, 10.5])
    monkeypatch.setattr("tests.on_demand.monotonic", lambda: next(now))
    progress = on_demand.Progress("mails", 3_000)
    for done in (100, 1_200, 1_300, 2_000):
        progress.reached(done)
    assert capsys.readouterr().err.splitlines() == ["1,200 of 3,000 mails after 5 s", "2,000 of 3,000 mails after 10 s"]
