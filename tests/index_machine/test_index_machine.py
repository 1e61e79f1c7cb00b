"""A short run of the state machine; `make fuzz-index` plays 200,000 steps."""

from __future__ import annotations

from pathlib import Path

from tests.index_machine.running import play

RUNS = 60
STEPS = 2_000


def test_the_index_agrees_with_a_naive_recomputation(tmp_path: Path) -> None:
    """Index, pages, totals, unread ones and searches, after each of 2,000 steps."""
    assert play(RUNS, start=20_261_201, folder=tmp_path) >= STEPS
