"""Lint finds each fault that a case can have."""

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from conformance import coverage, lint, published
from conformance.generator import files
from conformance.generator.files import written
from conformance.library import all_cases
from conformance.model import Case, CaseFile, Json

_CASE: dict[str, Any] = {
    "id": "mailbox_status:area:variant",
    "tool": "mailbox_status",
    "world": "small",
    "script": [{"call": "mailbox_status", "with": {}, "expect": {"ok": {"connected": True}}}],
    "allowed": "read-only",
    "reason": "A reason of some length.",
    "source": "seed: mailbox_status",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A library of its own, with nothing generated."""
    monkeypatch.setattr(lint, "FOLDER", tmp_path)
    monkeypatch.setattr(lint, "case_paths", lambda: sorted(tmp_path.glob("*/*.json")))
    monkeypatch.setattr(lint, "generated", lambda: iter(()))
    (tmp_path / "mailbox_status").mkdir()
    return tmp_path


def _findings(folder: Path, *cases: dict[str, Any], **more: Json) -> list[str]:
    document = {"about": "Tried.", **more, "cases": list(cases)}
    (folder / "mailbox_status" / "tried.json").write_text(written(document), encoding="utf-8")
    return list(lint.findings())


def test_a_sound_case_has_no_finding(folder: Path) -> None:
    """House rule: lint is quiet when all is well."""
    assert _findings(folder, _CASE) == []


@pytest.mark.parametrize(
    "changed, finding",
    [
        ({"surprise": 1}, "Extra inputs are not permitted"),
        ({"id": "no id"}, "String should match pattern"),
        ({"reason": ""}, "at least 10 characters"),
        ({"tool": "list_folders"}, "name different tools"),
        ({"attack": "header/nul"}, "id, attack and folder name different rows"),
        ({"attack": "no attack"}, "String should match pattern"),
        ({"next_call": "none"}, "next_call belongs to the forms of an attack"),
        ({"peer_faults": ["Z9"]}, "the peer fault Z9 has no note"),
        ({"world": "nowhere"}, "there is no world nowhere"),
        ({"allowed": "everything"}, "there is no set of commands everything"),
        ({"flags": ["unheard-of"]}, "the flag unheard-of has no note"),
        ({"flags": ["slow", "digits-as-text"]}, "flags are not sorted"),
        ({"flags": ["no-flag-change"]}, "exactly the cases in which read_message gives a result"),
        ({"script": []}, "at least 1 item"),
        ({"script": [{"nothing": 1}]}, "a step needs one of"),
        ({"script": [{"call": "mailbox_status", "expect": {}}]}, "exactly one of"),
        ({"script": [{"call": "mailbox_status", "expect": {"ok": {}, "refused": "busy"}}]}, "exactly one of"),
        ({"script": [{"call": "mailbox_status", "expect": {"ok": {}, "field": "x"}}]}, "field belongs to refused"),
        ({"script": [{"call": "mailbox_status", "expect": {"refused": "no-such-code"}}]}, "there is no code no-such-code"),
        ({"script": [{"call": "no_such_tool", "expect": {"ok": {}}}]}, "there is no tool no_such_tool"),
        ({"script": [{"call": "mailbox_status", "with": {"uid": "$uid"}, "expect": {"ok": {}}}]}, "uses $uid, which no step before it"),
        ({"script": [{"call": "read_message", "with": {"uid": "1"}, "expect": {"ok": {}}}]}, "exactly the cases in which read_message"),
    ],
)
def test_each_fault_of_a_case_is_found(folder: Path, changed: dict[str, Any], finding: str) -> None:
    """House rule: closed schema, known names, reasons and sources."""
    assert any(finding in one for one in _findings(folder, {**_CASE, **changed}))


def test_ids_are_unique_and_sorted(folder: Path) -> None:
    """House rule: ids are names, never reused."""
    later = {**_CASE, "id": "mailbox_status:area:a-variant"}
    assert any("ids are not sorted" in one for one in _findings(folder, _CASE, later))
    assert any("stands 2 times" in one for one in _findings(folder, _CASE, _CASE))


def test_a_file_that_only_claims_to_be_generated_is_found(folder: Path) -> None:
    """A generated file that nothing generates would never be checked again."""
    assert any("marked as generated" in one for one in _findings(folder, _CASE, generated=True))


def test_a_file_in_another_layout_is_found(folder: Path) -> None:
    """Two people write the same file."""
    (folder / "mailbox_status" / "tried.json").write_text(json.dumps({"about": "Tried.", "cases": [_CASE]}), encoding="utf-8")
    assert any("canonical form" in one for one in lint.findings())


def test_a_stale_or_missing_generated_file_is_found(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures and cases can't drift apart."""
    text = written({"about": "Tried.", "generated": True, "cases": [_CASE]})
    tried, missing = folder / "mailbox_status" / "tried.json", folder / "mailbox_status" / "missing.json"
    tried.write_text(text + "\n", encoding="utf-8")
    monkeypatch.setattr(lint, "generated", lambda: iter([(tried, text), (missing, text)]))
    assert sorted(lint.findings()) == [
        "mailbox_status/missing.json is missing: python -m conformance generate",
        "mailbox_status/tried.json: is stale: python -m conformance generate",
    ]


def test_the_library_holds_what_the_generator_writes() -> None:
    """The generator's own check, which the command uses after a change of figures."""
    assert files.stale() == []


def test_a_tool_that_nobody_founded_and_one_that_is_gone_are_found() -> None:
    """Absence is a promise too: 13 tools, no other."""
    facts = published.Published(
        [{"name": "send_message", "inputSchema": {"type": "object"}}],
        {"refusals": [{"code": "busy", "class": "policy", "retryable": True}]},
    )
    found = list(published.differences(facts))
    assert "the server has no tool read_message" in found
    assert "the server has a tool send_message that nobody founded" in found
    assert "busy is policy, retryable True, and the suite says caller, True" in found


def test_each_difference_of_a_schema_is_found() -> None:
    """Names, types, bounds, defaults, descriptions and hints are compared one by one."""
    schema = {"type": "object", "properties": {"attachment_token": {"type": "integer", "maximum": 5, "default": 3}, "more": {}}}
    facts = published.Published([{"name": "discard_attachment", "inputSchema": schema}], {"refusals": []})
    found = [one.removeprefix("discard_attachment") for one in published.differences(facts) if one.startswith("discard_attachment")]
    assert found == [
        " has no title or no description",
        " has the annotations (None, None, None, None) instead of (False, True, False, False)",
        " does not publish that it refuses unknown arguments",
        " publishes no object as its result",
        " has the arguments ['attachment_token', 'more'] instead of ['attachment_token']",
        " requires [] instead of ['attachment_token']",
        ", attachment_token: is not described",
        ", attachment_token: is of type integer instead of string",
        ", attachment_token: has the bounds {'highest': 5} instead of {'shortest': 1, 'longest': 200}",
    ]


def test_what_no_case_covers_is_found() -> None:
    """A new bound, argument or code without a case is named."""
    tool = {
        "name": "read_message",
        "inputSchema": {
            "type": "object",
            "properties": {"uid": {"type": "string", "maxLength": 10}, "depth": {"type": "integer", "minimum": 1}},
            "required": ["uid", "depth"],
        },
    }
    described = {
        "tools": [{"name": "read_message", "refusals": ["bridge-unreachable", "chunk-order"]}],
        "refusals": [{"code": "busy"}, {"code": "too-deep"}],
    }
    found = set(coverage.uncovered(all_cases(), [tool], described))
    assert {f"no case read_message:depth-lowest:{side}" for side in ("under", "at", "over")} <= found
    assert {
        "no case read_message:depth:left-out",
        "no case read_message:depth:text-for-integer",
        "no case read_message:depth:null",
    } <= found
    assert "no case shows read_message refuse with chunk-order" in found
    assert "no case shows read_message refuse with bridge-unreachable" not in found
    assert "no case shows the code too-deep" in found
    assert "the server has the code too-deep, the suite's table has not" in found
    assert "the suite's table has the code chunk-order, the server has not" in found
    assert not any("uid" in one for one in found)


def test_a_tool_without_a_result_case_is_found() -> None:
    """A tool that is only ever refused proves nothing."""
    tool = {"name": "mailbox_status", "inputSchema": {"type": "object"}}
    refusals_only = [case for case in all_cases() if not any(expect.ok for _, expect in coverage.ends(case))]
    found = list(coverage.uncovered(refusals_only, [tool], {"tools": [], "refusals": []}))
    assert "no case looks at a result of mailbox_status" in found


def test_a_case_is_frozen() -> None:
    """House rule: values are frozen."""
    case = Case.model_validate(_CASE)
    with pytest.raises(ValidationError, match="frozen"):
        case.world = "empty"  # type: ignore[misc]  # the point of the test


def test_a_file_without_cases_is_refused() -> None:
    """An empty file would look like coverage."""
    with pytest.raises(ValidationError, match="at least 1 item"):
        CaseFile.model_validate({"about": "Nothing.", "cases": []})
