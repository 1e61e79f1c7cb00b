"""What an expectation says in words."""

import pytest

from conformance.matching import MATCHERS
from conformance.model import Json
from conformance.wording import in_words


@pytest.mark.parametrize(
    "expected, words",
    [
        ({"total": 8, "rows": [{"uid": "1"}]}, '{total: 8, rows: [{uid: "1"}]}'),
        ({"$regex": "^a"}, 'a text that fits the pattern "^a"'),
        ({"$length": {"$at_most": 8}}, "of the length at most 8"),
        ({"$absent": True}, "absent"),
        ({"$any": True}, "there"),
        ({"$all": [{"$contains": "a"}, {"$lacks": "b"}]}, 'with "a" in it and without "b" in it'),
        ({"$at_least": 3}, "at least 3"),
        ({"$column": {"uid": ["2", "1"]}}, 'a list whose uid, row by row, is ["2", "1"]'),
        ({"$each": {"unread": True}}, "a list of which each is {unread: true}"),
        ({"$not": None}, "not null"),
        ("\x1b[2J\u202e caf\xe9", '"\\u001b[2J\\u202e caf\xe9"'),
        ("\U000e0041", '"\\udb40\\udc41"'),
        ("x" * 999, f'"{"x" * 299}… (1001 characters)'),
    ],
)
def test_it_is_said_without_the_names_of_matchers(expected: Json, words: str) -> None:
    """A reader needs to know no matcher, and nothing steers the terminal."""
    assert in_words(expected) == words


def test_every_matcher_has_words() -> None:
    """A matcher without words would be told as if it were a field of the answer."""
    for name in MATCHERS:
        wanted = {"key": 1} if name == "$column" else [1] if name == "$all" else 1
        assert "$" not in in_words({name: wanted})
