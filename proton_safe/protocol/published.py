"""A definition as `tools/list` shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcp_types import Tool, ToolAnnotations

if TYPE_CHECKING:
    from pydantic import BaseModel

    from proton_safe.tools.definition import ToolDefinition


def published(definition: ToolDefinition[Any, Any]) -> Tool:
    """Name, title, description, both schemas and the annotations of one tool."""
    hints = definition.annotations
    return Tool(
        name=definition.name,
        title=definition.title,
        description=definition.description,
        input_schema=schema_of(definition.arguments, mode="validation"),
        output_schema=schema_of(definition.result, mode="serialization"),
        annotations=ToolAnnotations(
            title=definition.title,
            read_only_hint=hints.read_only,
            destructive_hint=hints.destructive,
            idempotent_hint=hints.idempotent,
            open_world_hint=hints.open_world,
        ),
    )


def schema_of(model: type[BaseModel], *, mode: str) -> dict[str, Any]:
    """The JSON Schema (2020-12) of a model, without the titles that pydantic derives from names: they cost a third and say nothing."""
    schema = model.model_json_schema(mode="serialization" if mode == "serialization" else "validation", by_alias=True)
    return {key: value for key, value in _untitled(schema).items() if key != "description"}


def _untitled(schema: Any) -> Any:  # noqa: ANN401 - any JSON value
    if isinstance(schema, list):
        return [_untitled(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {key: value for key, value in schema.items() if not (key == "title" and isinstance(value, str))}
    return {
        key: ({name: _untitled(part) for name, part in value.items()} if key in {"properties", "$defs"} else _untitled(value))
        for key, value in kept.items()
    }
