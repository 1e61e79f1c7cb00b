"""`make coverage`: the list of unreachable lines is judged against a run, and Ctrl-C ends all that a step has started."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from tests import coverage_report
from tests.coverage_report import UnreachedLine, faults
from tests.on_demand import STOPPED

if TYPE_CHECKING:
    from coverage import Coverage

ROOT: Final = Path(__file__).resolve().parents[1]
WAIT_S: Final = 60
JOB: Final = """
import sys
from tests import coverage_report, on_demand
on_demand.run("make coverage", lambda: coverage_report._status(("run", sys.argv[1])))
"""
STEP: Final = """
import signal, subprocess, sys
subprocess.Popen([sys.executable, "-c", "import signal; print('started', flush=True); signal.pause()"])
signal.pause()
"""


def test_an_interrupted_step_is_ended_with_what_it_has_started(tmp_path: Path) -> None:
    """The workers of pytest too: standard output is at its end once nobody holds it any more."""
    step = tmp_path / "step.py"
    step.write_text(STEP, encoding="utf-8")
    with subprocess.Popen(
        [sys.executable, "-c", JOB, str(step)],
        cwd=ROOT,
        env={**os.environ, "COVERAGE_FILE": str(tmp_path / "data")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as job:
        assert job.stdout is not None
        assert job.stdout.readline() == "started\n"
        job.send_signal(signal.SIGINT)
        rest, complained = job.communicate(timeout=WAIT_S)
    assert (job.returncode, rest) == (STOPPED, "")
    assert complained.endswith("\nmake coverage: stopped before its end; what it started has ended\n")


class _Measured:
    """A run in which nothing but the lines of these numbers was missed."""

    def __init__(self, *missed: int) -> None:
        self._missed = list(missed)

    def analysis2(self, _: str) -> tuple[object, ...]:
        return "", [], [], self._missed, ""


def test_the_list_may_hold_lines_that_exist_and_did_not_run_and_no_others() -> None:
    """It explains a figure; a row that explains nothing is a fault."""
    file = "tests/coverage_report.py"
    number, line = next(
        (number, text.strip())
        for number, text in enumerate((ROOT / file).read_text(encoding="utf-8").splitlines(), start=1)
        if text.startswith("MAX_LISTED")
    )
    row = UnreachedLine(file=file, line=line, reason="a test")
    missed, ran = cast("Coverage", _Measured(number)), cast("Coverage", _Measured())
    assert faults((row,), missed) == ()
    assert faults((row,), ran) == (f"{file}: the line '{line}' did run; take it off {coverage_report.LIST}",)
    assert faults((row.model_copy(update={"line": "no such line"}),), missed) == (f"{file} has no line 'no such line'",)
    assert faults((row,) * 31, missed) == (f"{coverage_report.LIST} lists 31 lines, at most 30 are allowed",)
