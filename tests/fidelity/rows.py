"""The rows of fakebridge/behaviours.json."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent.parent
TABLE: Final = ROOT / "fakebridge" / "behaviours.json"


@dataclass(frozen=True)
class Row:
    """One behaviour: what it is, what it covers, how it is taken away, and the test that notices."""

    id: str
    statement: str
    basis: str
    covers: tuple[str, ...]
    switch: str
    test: str


def rows() -> list[Row]:
    """All, in the order of the file."""
    return [
        Row(row["id"], row["statement"], row["evidence"]["basis"], tuple(row["covers"]), row["switch"], row["test"])
        for row in json.loads(TABLE.read_text("utf-8"))["behaviours"]
    ]


def not_imitated() -> set[str]:
    """The described rows that are left out with a reason."""
    return {entry["row"] for entry in json.loads(TABLE.read_text("utf-8"))["not_imitated"]}
