"""Every job of the Makefile says what it does, ends in the one way that all of them share, and is documented with how long it takes."""

from __future__ import annotations

import re
from typing import Final

from tests.lint import checkout

_TARGET: Final = re.compile(r"^([a-z-]+):(?: \S+)? ## .*\n((?:\t.*\n)*)", re.MULTILINE)
_MODULE: Final = re.compile(r"\$\(PY\) -m (tests\.[\w.]+)")
_TABLE_ROW: Final = re.compile(r"^\| (.+?) \| (.+?) \| (.+?) \|$", re.MULTILINE)
_TIME: Final = re.compile(r"\d|MINUTES")
EVERYDAY: Final = frozenset(
    {"help", "test", "conformance", "lint", "docs", "format", "front-door", "constraints", "clean", "demo", "bench-peers"}
)
"""Targets that take no more than a developer waits for, or that measure nothing."""


def _targets() -> dict[str, str]:
    return dict(_TARGET.findall(checkout.text("Makefile")))


def _heavier() -> set[str]:
    return set(_targets()) - EVERYDAY


def _rows() -> list[tuple[str, str, str]]:
    section = checkout.text("CONTRIBUTING.md").split("## Heavier checks", 1)[1].split("\n## ", 1)[0]
    return _TABLE_ROW.findall(section)[1:]


def test_every_heavier_job_is_documented_with_how_long_it_takes() -> None:
    """Nobody starts one without knowing whether it takes a minute or an hour."""
    rows = [row for row in _rows() if not row[0].startswith("---")]
    named = {target for commands, _, _ in rows for target in re.findall(r"`make ([a-z-]+)", commands)}
    assert named == _heavier()
    assert [row for row in rows if not _TIME.search(row[2])] == []


def test_every_job_of_the_tests_ends_in_the_shared_way() -> None:
    """A closing line, a status, nothing left after Ctrl-C: `tests/on_demand.py` sees to it, so no job goes around it."""
    modules = {module for target in _heavier() for module in _MODULE.findall(_targets()[target])}
    assert len(modules) > 8
    paths = [path if (path := f"{module.replace('.', '/')}.py") in checkout.files() else f"{path[:-3]}/__main__.py" for module in modules]
    assert sorted(path for path in paths if "on_demand.run(" not in checkout.text(path)) == []
