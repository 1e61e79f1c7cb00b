"""A definition as `tools/list` shows it: complete for whoever calls, and small, because every client reads all of it at every start."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any, Final

from mcp_types import Tool, ToolAnnotations

from proton_safe.tools.definition import Cleaned, Result

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pydantic import BaseModel

    from proton_safe.tools.definition import ToolDefinition

# The same in every answer, so they are described once, in the server's instructions.
_COMMON_FIELDS: Final = frozenset(Result.model_fields)


def published(catalogue: Sequence[ToolDefinition[Any, Any]]) -> list[Tool]:
    """The tools in their order. What several results share (a message's row, a folder's name) is described at the first of them."""
    tools = [_tool(definition) for definition in catalogue]
    _describe_fields_once(tools)
    described: list[tuple[str, Any]] = []
    for tool in tools:
        for name, part in (tool.output_schema or {}).get("$defs", {}).items():
            if (name, part) not in described:
                described.append((name, copy.deepcopy(part)))
            else:
                for member in part.get("properties", {}).values():
                    member.pop("description", None)
    for tool in tools:
        _inline_small_parts(tool.output_schema or {})
    return tools


def _describe_fields_once(tools: Sequence[Tool]) -> None:
    """Drop the description of a result's field where an earlier tool has a field of this name that says the same."""
    described: set[tuple[str, str]] = set()
    for tool in tools:
        for name, member in (tool.output_schema or {}).get("properties", {}).items():
            said = member.get("description", "")
            if (name, said) in described:
                member.pop("description", None)
            described.add((name, said))


def _inline_small_parts(schema: dict[str, Any]) -> None:
    """Put each part in the place of its references where that takes less room than a name of its own, as it does for a single one."""
    parts: dict[str, Any] = schema.get("$defs", {})
    for name in tuple(parts):
        reference = f"#/$defs/{name}"
        places = _references(schema).get(reference, [])
        size = len(json.dumps(parts[name], separators=(",", ":")))
        if len(places) * size > size + len(f'"{name}":,') + len(places) * len(f'{{"$ref":"{reference}"}}'):
            continue
        part = parts.pop(name)
        for place in places:
            del place["$ref"]
            # What the place itself says stands before what the part says.
            place.update({key: value for key, value in copy.deepcopy(part).items() if key not in place})
    if not parts:
        schema.pop("$defs", None)


def _references(schema: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """The schemas that refer to a part, by what they refer to."""
    found: dict[str, list[dict[str, Any]]] = {}
    waiting: list[Any] = [schema]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            if isinstance(value.get("$ref"), str):
                found.setdefault(value["$ref"], []).append(value)
            waiting.extend(value.values())
        elif isinstance(value, list):
            waiting.extend(value)
    return found


def _tool(definition: ToolDefinition[Any, Any]) -> Tool:
    """Name, title, description, both schemas and the annotations of one tool."""
    hints = definition.annotations
    return Tool(
        name=definition.name,
        title=definition.title,
        description=definition.description,
        input_schema=arguments_schema(definition.arguments),
        output_schema=result_schema(definition.result),
        annotations=ToolAnnotations(
            read_only_hint=hints.read_only,
            destructive_hint=hints.destructive,
            idempotent_hint=hints.idempotent,
            open_world_hint=hints.open_world,
        ),
    )


def arguments_schema(model: type[BaseModel]) -> dict[str, Any]:
    """The JSON Schema (2020-12) of a tool's arguments: without titles that only repeat names, and each argument described once."""
    schema: dict[str, Any] = _without_titles(model.model_json_schema(mode="validation", by_alias=True))
    schema.pop("description", None)
    for argument in schema["properties"].values():
        for alternative in argument.get("anyOf", ()):
            alternative.pop("description", None)
    return schema


def result_schema(model: type[BaseModel]) -> dict[str, Any]:
    """The JSON Schema of a tool's result: as that of arguments, and without defaults and without the descriptions of what all have."""
    schema: dict[str, Any] = _without_titles(model.model_json_schema(mode="serialization", by_alias=True))
    schema.pop("description", None)
    parts: dict[str, dict[str, Any]] = schema.get("$defs", {})
    for part in parts.values():
        part.pop("description", None)
    for holder in (schema, *parts.values()):
        for member in holder.get("properties", {}).values():
            member.pop("default", None)
    for member in (*parts[Cleaned.__name__]["properties"].values(), *(schema["properties"][name] for name in _COMMON_FIELDS)):
        member.pop("description", None)
    return schema


def _without_titles(schema: Any) -> Any:  # noqa: ANN401 - any JSON value
    if isinstance(schema, list):
        return [_without_titles(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {key: value for key, value in schema.items() if not (key == "title" and isinstance(value, str))}
    return {
        key: ({name: _without_titles(part) for name, part in value.items()} if key in {"properties", "$defs"} else _without_titles(value))
        for key, value in kept.items()
    }
