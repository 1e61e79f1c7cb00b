"""Every fault that fakebridge can play is played against the server in a case, and every rule in a case is one that fakebridge takes."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.library import all_cases
from conformance.model import BurstStep, CallStep, Case, ControlStep, HoldStep, Json
from conformance.values import captured_names, expand
from fakebridge.faults.kinds import FaultKind
from fakebridge.faults.rule import FaultRule, rules_from_json


def _rules(case: Case) -> Iterator[FaultRule]:
    for step in case.script:
        if isinstance(step, ControlStep) and step.control.get("do") == "faults":
            rules: Json = step.control["rules"]
            assert not captured_names(rules), case.id
            yield from rules_from_json(expand(rules, {}))


def test_every_kind_of_fault_has_a_case() -> None:
    """What the server makes of a fault that nobody has played is not known."""
    played = {rule.do for case in all_cases() for rule in _rules(case)}
    assert sorted(kind.value for kind in FaultKind if kind not in played) == []


def test_behind_every_fault_a_call_is_judged() -> None:
    """A fault that no call meets shows nothing."""
    for case in all_cases():
        planted = [
            number for number, step in enumerate(case.script) if isinstance(step, ControlStep) and step.control.get("do") == "faults"
        ]
        if planted:
            assert any(isinstance(step, CallStep | BurstStep | HoldStep) for step in case.script[planted[-1] :]), case.id
