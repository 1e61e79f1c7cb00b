"""The published schemas say what the readers say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from fakebridge import schema
from fakebridge.faults.kinds import MEANINGS, FaultKind
from fakebridge.faults.rule import FaultError, rules_from_json
from tests.fakebridge.faults.test_table import example
from tests.fakebridge.test_world_errors import WRONG
from tests.fakebridge.worlds import world

ROOT = Path(__file__).resolve().parents[2]
WORLDS = Draft202012Validator(schema.world())
FAULTS = Draft202012Validator(schema.faults())
ONLY_THE_READER = (
    "there is no such mailbox in this world",
    "not among the world's labels",
    "there is no such file",
    "a time zone",
    "a moment like",
)
"""What a schema cannot see: files, names that refer to others, a calendar."""


@pytest.mark.parametrize("built", [schema.world(), schema.faults()], ids=["world", "faults"])
def test_they_are_schemas(built: dict[str, Any]) -> None:
    """Draft 2020-12."""
    Draft202012Validator.check_schema(built)


def test_every_world_of_the_repository_is_valid() -> None:
    """Those of the cases, of the recordings, of the demo, of the tests."""
    paths = [path for root in ("conformance", "fakebridge", "tests") for path in (ROOT / root).rglob("world.json")]
    assert paths
    for path in paths:
        assert list(WORLDS.iter_errors(json.loads(path.read_text(encoding="utf-8")))) == [], path
    assert list(WORLDS.iter_errors(world())) == []


@pytest.mark.parametrize("changes, error", WRONG, ids=[error for _, error in WRONG])
def test_what_the_reader_refuses_the_schema_refuses(changes: dict[str, Any], error: str) -> None:
    """But for what needs files or other fields."""
    is_visible = not any(text in error for text in ONLY_THE_READER) or "Nope:" in error or "recipe.file" in error
    assert WORLDS.is_valid(world() | changes) is not is_visible


@pytest.mark.parametrize("kind", FaultKind)
def test_every_kind_of_fault_has_its_form(kind: FaultKind) -> None:
    """The shortest rule, the longest, and one with a field too many; the reader says the same."""
    meaning = MEANINGS[kind]
    values: dict[str, Any] = {name: getattr(meaning, name, None) or "UID" for name in meaning.fields}
    longest = {**example(kind), **values, "nth": 2, "times": None, "mailbox": "INBOX", "after_octets": 9, "about": "x"}
    for rule, is_good in ((example(kind), True), (longest, True), ({**longest, "more": 1}, False), ({**longest, "nth": 0}, False)):
        assert FAULTS.is_valid([rule]) is is_good
        if is_good:
            rules_from_json({"faults": [rule]})
        else:
            with pytest.raises(FaultError):
                rules_from_json([rule])
