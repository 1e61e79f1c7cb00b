"""`make coverage`: everything runs under coverage, children included, then the report and the list of unreachable lines.

Some lines run only in a child that is killed right after them: no measurement outlives it. `tests/unreached_lines.toml` lists them
with their reasons. The list does not improve the figure; it explains it, and it is checked: a listed line must exist, must not
have run, and the list stays short.
"""

import contextlib
import io
import os
import signal
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Final

from coverage import Coverage
from pydantic import BaseModel, ConfigDict, TypeAdapter

from tests import on_demand

_ROOT: Final = Path(__file__).resolve().parents[1]
LIST: Final = "tests/unreached_lines.toml"
MAX_LISTED: Final = 30
_PATIENCE_S: Final = 30
_STEPS: Final = (
    ("erase",),
    ("run", "-m", "pytest", "-q", "-n", "auto", "--dist", "loadgroup", "tests"),
    ("combine", "--quiet"),
    ("report",),
)


class UnreachedLine(BaseModel):
    """One line that only a killed child reaches: its file, its text without indentation, why no measurement can see it."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    file: str
    line: str
    reason: str


def listed(path: Path) -> tuple[UnreachedLine, ...]:
    """The rows of the list. Raises pydantic's ValidationError for a row that is not of that form."""
    rows = tomllib.loads(path.read_text(encoding="utf-8")).get("lines", [])
    return tuple(TypeAdapter(list[UnreachedLine]).validate_python(rows))


def faults(rows: tuple[UnreachedLine, ...], measured: Coverage) -> tuple[str, ...]:
    """What is wrong with the list, one sentence each, given the combined data of a run."""
    found = [f"{LIST} lists {len(rows)} lines, at most {MAX_LISTED} are allowed"] if len(rows) > MAX_LISTED else []
    for row in rows:
        source = (_ROOT / row.file).read_text(encoding="utf-8").splitlines()
        numbers = {number for number, text in enumerate(source, start=1) if text.strip() == row.line}
        missed = set(measured.analysis2(str(_ROOT / row.file))[3])
        if not numbers:
            found.append(f"{row.file} has no line '{row.line}'")
        elif not numbers & missed:
            found.append(f"{row.file}: the line '{row.line}' did run; take it off {LIST}")
    return tuple(found)


def main() -> int:
    """Run, report, check; the report is printed even if a test failed. The status is zero only if nothing was wrong."""
    try:
        failed = [step[0] for step in _STEPS if _status(step)]
    except KeyboardInterrupt:
        _status(("erase",))  # a part of a run says nothing
        raise
    measured = Coverage(data_file=str(_ROOT / ".coverage"), config_file=str(_ROOT / "pyproject.toml"))
    measured.load()
    rows = listed(_ROOT / LIST)
    sys.stdout.write(f"{len(rows)} lines are listed as reached only in a killed child ({LIST})\n")
    found = faults(rows, measured)
    sys.stdout.writelines(f"{fault}\n" for fault in found)
    sys.stdout.writelines(f"coverage {step} did not succeed\n" for step in failed)
    verdict = "FAILED" if found or failed else "passed"
    sys.stdout.write(f"coverage: {measured.report(file=io.StringIO()):.1f} % of branches and lines in all processes: {verdict}\n")
    return 1 if found or failed else 0


def _status(step: tuple[str, ...]) -> int:
    """The exit status of one step, which has a process group of its own, so that Ctrl-C reaches it once and through here.

    Pytest then ends its workers; whatever is left of the group would write down what it ran, so it is killed.
    """
    with subprocess.Popen([sys.executable, "-m", "coverage", *step], cwd=_ROOT, process_group=0) as process:
        try:
            return process.wait()
        except KeyboardInterrupt:
            process.send_signal(signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_PATIENCE_S)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            raise


if __name__ == "__main__":
    on_demand.run("make coverage", main)
