"""Whether the cases are fit to judge anybody: closed schema, unique sorted ids, known names, fresh figures, full coverage."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from conformance import origins
from conformance.coverage import ends
from conformance.evidence import allowed_sets
from conformance.figures import figures
from conformance.generator.files import generated, written
from conformance.library import FOLDER, case_paths, read_file
from conformance.model import (
    BurstStep,
    CallStep,
    Case,
    CaseFile,
    Closed,
    ControlStep,
    HoldStep,
    JournalStep,
    ListenStep,
    Step,
    UnvisitedStep,
)
from conformance.peer_faults import peer_faults
from conformance.refusal_table import refusal_table
from conformance.values import captured_names
from conformance.worlds_at_hand import is_known

SERVER: Final = "server"
"""Stands for the tool in cases about the server as a whole."""
_FLAGS: Final = Path(__file__).with_name("flags.json")


class _Flags(Closed):
    about: str
    flags: dict[str, str]


def flag_notes() -> dict[str, str]:
    """What each flag means."""
    return _Flags.from_file(_FLAGS).flags


def findings() -> Iterator[str]:
    """Each fault of the cases themselves, as a sentence."""
    expected = dict(generated())
    ids: Counter[str] = Counter()
    for path in case_paths():
        where = path.relative_to(FOLDER)
        try:
            file = read_file(path)
        except ValidationError as error:
            yield from (
                f"{where}: {'.'.join(map(str, row['loc']))}: {row['msg']}" for row in error.errors(include_url=False, include_input=False)
            )
            continue
        ids.update(case.id for case in file.cases)
        yield from (f"{where}: {finding}" for finding in _file(path, file, expected.get(path)))
        for case in file.cases:
            yield from (f"{where}: {case.id}: {finding}" for finding in _case(case, path.parent.name))
    yield from (f"the id {case_id} stands {count} times" for case_id, count in ids.items() if count > 1)
    yield from (f"{path.relative_to(FOLDER)} is missing: python -m conformance generate" for path in expected if not path.exists())


def _file(path: Path, file: CaseFile, expected: str | None) -> Iterator[str]:
    ids = [case.id for case in file.cases]
    if ids != sorted(ids):
        yield "ids are not sorted"
    text = path.read_text(encoding="utf-8")
    if file.generated != (expected is not None):
        yield "is marked as generated and is not, or the other way round"
    elif expected is not None and text != expected:
        yield "is stale: python -m conformance generate"
    elif expected is None and text != written(json.loads(text)):
        yield "is not in canonical form: python -m conformance format"


def _case(case: Case, folder: str) -> Iterator[str]:
    if case.tool not in {*figures().tools, SERVER}:
        yield f"there is no tool {case.tool}"
    yield from _place(case, folder)
    if not is_known(case.world):
        yield f"there is no world {case.world}"
    if case.allowed not in allowed_sets():
        yield f"there is no set of commands {case.allowed}"
    yield from (f"the flag {flag} has no note" for flag in case.flags if flag not in flag_notes())
    yield from origins.findings(case.source)
    if case.flags != sorted(set(case.flags)):
        yield "flags are not sorted"
    for called, expect in ends(case):
        if called not in figures().tools and expect.protocol_error is None:
            yield f"there is no tool {called}"
        if expect.refused is not None and expect.refused not in refusal_table():
            yield f"{called}: there is no code {expect.refused}"
    if ("no-flag-change" in case.flags) != reads_a_message(case):
        yield "the flag no-flag-change stands on exactly the cases in which read_message gives a result"
    yield from _names(case)


def _place(case: Case, folder: str) -> Iterator[str]:
    """Cases lie with their tool, forms of an attack with its family."""
    if case.attack is not None:
        family, _, name = case.attack.partition("/")
        if not case.id.startswith(f"{family}:{name}:") or folder != family:
            yield "id, attack and folder name different rows"
    elif not case.id.startswith(f"{case.tool}:") or folder != case.tool:
        yield "id, tool and folder name different tools"
    if case.next_call == "none" and case.attack is None:
        yield "next_call belongs to the forms of an attack"
    yield from (f"the peer fault {fault} has no note" for fault in case.peer_faults if fault not in peer_faults())


def reads_a_message(case: Case) -> bool:
    """Whether `read_message` gives a result somewhere in the case."""
    return any(called == "read_message" and expect.ok is not None for called, expect in ends(case))


def _names(case: Case) -> Iterator[str]:
    known: set[str] = set()
    for number, step in enumerate(case.script, start=1):
        yield from (f"step {number} uses ${name}, which no step before it captures" for name in sorted(_used(step) - known))
        if isinstance(step, (CallStep, ControlStep)):
            known |= step.capture.keys()
        if isinstance(step, ListenStep):
            known.add(step.listen)


def _used(step: Step) -> set[str]:
    match step:
        case CallStep():
            return captured_names([step.arguments, step.expect.ok, step.expect.never])
        case BurstStep():
            return captured_names([[one.arguments, one.expect.ok] for one in step.burst])
        case HoldStep():
            return captured_names(step.hold.arguments)
        case ControlStep():
            return captured_names([step.control, step.reply])
        case JournalStep():
            return captured_names([step.journal, step.count])
        case UnvisitedStep():
            return {step.unvisited}
        case _:
            return set()
