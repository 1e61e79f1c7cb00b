"""Where a case's duty comes from is told so that a reader of the repository can follow it."""

import json
from pathlib import Path
from typing import Final

import pytest

from conformance import origins
from conformance.library import all_cases

BEHAVIOURS: Final = Path(__file__).resolve().parents[2] / "fakebridge" / "behaviours.json"


@pytest.mark.parametrize(
    "source, told",
    [
        ("seed: reply protocol", "the specification of the thirteen tools: reply protocol"),
        ("product: paging; RFC 3501 5.1", "a decision of this project: paging; RFC 3501 5.1"),
        ("attack: header/nul", "a known attack: header:nul in docs/attacks.md"),
        ("attack: header/no such row", "a known attack: header/no such row"),
        ("bridge: draft-html-only", "what Proton Mail Bridge does: `python -m fakebridge explain draft-html-only`"),
        ("MCP 2025-11-25, tools; CVE-2021-42574; Unicode TR 15", "MCP 2025-11-25, tools; CVE-2021-42574; Unicode TR 15"),
    ],
)
def test_a_source_is_told_without_short_words(source: str, told: str) -> None:
    """What stands in docs/sources.md is said in the explanation itself."""
    assert (list(origins.findings(source)), origins.in_words(source)) == ([], told)


@pytest.mark.parametrize("source", ["bridge-behaviour 5.2", "product", "our notes: 3", "product: paging; somewhere", "RFC"])
def test_a_source_that_nobody_can_follow_is_found(source: str) -> None:
    """A reference to a paper that isn't there is no reference."""
    assert len(list(origins.findings(source))) == 1


def test_a_behaviour_of_bridge_is_one_of_the_table() -> None:
    """`bridge: NAME` is a name that `python -m fakebridge explain` knows."""
    known = {row["id"] for row in json.loads(BEHAVIOURS.read_text(encoding="utf-8"))["behaviours"]}
    named = {
        reference.removeprefix("bridge: ")
        for case in all_cases()
        for reference in case.source.split("; ")
        if reference.startswith("bridge: ")
    }
    assert named
    assert named <= known
