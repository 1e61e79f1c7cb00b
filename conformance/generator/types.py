"""Cases for arguments that are unknown, missing, of another type, or of the right type and malformed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from conformance.figures import Argument, Tool
from conformance.generator.draft_case import Data, Terms, case, refused
from conformance.generator.staging_script import around
from conformance.model import Json

_COERCED: Final = Terms(
    "A server that coerces lets a client confirm one thing and do another.", "product: inputs, no coercion", allowed="none"
)
_UNKNOWN: Final = "An argument that is ignored lets a client believe in an effect that never happens."
_MISSING: Final = "A default nobody wrote down would stand for a decision nobody made."
_MALFORMED: Final = "What passes here reaches a header, a file name or an IMAP command."


def type_cases(name: str, tool: Tool) -> Iterator[Data]:
    """One case per tool for an unknown argument, one per required argument left out, one per wrong type, one per malformed value."""
    unknown = Terms(_UNKNOWN, "product: inputs, unknown arguments refused", allowed="none")
    yield _refusal(name, tool, "arguments:unknown", {"colour": "red"}, unknown)
    for label, argument in tool.arguments.items():
        malformed = Terms(_MALFORMED, f"{tool.source}, {label}", allowed="none")
        if argument.required:
            yield _missing(name, tool, label)
        for variant, value in _wrong_types(argument, tool.base.get(label)):
            flags = ("digits-as-text",) if variant == "text-for-integer" else ()
            yield _refusal(name, tool, f"{label}:{variant}", {label: value}, replace(_COERCED, flags=flags))
        for variant, value in _wrong_items(argument):
            yield _refusal(name, tool, f"{label}:{variant}", {label: value}, _COERCED)
        for variant, value in argument.refused.items():
            yield _refusal(name, tool, f"{label}:{variant}", {label: value}, malformed)
        for variant, value in (argument.item.refused if argument.item else {}).items():
            yield _refusal(name, tool, f"{label}-item:{variant}", {label: [value]}, malformed)


def _refusal(name: str, tool: Tool, rest: str, changed: dict[str, Json], terms: Terms) -> Data:
    ((label, value),) = changed.items()
    blamed = f"{label}.0" if isinstance(value, list) and label in tool.arguments and tool.arguments[label].kind == "texts" else label
    beside = tool.arguments[label].beside if label in tool.arguments else {}
    script = around(name, tool, {**tool.base, **beside, **changed}, refused("arguments-invalid", blamed))
    return case(f"{name}:{rest}", tool, script, terms)


def _missing(name: str, tool: Tool, label: str) -> Data:
    arguments = {key: value for key, value in tool.base.items() if key != label}
    terms = Terms(_MISSING, f"{tool.source}, {label} is required", allowed="none")
    return case(f"{name}:{label}:left-out", tool, around(name, tool, arguments, refused("arguments-invalid", label)), terms)


def _wrong_types(argument: Argument, usual: Json) -> Iterator[tuple[str, Json]]:
    match argument.kind:
        case "text":
            yield from (("integer-for-text", 5), ("truth-for-text", True), ("list-for-text", ["a"]), ("object-for-text", {"a": "b"}))
        case "integer":
            number = usual if isinstance(usual, int) else max(argument.lowest or 0, 5)
            yield from (
                ("text-for-integer", str(number)),
                ("truth-for-integer", True),
                ("fraction-for-integer", float(number)),
                ("list-for-integer", [number]),
            )
        case "flag":
            yield from (("one-for-flag", 1), ("zero-for-flag", 0), ("text-for-flag", "true"), ("list-for-flag", [True]))
        case "true":
            yield from (("false-for-true", False), ("one-for-true", 1), ("text-for-true", "true"), ("list-for-true", [True]))
        case "texts":
            yield from (("text-for-list", "ben@okafor.example"), ("object-for-list", {"0": "ben@okafor.example"}), ("truth-for-list", True))
    if not argument.nullable:
        yield "null", None


def _wrong_items(argument: Argument) -> Iterator[tuple[str, Json]]:
    if argument.kind == "texts":
        yield from (("integer-inside", [5]), ("null-inside", [None]), ("list-inside", [["ben@okafor.example"]]))
