"""The front door's table is the one that the engine answers today."""

import json
import subprocess
import sys

from tests.lint import checkout

_TABLE = "proton_safe/protocol/front_door.json"


def test_front_door_table_is_the_one_that_the_engine_answers_today() -> None:
    """A definition that changed is published only through a table that was made again: `make front-door`."""
    command = [sys.executable, "-m", "proton_safe", "describe", "--form", "front-door"]
    run = subprocess.run(command, cwd=checkout.ROOT, capture_output=True, text=True, check=True, timeout=110)
    assert json.loads(checkout.text(_TABLE)) == json.loads(run.stdout)
