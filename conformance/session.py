"""Playing many cases: groups that share a situation, several stands side by side."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence

from conformance.adapter import Adapter
from conformance.library import by_situation
from conformance.model import Case
from conformance.outcome import Outcome
from conformance.player import play
from conformance.stand import Stand

CHUNK = 25
SLOW = "slow"


def run(cases: Sequence[Case], adapter: Adapter, *, workers: int, report: Callable[[Outcome], None]) -> list[Outcome]:
    """Play all cases with so many stands; `report` hears of each outcome as it comes. Outcomes are sorted by id."""
    waiting: queue.SimpleQueue[tuple[Case, ...]] = queue.SimpleQueue()
    for chunk in chunks(cases):
        waiting.put(chunk)
    outcomes: list[Outcome] = []
    telling = threading.Lock()

    def work() -> None:
        stand = Stand(adapter)
        try:
            while True:
                try:
                    chunk = waiting.get_nowait()
                except queue.Empty:
                    return
                for case in chunk:
                    outcome = play(case, stand)
                    with telling:
                        outcomes.append(outcome)
                        report(outcome)
        finally:
            stand.close()

    threads = [threading.Thread(target=work) for _ in range(max(1, workers))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(outcomes, key=lambda outcome: outcome.case_id)


def chunks(cases: Sequence[Case]) -> list[tuple[Case, ...]]:
    """The cases cut into pieces for workers: a piece never mixes situations, slow cases stand alone, long pieces come first."""
    slow = [case for case in cases if SLOW in case.flags]
    groups = by_situation(case for case in cases if SLOW not in case.flags)
    pieces = [(case,) for case in slow] + [group[start : start + CHUNK] for group in groups for start in range(0, len(group), CHUNK)]
    return sorted(pieces, key=lambda piece: -sum(_weight(case) for case in piece))


def _weight(case: Case) -> float:
    """Roughly how many seconds a case takes."""
    return 60.0 if SLOW in case.flags else 1.0 + case.fresh
