"""A short run of the state machine; `make fuzz-index` plays 200,000 steps."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.index_machine.running import play

RUNS = 17
STEPS = 500


@pytest.mark.timeout(300)  # on a busy machine
@pytest.mark.parametrize("start", [20_261_201, 20_261_202, 20_261_203, 20_261_204])
def test_the_index_agrees_with_a_naive_recomputation(tmp_path: Path, start: int) -> None:
    """Index, pages, totals, unread ones and searches, after each step: 2,000 in all four together."""
    assert play(RUNS, start=start, folder=tmp_path) >= STEPS
