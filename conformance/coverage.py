"""What the cases as a whole must cover: each tool's result, bounds, wrong types and refusals, as the server publishes them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from conformance.figures import SIDES
from conformance.model import BurstStep, CallStep, Case, Expectation, Json
from conformance.refusal_table import codes_beyond_cases, codes_of_waiting_tools, refusal_table

BOUND_NAMES: Final = {
    "minimum": "lowest",
    "maximum": "highest",
    "minLength": "shortest",
    "maxLength": "longest",
    "minItems": "fewest",
    "maxItems": "most",
}
_WRONG_TYPES: Final = {
    "string": ("integer-for-text", "truth-for-text", "list-for-text", "object-for-text"),
    "integer": ("text-for-integer", "truth-for-integer", "fraction-for-integer", "list-for-integer"),
    "boolean": ("one-for-flag", "zero-for-flag", "text-for-flag", "list-for-flag"),
    "array": ("text-for-list", "object-for-list", "truth-for-list", "integer-inside"),
    "const": ("false-for-true", "one-for-true", "text-for-true", "list-for-true"),
}


def ends(case: Case) -> Iterator[tuple[str, Expectation]]:
    """Each call of a case with how it must end."""
    for step in case.script:
        match step:
            case CallStep():
                yield step.call, step.expect
            case BurstStep():
                yield from ((one.call, one.expect) for one in step.burst)
            case _:
                pass


def without_null(schema: Json) -> tuple[Json, bool]:
    """The schema of an argument without its null, and whether null was allowed."""
    choices = schema.get("anyOf")
    if choices is None:
        return schema, False
    kept = [one for one in choices if one.get("type") != "null"]
    return {**kept[0], **{key: value for key, value in schema.items() if key != "anyOf"}}, len(kept) < len(choices)


def published_bounds(schema: Json) -> dict[str, int]:
    """The bounds of one argument's schema in the suite's words, those of a list's items as `item-…`."""
    schema, _ = without_null(schema)
    found = {BOUND_NAMES[key]: value for key, value in schema.items() if key in BOUND_NAMES}
    if "items" in schema:
        found |= {f"item-{name}": value for name, value in published_bounds(schema["items"]).items()}
    return found


def uncovered(cases: Sequence[Case], tools: Sequence[Json], described: Json) -> Iterator[str]:
    """Each duty without a case, as a sentence. `tools` as published, `described` as the server's command prints it."""
    ids = {case.id for case in cases}
    for tool in tools:
        yield from _without_bound_case(tool, ids)
        yield from _without_type_case(tool, ids)
        yield from _without_result(tool["name"], cases)
    yield from _without_refusal(cases, described)


def _without_bound_case(tool: Json, ids: set[str]) -> Iterator[str]:
    for label, schema in tool["inputSchema"].get("properties", {}).items():
        for bound, figure in published_bounds(schema).items():
            sides = [side for side in SIDES if not (side == "under" and figure == 0 and bound.endswith(("shortest", "fewest")))]
            yield from (f"no case {name}" for side in sides if (name := f"{tool['name']}:{label}-{bound}:{side}") not in ids)


def _without_type_case(tool: Json, ids: set[str]) -> Iterator[str]:
    wanted = [f"{tool['name']}:arguments:unknown"]
    required = tool["inputSchema"].get("required", [])
    for label, schema in tool["inputSchema"].get("properties", {}).items():
        inner, nullable = without_null(schema)
        kind = "const" if "const" in inner or "enum" in inner else inner["type"]
        wanted += [f"{tool['name']}:{label}:{variant}" for variant in (*_WRONG_TYPES[kind], *(() if nullable else ("null",)))]
        wanted += [f"{tool['name']}:{label}:left-out"] if label in required else []
    yield from (f"no case {name}" for name in wanted if name not in ids)


def _without_result(tool: str, cases: Sequence[Case]) -> Iterator[str]:
    if not any(case.tool == tool and called == tool and expect.ok for case in cases for called, expect in ends(case)):
        yield f"no case looks at a result of {tool}"


def _without_refusal(cases: Sequence[Case], described: Json) -> Iterator[str]:
    shown = {(called, expect.refused) for case in cases for called, expect in ends(case) if expect.refused is not None}
    waiting = codes_of_waiting_tools()
    for tool in described["tools"]:
        connects = "bridge-unreachable" in tool["refusals"]
        for code in tool["refusals"]:
            if (
                {code, f"{tool['name']} {code}"} & codes_beyond_cases().keys()
                or (code in waiting and not connects)
                or (tool["name"], code) in shown
            ):
                continue
            yield f"no case shows {tool['name']} refuse with {code}"
    known = {row["code"] for row in described["refusals"]}
    yield from (f"no case shows the code {code}" for code in sorted(known - codes_beyond_cases().keys() - {code for _, code in shown}))
    yield from (f"the server has the code {code}, the suite's table has not" for code in sorted(known - refusal_table().keys()))
    yield from (f"the suite's table has the code {code}, the server has not" for code in sorted(refusal_table().keys() - known))
