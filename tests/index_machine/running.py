"""How the machine is run: so many steps, from a seed, the same each time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from fakebridge.testing.worlds import small_world
from tests.index_machine.bridge_in_thread import BridgeInThread
from tests.index_machine.machine import IndexMachine

STEPS_A_RUN: Final = 40


def play(runs: int, *, start: int, folder: Path) -> int:
    """Play so many runs of about `STEPS_A_RUN` steps; how many steps there were. AssertionError: a difference, with a short way to it.

    `folder` is for the world's file.
    """
    world = folder / "world.json"
    world.write_text(json.dumps(small_world(mailboxes={}, now="2026-03-01T12:00:00+00:00")), encoding="utf-8")
    with BridgeInThread(world) as bridge:

        class Seeded(IndexMachine):
            """One play's own counters."""

        Seeded.bridge = bridge
        Seeded.steps = 0
        run_state_machine_as_test(
            seed(start)(Seeded),
            settings=settings(
                max_examples=runs,
                stateful_step_count=STEPS_A_RUN,
                deadline=None,
                database=None,
                derandomize=False,
                print_blob=False,
                report_multiple_bugs=False,
                phases=(Phase.generate, Phase.shrink),
                suppress_health_check=list(HealthCheck),
            ),
        )
        return Seeded.steps
