"""Rounds of the state machine side by side, each in a process with a fakebridge of its own."""

from __future__ import annotations

import multiprocessing
import sys
import tempfile
import time
import traceback
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.index_machine.running import play

RUNS_A_ROUND: Final = 25


@dataclass(frozen=True, slots=True)
class Round:
    """What one round came to: its steps, and the difference that ended it, in words."""

    steps: int
    difference: str | None = None


def _round(start: int) -> Round:
    """Play the round of this seed in this process, with a fakebridge of its own."""
    with tempfile.TemporaryDirectory(prefix="index-machine-") as folder:
        try:
            return Round(play(RUNS_A_ROUND, start=start, folder=Path(folder)))
        except Exception:  # noqa: BLE001 - whatever it was, it is what this program looks for
            return Round(0, f"the round of seed {start}:\n{traceback.format_exc()}")


def play_rounds(wanted: int, start: int, workers: int) -> int:
    """Round after round, each with a seed one higher, until there were enough steps; how many. AssertionError: a difference, in words."""
    began = time.monotonic()
    done = turn = 0
    with ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn")) as processes:
        under_way: set[Future[Round]] = set()
        while done < wanted:
            while len(under_way) < workers:
                under_way.add(processes.submit(_round, start + turn))
                turn += 1
            ended, under_way = wait(under_way, return_when=FIRST_COMPLETED)
            for one in (future.result() for future in ended):
                if one.difference is not None:
                    processes.shutdown(wait=False, cancel_futures=True)
                    raise AssertionError(one.difference)
                done += one.steps
            rate = done / (time.monotonic() - began)
            sys.stderr.write(f"\r{done:,} of {wanted:,} steps, {rate:.0f} a second ")
            sys.stderr.flush()
        # The rounds that are still under way count too: their steps are played, and a difference in them is one.
        for one in (future.result() for future in under_way):
            if one.difference is not None:
                raise AssertionError(one.difference)
            done += one.steps
    return done
