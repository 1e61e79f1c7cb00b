"""Size and naming of source files, and what must not stand in a file that ships."""

import ast
import re
from pathlib import Path

import pytest

from tests.lint import checkout

_MAX_LINES = 350
_EMPTY_NAMES = {"utils", "util", "helpers", "helper", "common", "misc", "manager", "process"}

_NOWHERE = {
    "a folder of one machine": r"(?<![\w.])/(?:work|farm|root|tmp/scratch\S*|opt/wheels)/",
    "a folder beside the checkout": r"\.\./shared\b",
    "the host of a package registry": r"\b(?:pypi|pythonhosted|registry\.npmjs|crates|proxy\.golang|deb\.debian)\.(?:org|io)\b",
    "the number of an issue": r"(?i)\bissues?\s+#?\d+|(?:^|\s)#\d+\b",
}
_NOT_IN_COMMENTS = {
    "work left over": r"\b(?:TODO|FIXME|XXX|HACK)\b",
    "a line hidden from coverage": r"pragma:\s*no\s*cover",
}


def _found(pattern: str, paths: tuple[str, ...]) -> list[str]:
    rule = re.compile(pattern)
    return [
        f"{path}:{number}: {line.strip()[:120]}"
        for path in paths
        for number, line in enumerate(checkout.text(path).splitlines(), start=1)
        if rule.search(line)
    ]


def test_no_source_file_is_longer_than_350_lines() -> None:
    """House rule: a longer file is two things of the domain."""
    long = {path: lines for path in checkout.sources() if (lines := len(checkout.text(path).splitlines())) > _MAX_LINES}
    assert long == {}


def test_no_file_has_a_name_that_says_nothing() -> None:
    """House rule: files are named after things of the domain."""
    assert [path for path in checkout.sources() if _EMPTY_NAMES & {part.removesuffix(".py") for part in Path(path).parts}] == []


@pytest.mark.parametrize("what", _NOWHERE)
def test_nothing_that_only_one_machine_knows_is_written_down(what: str) -> None:
    """A checkout works and reads the same everywhere."""
    assert _found(_NOWHERE[what], checkout.written()) == []


@pytest.mark.parametrize("what", _NOT_IN_COMMENTS)
def test_no_comment_leaves_work_over_or_hides_a_line(what: str) -> None:
    """House rule: what ships is finished, and coverage counts all of it. In a string such a word may be a fact of the wire."""
    rule = re.compile(_NOT_IN_COMMENTS[what])
    found = [
        f"{path}:{line}: {comment}"
        for path in checkout.sources()
        if not path.startswith("tests/lint/")
        for line, comment in checkout.comments(path)
        if rule.search(comment)
    ]
    assert found == []


def test_nothing_is_left_to_be_implemented() -> None:
    """House rule: no stubs."""
    assert _found(r"\braise NotImplementedError\b", checkout.sources()) == []


def _sleeps(path: str) -> list[str]:
    """The calls of a sleep that lets time pass. `sleep(0)` gives way and is none; a child's script is a string and is none."""
    return [
        f"{path}:{node.lineno}"
        for node in ast.walk(ast.parse(checkout.text(path)))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "sleep"
        and [ast.unparse(value) for value in node.args] != ["0"]
    ]


def test_no_test_sleeps() -> None:
    """House rule: tests wait for events within a bound, never for time to pass."""
    assert [found for path in checkout.sources("tests", "conformance") for found in _sleeps(path)] == []
