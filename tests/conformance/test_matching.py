"""Expectations match by type and value, and every matcher can fail."""

import pytest

from conformance.matching import MATCHERS, matches, mismatches
from conformance.model import Json

_ROWS = [{"uid": "1", "n": 1}, {"uid": "2", "n": 2}]


@pytest.mark.parametrize(
    "expected, actual",
    [
        ({}, {"any": "thing"}),
        ({"a": {"b": 1}}, {"a": {"b": 1, "c": 2}}),
        ([1, {"a": 1}], [1, {"a": 1, "b": 2}]),
        (None, None),
        ({"$regex": "^a+$"}, "aaa"),
        ({"$length": 2}, "ab"),
        ({"$length": {"$at_least": 2}}, [1, 2, 3]),
        ({"a": {"$absent": True}}, {"b": 1}),
        ({"a": {"$any": True}}, {"a": None}),
        ({"$contains": "b"}, "abc"),
        ({"$contains": {"uid": "2"}}, _ROWS),
        ({"$lacks": "d"}, "abc"),
        ({"$lacks": {"uid": "3"}}, _ROWS),
        ({"$at_most": 2}, 2),
        ({"$at_least": 2}, 2),
        ({"$column": {"uid": ["1", "2"]}}, _ROWS),
        ({"$each": {"uid": {"$any": True}}}, _ROWS),
        ({"$not": "a"}, "b"),
        ({"$all": [{"$contains": "a"}, {"$lacks": "z"}]}, "abc"),
    ],
)
def test_what_fits_matches(expected: Json, actual: Json) -> None:
    """Subset matching: what an expectation does not name is free."""
    assert list(mismatches(expected, actual)) == []


@pytest.mark.parametrize(
    "expected, actual",
    [
        (1, True),
        (True, 1),
        (1, 1.0),
        ("1", 1),
        (None, ""),
        ({"a": 1}, {}),
        ({"a": 1}, [1]),
        ([1], [1, 2]),
        ([], {}),
        ({"$regex": "^a+$"}, "b"),
        ({"$regex": "a"}, None),
        ({"$length": 2}, "a"),
        ({"$length": 2}, 2),
        ({"a": {"$absent": True}}, {"a": None}),
        ({"a": {"$any": True}}, {}),
        ({"$contains": "z"}, "abc"),
        ({"$contains": {"uid": "3"}}, _ROWS),
        ({"a": {"$lacks": "x"}}, {}),
        ({"$lacks": "b"}, "abc"),
        ({"$at_most": 2}, 3),
        ({"$at_most": 2}, True),
        ({"$at_least": 2}, 1),
        ({"$at_least": 2}, "3"),
        ({"$column": {"uid": ["2", "1"]}}, _ROWS),
        ({"$column": {"uid": []}}, "text"),
        ({"$each": {"uid": "1"}}, _ROWS),
        ({"$each": {}}, []),
        ({"$not": "a"}, "a"),
        ({"a": {"$not": "a"}}, {}),
        ({"$all": [{"$contains": "a"}, {"$lacks": "c"}]}, "abc"),
    ],
)
def test_what_differs_is_found(expected: Json, actual: Json) -> None:
    """A matcher that can't fail proves nothing; types are never mixed up."""
    assert not matches(expected, actual)


def test_a_matcher_that_does_not_exist_is_an_error() -> None:
    """The set of matchers is closed: a misspelt one must not pass as a key."""
    with pytest.raises(ValueError, match=r"no matcher \$regexp"):
        matches({"$regexp": "a"}, {"$regexp": "a"})


def test_every_matcher_is_shown_here() -> None:
    """House rule: what can be written in a case is shown to succeed and to fail."""
    assert set(MATCHERS) == {
        "$regex",
        "$length",
        "$absent",
        "$any",
        "$contains",
        "$lacks",
        "$at_most",
        "$at_least",
        "$column",
        "$each",
        "$not",
        "$all",
    }
