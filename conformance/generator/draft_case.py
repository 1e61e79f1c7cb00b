"""A generated case while it is being put together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from conformance.figures import Tool
from conformance.model import Expectation, Json, Step

Data = dict[str, Any]

OK: Data = {"ok": {}}


def plain(model: Expectation | Step) -> Data:
    """A model as the JSON it was read from."""
    return model.model_dump(by_alias=True, exclude_unset=True)


def refused(code: str, blamed: str | None = None) -> Data:
    """The expectation of a refusal."""
    return {"refused": code} if blamed is None else {"refused": code, "field": blamed}


def call(name: str, arguments: dict[str, Json], expect: Data, *, capture: dict[str, str] | None = None) -> Data:
    """A step that calls a tool."""
    step: Data = {"call": name, "with": arguments, "expect": expect}
    return step if capture is None else {**step, "capture": capture}


@dataclass(frozen=True, slots=True)
class Terms:
    """Under which conditions a case is played, why, and where the duty comes from."""

    reason: str
    source: str
    environment: dict[str, Json] = field(default_factory=dict)
    allowed: str = ""
    fresh: bool = False
    flags: tuple[str, ...] = ()


def case(case_id: str, tool: Tool, script: Iterable[Data], terms: Terms) -> Data:
    """A whole case in the order of keys that the files have."""
    made: Data = {"id": case_id, "tool": case_id.partition(":")[0], "world": tool.world}
    if terms.environment:
        made["environment"] = terms.environment
    if terms.fresh:
        made["fresh"] = True
    made |= {"script": list(script), "allowed": terms.allowed or tool.allowed}
    if terms.flags:
        made["flags"] = sorted(terms.flags)
    return {**made, "reason": terms.reason, "source": terms.source}
