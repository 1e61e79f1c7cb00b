"""Many steps of the state machine, on every processor: `python -m tests.index_machine [STEPS] [SEED]`, or `make fuzz-index`.

A difference ends it with the shortest script that shows it; the seed that is printed brings the same rounds again, on any number of
processors. Status 1 then.
"""

from __future__ import annotations

import argparse
import os
import secrets
import sys
import time
from typing import Final

from tests import on_demand
from tests.index_machine.rounds import play_rounds

STEPS: Final = 200_000


def main() -> int:
    """Play until there were enough steps."""
    parser = argparse.ArgumentParser(prog="python -m tests.index_machine", description="Play the index's state machine.")
    parser.add_argument("steps", type=int, nargs="?", default=STEPS, help=f"play at least so many steps (default: {STEPS:,})")
    parser.add_argument("seed", type=int, nargs="?", help="play the rounds of this seed again; new ones otherwise")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes at once (default: one a processor)")
    options = parser.parse_args()
    seed: int = secrets.randbelow(2**32) if options.seed is None else options.seed
    sys.stdout.write(f"seed {seed}\n")
    sys.stdout.flush()
    began = time.monotonic()
    try:
        steps = play_rounds(options.steps, seed, options.workers)
    except AssertionError as difference:
        sys.stdout.write(f"\n{difference}\nfuzz-index: a difference, seed {seed}\n")
        return 1
    sys.stdout.write(f"\nfuzz-index: {steps:,} steps in {time.monotonic() - began:.0f} s from seed {seed}: no difference\n")
    return 0


if __name__ == "__main__":
    on_demand.run("make fuzz-index", main)
