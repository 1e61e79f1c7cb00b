"""The table of imitated behaviours: each row has a test and a departure, and all that is described is in it or left out with a reason."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator

import pytest

from tests.fidelity import bridge
from tests.fidelity.departing import DEPARTURES
from tests.fidelity.rows import ROOT, Row, not_imitated, rows

ROWS = rows()
SETTLED = (1, 2, 3, 4, 5, 6, 8, 9, 11, 12, 13, 15, 16, 18, 19, 20, 21, 22, 24, 26, 28, 29)


def _numbered(part: str, numbers: Iterable[int]) -> Iterator[str]:
    return (f"{part}/{number}" for number in numbers)


def _tests_of(path: str) -> set[str]:
    return {node.name for node in ast.parse((ROOT / path).read_text("utf-8")).body if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_each_behaviour_is_described_and_held_by_a_test_that_exists(row: Row) -> None:
    """`pytest` would only tell when the row is run."""
    path, _, name = row.test.partition("::")
    assert name.partition("[")[0] in _tests_of(path)
    assert row.statement.endswith(".")
    assert row.basis in {"recorded", "read", "inferred"}


def test_each_behaviour_has_a_name_and_a_departure_of_its_own() -> None:
    """And no departure stands without a row."""
    written = {path.stem for path in (ROOT / "tests" / "fidelity").glob("*.py") if "@departure(" in path.read_text("utf-8")}
    assert set(bridge.AREAS) == written - {"departing"}
    assert [name for name, count in Counter(row.id for row in ROWS).items() if count > 1] == []
    assert sorted(row.switch for row in ROWS) == sorted(DEPARTURES)


def test_all_that_is_described_is_imitated_or_left_out_with_a_reason() -> None:
    """9.a is what matters most, 9.b are the questions that recordings settled, 10.2 the scenarios of the project's own tests."""
    covered = {covers for row in ROWS for covers in row.covers} | not_imitated()
    assert set(_numbered("9.a", range(1, 27))) - covered == set()
    assert {f"9.b/B-{number}" for number in SETTLED} - covered == set()
    assert set(_numbered("10.2", range(1, 48))) - covered == set()
    assert not_imitated() & {covers for row in ROWS for covers in row.covers} == set()
