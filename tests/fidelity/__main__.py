"""Takes each behaviour of fakebridge away in turn and wants its test to fail: `python -m tests.fidelity [id …] [--jobs N] [--show]`."""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from enum import Enum
from functools import partial
from typing import Final

from tests import on_demand
from tests.fidelity.departing import DEPARTURES
from tests.fidelity.pytests import Pytests
from tests.fidelity.rows import Row, rows

WAIT_S: Final = 600
LAST_LINE: Final = re.compile(r"^(?=.*\d+ (?:passed|failed|error)).*$", re.MULTILINE)
TESTS_FAILED: Final = 1
CRASH: Final = "Traceback (most recent call last)"


class Outcome(Enum):
    """What became of a row."""

    NOTICED = "noticed"
    UNNOTICED = "NOT NOTICED"
    BROKEN = "BROKEN"


def main(words: Sequence[str]) -> int:
    """The exit status: 0 when each test passes with its behaviour and fails without it."""
    options = _options(words)
    chosen = [row for row in rows() if not options.ids or row.id in options.ids]
    unknown = set(options.ids) - {row.id for row in chosen}
    if unknown:
        _say("no such row: " + ", ".join(sorted(unknown)))
        return 2
    with Pytests(options.jobs) as pytests:
        if not _all_pass(pytests, {row.test for row in chosen}):
            return 1
        outcomes = []
        for row, (outcome, text) in zip(chosen, pytests.each(partial(_without, pytests), chosen), strict=True):
            outcomes.append(outcome)
            _say(f"{outcome.value:<12} {row.id}")
            if options.show or outcome is Outcome.BROKEN:
                _say(text)
    bad = sum(outcome is not Outcome.NOTICED for outcome in outcomes)
    _say(f"fidelity: {len(outcomes) - bad} of {len(outcomes)} behaviours are held by a test that fails without them")
    return 1 if bad else 0


def _options(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fidelity", description=__doc__)
    parser.add_argument("ids", nargs="*", metavar="ID", help="rows of fakebridge/behaviours.json; all when none is given")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--show", action="store_true", help="print what pytest said")
    return parser.parse_args(words)


def _all_pass(pytests: Pytests, tests: Iterable[str]) -> bool:
    """The tests pass while nothing is taken away."""
    done = pytests.run(sorted(tests), "", wait_s=WAIT_S * 10)
    if done.returncode:
        _say(done.stdout)
        _say("fidelity: these tests fail already with every behaviour in place")
    else:
        _say(_last_line(done.stdout))
    return not done.returncode


def _without(pytests: Pytests, row: Row) -> tuple[Outcome, str]:
    if row.switch not in DEPARTURES:
        return Outcome.BROKEN, f"no departure is named {row.switch}"
    try:
        done = pytests.run([row.test], row.switch, wait_s=WAIT_S)
    except subprocess.TimeoutExpired:
        return Outcome.BROKEN, "the test did not end"
    if not done.returncode:
        return Outcome.UNNOTICED, done.stdout
    summary = _last_line(done.stdout)
    if done.returncode != TESTS_FAILED or "failed" not in summary or "error" in summary or CRASH in done.stdout:
        return Outcome.BROKEN, done.stdout + done.stderr
    return Outcome.NOTICED, done.stdout


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def _last_line(text: str) -> str:
    lines = LAST_LINE.findall(text)
    return str(lines[-1]) if lines else ""


if __name__ == "__main__":
    on_demand.run("make fidelity", partial(main, sys.argv[1:]))
