"""A result type's published schema as a plan: which strings are untrusted, how long they may be, which become blocks.

The plan is read from the very schema that clients see, so that a mark can't be published and not acted upon.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pydantic import BaseModel

Schema = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Plan:
    """What to do with a value: clean a string, go on into members or items. `has_blocks`: it, or something below it, is a block."""

    untrusted: bool = False
    max_chars: int | None = None
    block: bool = False
    members: dict[str, Plan] = field(default_factory=dict)
    items: Plan | None = None
    has_blocks: bool = False

    @property
    def idle(self) -> bool:
        """Whether nothing below this value is untrusted."""
        return not self.untrusted and self.items is None and not self.members


@cache
def plan_of(model: type[BaseModel]) -> Plan:
    """The plan of a result model. Its schema must be a tree: a result never nests without end."""
    schema = model.model_json_schema(mode="serialization", by_alias=True)
    return _plan(schema, schema.get("$defs", {}))


def _plan(schema: Schema, definitions: dict[str, Schema]) -> Plan:
    if "$ref" in schema:
        target = definitions[schema["$ref"].removeprefix("#/$defs/")]
        return _plan({**target, **{key: value for key, value in schema.items() if key != "$ref"}}, definitions)
    branches = [_plan(branch, definitions) for branch in schema.get("anyOf", ())]
    useful = [branch for branch in branches if not branch.idle]
    if len(useful) > 1:
        message = "a result field has two untrusted shapes"
        raise TypeError(message)
    if useful:
        return useful[0]
    members = {name: _plan(member, definitions) for name, member in schema.get("properties", {}).items()}
    items = _plan(schema["items"], definitions) if "items" in schema else None
    below = [*members.values(), *([] if items is None else [items])]
    return Plan(
        has_blocks=schema.get("x-block", False) or any(plan.has_blocks for plan in below),
        untrusted=schema.get("x-untrusted", False),
        max_chars=schema.get("maxLength"),
        block=schema.get("x-block", False),
        members={name: plan for name, plan in members.items() if not plan.idle},
        items=None if items is None or items.idle else items,
    )
