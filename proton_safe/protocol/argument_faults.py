"""Turns what is wrong with a call's arguments into a refusal that names field and rule, never a value."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from proton_safe.protocol.arguments import Fault
from proton_safe.refusals import Code, Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic import ValidationError

_READABLE_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}\Z")

# pydantic's error types → our words; {…} are figures of our own schema.
_RULES: Final = {
    "bool_type": "must be true or false",
    "dict_type": "must be an object",
    "extra_forbidden": "is not an argument of this tool",
    "greater_than_equal": "must be at least {ge}",
    "int_type": "must be an integer",
    "less_than_equal": "must be at most {le}",
    "list_type": "must be a list",
    "literal_true": "must be true",
    "literal_error": "must be {expected}",
    "missing": "is required",
    "string_pattern_mismatch": "must fit the pattern in the schema",
    "string_too_long": "must hold at most {max_length} characters",
    "string_too_short": "must hold at least {min_length} characters",
    "string_type": "must be a string",
    "string_unicode": "must be valid Unicode",
    "too_long": "must hold at most {max_length} items",
    "too_short": "must hold at least {min_length} items",
    "uid_range": "must be at most 4294967295",
}
_ANY_OTHER_RULE: Final = "must fit the schema"
_UNREADABLE_NAME: Final = "(unreadable name)"


def refuse_unreadable(arguments: Mapping[str, object]) -> None:
    """Refuse what no schema should have to judge: the wire has put a fault in its place."""
    for value in arguments.values():
        if isinstance(value, Fault):
            raise Refusal(Code.ARGUMENTS_INVALID, field="arguments", rule=value.rule)


def refusal_of(error: ValidationError) -> Refusal:
    """The refusal for a failed validation: the first fault, its field path and our words for the rule."""
    first = error.errors(include_url=False, include_input=False)[0]
    figures = {name: value for name, value in first.get("ctx", {}).items() if isinstance(value, int | str)}
    if figures.get("expected") in {"True", "False"}:
        figures["expected"] = str(figures["expected"]).lower()
    template = _RULES.get(first["type"], _ANY_OTHER_RULE)
    rule = (
        template.format_map(figures)
        if all(f"{{{name}}}" not in template or name in figures for name in ("ge", "le", "expected", "max_length", "min_length"))
        else _ANY_OTHER_RULE
    )
    return Refusal(Code.ARGUMENTS_INVALID, field=_path(first["loc"]), rule=rule)


def _path(location: tuple[int | str, ...]) -> str:
    """`to.1` and the like. An unknown argument's name is the caller's text: shown only if it looks like a name."""
    steps = [str(step) if isinstance(step, int) or _READABLE_NAME.match(step) else _UNREADABLE_NAME for step in location]
    return ".".join(steps) or "arguments"
