"""Many steps of the state machine: `python -m tests.index_machine [STEPS] [SEED]`, or `make fuzz-index`.

A difference ends it with the shortest script that shows it; the seed that is printed brings the same run again.
"""

from __future__ import annotations

import argparse
import secrets
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from tests.index_machine.running import STEPS_A_RUN, play

STEPS: Final = 200_000
RUNS_A_ROUND: Final = 100
SHOWN_EACH_S: Final = 5.0


class _Progress:
    """One line that is written over, at most every few seconds."""

    def __init__(self, wanted: int) -> None:
        self._wanted = wanted
        self._began = self._shown = time.monotonic()
        self.done = 0

    def step(self, steps: int) -> None:
        """So many steps of this round."""
        now = time.monotonic()
        if now - self._shown >= SHOWN_EACH_S:
            self._shown = now
            done = self.done + steps
            sys.stderr.write(f"\r{done:,} of {self._wanted:,} steps, {done / (now - self._began):.0f} a second ")
            sys.stderr.flush()

    def seconds(self) -> float:
        """Since the begin."""
        return time.monotonic() - self._began


def main() -> int:
    """Play until there were enough steps."""
    parser = argparse.ArgumentParser(prog="python -m tests.index_machine", description="Play the index's state machine.")
    parser.add_argument("steps", type=int, nargs="?", default=STEPS, help=f"play at least so many steps (default: {STEPS:,})")
    parser.add_argument("seed", type=int, nargs="?", help="play the run of this seed again; a new one otherwise")
    options = parser.parse_args()
    wanted: int = options.steps
    start: int = secrets.randbelow(2**32) if options.seed is None else options.seed
    sys.stdout.write(f"seed {start}\n")
    sys.stdout.flush()
    progress = _Progress(wanted)
    turn = 0
    with tempfile.TemporaryDirectory(prefix="index-machine-") as folder:
        while progress.done < wanted:
            runs = min(RUNS_A_ROUND, -(-(wanted - progress.done) // STEPS_A_RUN))
            progress.done += play(runs, start=start + turn, folder=Path(folder), progress=progress)
            turn += 1
    sys.stdout.write(f"\n{progress.done:,} steps in {progress.seconds():.0f} s from seed {start}: no difference\n")
    return 0


sys.exit(main())
