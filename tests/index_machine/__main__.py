"""Many steps of the state machine: `python -m tests.index_machine [STEPS] [SEED]`, or `make fuzz-index`.

A difference ends it with the shortest script that shows it; the seed that is printed brings the same run again.
"""

from __future__ import annotations

import secrets
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from tests.index_machine.running import play

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
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else STEPS
    start = int(sys.argv[2]) if len(sys.argv) > 2 else secrets.randbelow(2**32)
    sys.stdout.write(f"seed {start}\n")
    sys.stdout.flush()
    progress = _Progress(wanted)
    turn = 0
    with tempfile.TemporaryDirectory(prefix="index-machine-") as folder:
        while progress.done < wanted:
            progress.done += play(RUNS_A_ROUND, start=start + turn, folder=Path(folder), progress=progress)
            turn += 1
    sys.stdout.write(f"\n{progress.done:,} steps in {progress.seconds():.0f} s from seed {start}: no difference\n")
    return 0


sys.exit(main())
