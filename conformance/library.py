"""The cases: read from `cases/<tool>/*.json`, checked against the model, in the order of their ids."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final

from conformance.model import Case, CaseFile

FOLDER: Final = Path(__file__).with_name("cases")


def case_paths() -> list[Path]:
    """The files of cases, sorted."""
    return sorted(FOLDER.glob("*/*.json"))


def read_file(path: Path) -> CaseFile:
    """One file of cases. Raises ValueError (pydantic's, with the path of the fault) when it breaks the schema."""
    return CaseFile.from_file(path)


@cache
def all_cases() -> tuple[Case, ...]:
    """Every case, sorted by id."""
    return tuple(sorted((case for path in case_paths() for case in read_file(path).cases), key=lambda case: case.id))


def case_named(case_id: str) -> Case:
    """The case of this id. Raises KeyError."""
    return {case.id: case for case in all_cases()}[case_id]


def cases_named(name: str) -> list[Case]:
    """The case of this id, or all whose ids begin with these parts: `header`, `header:nul`. A `*` at the end stands for anything."""
    begins = name[:-1] if name.endswith("*") else f"{name}:"
    return [case for case in all_cases() if case.id == name or case.id.startswith(begins)]


def situation(case: Case) -> str:
    """World and environment as one text: cases with the same situation can share a server process."""
    return json.dumps([case.world, case.environment], sort_keys=True)


def by_situation(cases: Iterable[Case]) -> list[tuple[Case, ...]]:
    """The cases in groups that share a server process; within a group those that begin afresh stand last."""
    groups: dict[str, list[Case]] = {}
    for case in cases:
        groups.setdefault(situation(case), []).append(case)
    return [tuple(sorted(group, key=lambda case: (case.fresh, case.id))) for _, group in sorted(groups.items())]
