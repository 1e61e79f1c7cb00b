"""Cases under, at and over each bound."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from conformance.figures import SIDES, Argument, Probe, Tool, bounds_of
from conformance.generator.draft_case import OK, Data, Terms, case, plain, refused
from conformance.generator.staging_script import around
from conformance.model import Json

_LOWER: Final = frozenset({"lowest", "shortest", "fewest"})
_STEPS: Final = {"under": -1, "at": 0, "over": 1}
REASON: Final = "A bound that is off by one is the usual way a bound fails."


def bound_cases(name: str, tool: Tool) -> Iterator[Data]:
    """Three cases for each bound of the tool's arguments; a length of -1 does not exist."""
    for label, argument in tool.arguments.items():
        for bound in bounds_of(argument):
            inner = bound.removeprefix("item-")
            subject = argument if inner == bound else argument.item
            if subject is not None:
                yield from _sides(name, tool, label, argument, bound, subject, inner)


def _sides(name: str, tool: Tool, label: str, argument: Argument, bound: str, subject: Argument, inner: str) -> Iterator[Data]:
    figure: int = getattr(subject, inner)
    for side in SIDES:
        size = figure + _STEPS[side]
        inside = side != "under" if inner in _LOWER else side != "over"
        if not inside and size < 0 and inner in {"shortest", "fewest"}:
            continue
        if not _fits(subject, inner, size) and inside:
            inside = False
        probe = subject.probes.get(f"{inner}:{side}", Probe())
        value = probe.value if "value" in probe.model_fields_set else _value(subject, size)
        expect = _expectation(label, subject, probe, inside=inside, item=subject is not argument)
        arguments = {**tool.base, **argument.beside, **probe.arguments, label: [value] if subject is not argument else value}
        terms = Terms(
            reason=f"{REASON} {subject.told_apart}".strip(),
            source=f"{tool.source}, {label}",
            environment=probe.environment,
            allowed="none" if expect.get("refused") == "arguments-invalid" and (probe.expect is not None or not inside) else "",
            flags=_flags(name, expect),
        )
        yield case(f"{name}:{label}-{bound}:{side}", tool, around(name, tool, arguments, expect), terms)


def _fits(subject: Argument, inner: str, size: int) -> bool:
    """Whether the other bound of the same kind allows this size too (a text of exactly 64 characters has both bounds at 64)."""
    other = {"shortest": subject.longest, "longest": subject.shortest, "lowest": subject.highest, "highest": subject.lowest}.get(inner)
    if other is None:
        return True
    return size <= other if inner in _LOWER else size >= other


def _expectation(label: str, subject: Argument, probe: Probe, *, inside: bool, item: bool) -> Data:
    if probe.expect is not None:
        return plain(probe.expect)
    if not inside:
        return refused("arguments-invalid", f"{label}.0" if item else label)
    return OK if subject.accepted is None else plain(subject.accepted)


def _flags(name: str, expect: Data) -> tuple[str, ...]:
    return ("no-flag-change",) if name == "read_message" and "ok" in expect else ()


def _value(subject: Argument, size: int) -> Json:
    """A value of that size. Texts of up to 40 characters are written out."""
    if subject.kind == "integer":
        return size
    if subject.kind == "texts":
        each = "r#@okafor.example" if subject.item is not None and isinstance(subject.item.fill, dict) else "token#"
        return [] if size == 0 else {"$list": {"each": each, "times": size}}
    if isinstance(subject.fill, dict):
        return {"$address": size}
    text, length = str(subject.fill), size - len(subject.end)
    if length < 0:
        return text * size
    if size <= 40:
        return text * length + subject.end
    return {"$join": [{"$repeat": [text, length]}, subject.end]} if subject.end else {"$repeat": [text, length]}
