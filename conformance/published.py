"""What a server publishes about itself, fetched through its command line, and compared with the suite's figures."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from conformance.adapter import Adapter, Site
from conformance.bridge import ROOT, Account
from conformance.client import Client
from conformance.coverage import published_bounds, without_null
from conformance.figures import Argument, Tool, bounds_of, figures
from conformance.line_process import inherited_environment
from conformance.model import Json
from conformance.refusal_table import refusal_table

MAX_LIST_OCTETS: Final = 48_000
_HINTS: Final = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
_ANNOTATIONS: Final = {
    "read": (True, False, True, False),
    "stage": (False, False, False, False),
    "discard": (False, True, False, False),
    "draft": (False, False, False, False),
}
_KINDS: Final = {"text": "string", "integer": "integer", "flag": "boolean", "true": "boolean", "texts": "array"}


@dataclass(frozen=True, slots=True)
class Published:
    """The tools that a server lists, and its own table of tools and refusal codes."""

    tools: Sequence[Json]
    described: Json


def fetch(adapter: Adapter) -> Published:
    """Ask a server without any Bridge for its tools, run its describing command. Raises ServerGone, NoAnswer, OSError, ValueError."""
    with tempfile.TemporaryDirectory(prefix="conformance-") as folder:
        home = Path(folder) / "home"
        home.mkdir()
        site = Site(Account("ada@keller.example", ()), 1, "no-password-needed", str(Path(folder) / "state"), str(home), 1)
        client = Client(adapter.command_line(), environment=site.environment(adapter, {}), folder=str(ROOT))
        try:
            client.initialize()
            tools = client.tools()
        finally:
            client.close()
    described = subprocess.run(  # noqa: S603 - the command is the operator's own
        adapter.describe_line(), env=inherited_environment(), cwd=ROOT, capture_output=True, check=True, timeout=60
    )
    return Published(tools, json.loads(described.stdout))


def differences(published: Published) -> Iterator[str]:
    """Each place where the server and the suite's figures disagree, as a sentence."""
    wanted = figures().tools
    listed = {tool["name"]: tool for tool in published.tools}
    yield from (f"the server has no tool {name}" for name in wanted if name not in listed)
    yield from (f"the server has a tool {name} that nobody founded" for name in listed if name not in wanted)
    for name, tool in wanted.items():
        if name in listed:
            yield from _tool(name, tool, listed[name])
    octets = len(json.dumps(list(published.tools), ensure_ascii=False, separators=(",", ":")).encode())
    if octets > MAX_LIST_OCTETS:
        yield f"tools/list has {octets} octets, more than {MAX_LIST_OCTETS}"
    for row in published.described["refusals"]:
        known = refusal_table().get(row["code"])
        if known is not None and (known.actor, known.retryable) != (row["class"], row["retryable"]):
            yield f"{row['code']} is {row['class']}, retryable {row['retryable']}, and the suite says {known.actor}, {known.retryable}"


def _tool(name: str, tool: Tool, listed: Json) -> Iterator[str]:
    schema = listed["inputSchema"]
    properties = schema.get("properties", {})
    if not listed.get("title") or not listed.get("description"):
        yield f"{name} has no title or no description"
    hints = tuple(listed.get("annotations", {}).get(hint) for hint in _HINTS)
    if hints != _ANNOTATIONS[tool.capability]:
        yield f"{name} has the annotations {hints} instead of {_ANNOTATIONS[tool.capability]}"
    if schema.get("type") != "object" or schema.get("additionalProperties") is not False:
        yield f"{name} does not publish that it refuses unknown arguments"
    if listed.get("outputSchema", {}).get("type") != "object":
        yield f"{name} publishes no object as its result"
    if set(properties) != set(tool.arguments):
        yield f"{name} has the arguments {sorted(properties)} instead of {sorted(tool.arguments)}"
    required = {label for label, argument in tool.arguments.items() if argument.required}
    if set(schema.get("required", [])) != required:
        yield f"{name} requires {sorted(schema.get('required', []))} instead of {sorted(required)}"
    for label, argument in tool.arguments.items():
        if label in properties:
            yield from (f"{name}, {label}: {difference}" for difference in _argument(argument, properties[label]))


def _argument(argument: Argument, schema: Json) -> Iterator[str]:
    inner, nullable = without_null(schema)
    if not inner.get("description"):
        yield "is not described"
    if inner.get("type") != _KINDS[argument.kind]:
        yield f"is of type {inner.get('type')} instead of {_KINDS[argument.kind]}"
    if argument.kind == "true" and inner.get("const") is not True:
        yield "is not published as the constant true"
    if nullable != argument.nullable:
        yield "may be null" if nullable else "may not be null"
    if not argument.required and (
        "default" not in inner or inner["default"] != argument.default or type(inner["default"]) is not type(argument.default)
    ):
        yield f"has the default {inner.get('default')!r} instead of {argument.default!r}"
    if published_bounds(schema) != bounds_of(argument):
        yield f"has the bounds {published_bounds(schema)} instead of {bounds_of(argument)}"
    if "pattern" in inner and not argument.refused:
        yield "has a pattern and no case of a value that breaks it"
