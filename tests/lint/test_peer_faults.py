"""The tests that conformance/peer_faults.json names exist."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent.parent


def test_every_test_that_stands_for_a_fault_exists() -> None:
    """A name that leads nowhere would be prose."""
    table = json.loads((ROOT / "conformance" / "peer_faults.json").read_text(encoding="utf-8"))["faults"]
    named = {test for row in table.values() for test in row["tests"]}
    assert named != set()
    assert {test for test in named if not _exists(test)} == set()


def _exists(test: str) -> bool:
    path, _, name = test.partition("::")
    file = ROOT / path
    return path.startswith("tests/") and file.is_file() and f"\ndef {name}(" in file.read_text(encoding="utf-8")
