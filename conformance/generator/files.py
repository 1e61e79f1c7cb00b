"""Where generated cases are written, and how: one file per tool and kind, ids sorted, one step a line where it fits."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from conformance.figures import figures
from conformance.generator.bounds import bound_cases
from conformance.generator.draft_case import Data
from conformance.generator.trouble import trouble_cases
from conformance.generator.types import type_cases
from conformance.library import FOLDER
from conformance.model import Json

WIDTH: Final = 160
_KINDS: Final = {
    "bounds": ("Each bound under, at and over.", bound_cases),
    "types": ("Unknown, missing, mistyped and malformed arguments.", type_cases),
    "trouble": ("A full queue, and a Bridge in trouble.", trouble_cases),
}


def generated() -> Iterator[tuple[Path, str]]:
    """Path and text of every generated file."""
    for name, tool in figures().tools.items():
        for kind, (about, cases_of) in _KINDS.items():
            cases = sorted(cases_of(name, tool), key=lambda case: str(case["id"]))
            if cases:
                yield FOLDER / name / f"{kind}.json", written({"about": f"{name}: {about}", "generated": True, "cases": cases})


def write() -> int:
    """Write all generated files; gives the number of cases."""
    count = 0
    for path, text in generated():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        count += len(json.loads(text)["cases"])
    return count


def stale() -> list[Path]:
    """The generated files that differ from what `write` would write, or are missing."""
    return [path for path, text in generated() if not path.exists() or path.read_text(encoding="utf-8") != text]


def written(document: Data) -> str:
    """A file of cases as text: canonical, so that two people write the same file."""
    return _text(document, 0) + "\n"


def _text(value: Json, depth: int) -> str:
    line = json.dumps(value, ensure_ascii=False)
    if len(line) + depth <= WIDTH or not isinstance(value, (dict, list)):
        return line
    pad = " " * (depth + 1)
    if isinstance(value, dict):
        rows = [f"{pad}{json.dumps(key, ensure_ascii=False)}: {_text(inner, depth + 1)}" for key, inner in value.items()]
        return "{\n" + ",\n".join(rows) + "\n" + " " * depth + "}"
    return "[\n" + ",\n".join(pad + _text(inner, depth + 1) for inner in value) + "\n" + " " * depth + "]"
