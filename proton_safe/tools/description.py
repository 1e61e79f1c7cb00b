"""The catalogue as data and as a table, for documentation and for checks from outside."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from proton_safe.refusals import MEANINGS, Code
from proton_safe.tools.definition import COMMON_REFUSALS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from proton_safe.tools.definition import ToolDefinition


def as_data(catalogue: Sequence[ToolDefinition[Any, Any]]) -> dict[str, object]:
    """Tools with the codes that each can answer with, and every code with its meaning."""
    return {
        "tools": [
            {
                "name": tool.name,
                "title": tool.title,
                "description": tool.description,
                "capability": tool.capability.value,
                "seconds": tool.seconds,
                "refusals": sorted(code.value for code in tool.refusals | COMMON_REFUSALS),
            }
            for tool in catalogue
        ],
        "refusals": [
            {
                "code": code.value,
                "class": MEANINGS[code].actor.value,
                "retryable": MEANINGS[code].retryable,
                "sentence": MEANINGS[code].sentence,
                "next_step": MEANINGS[code].next_step,
            }
            for code in Code
        ],
    }


def as_markdown(catalogue: Sequence[ToolDefinition[Any, Any]]) -> str:
    """The table of tools that the README shows."""
    rows = [f"| `{tool.name}` | {tool.title} | {_inputs(tool)} |" for tool in catalogue]
    return "\n".join(["| tool | what it does | inputs |", "|---|---|---|", *rows])


def refusals_as_markdown() -> str:
    """The table of refusal codes."""
    rows = [
        f"| `{code.value}` | {meaning.actor.value} | {'yes' if meaning.retryable else 'no'} | {meaning.sentence} | {meaning.next_step} |"
        for code, meaning in ((code, MEANINGS[code]) for code in Code)
    ]
    return "\n".join(["| code | who must act | same call again? | what happened | next step |", "|---|---|---|---|---|", *rows])


def _inputs(tool: ToolDefinition[Any, Any]) -> str:
    names = [f"`{name}`" if field.is_required() else f"`{name}`?" for name, field in tool.arguments.model_fields.items()]
    return ", ".join(names) or "none"
