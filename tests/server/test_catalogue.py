"""What the server publishes: the reviewed list in every era, and no string in it that a client's model could take for more than a fact."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.server.eras import VERSIONS
from tests.server.golden_files import golden, listed

if TYPE_CHECKING:
    from collections.abc import Iterator

TABLE: Final = Path(__file__).parents[2] / "proton_safe" / "protocol" / "front_door.json"
MAX_LIST_OCTETS: Final = 48_000
CAPS: Final = {"name": 40, "title": 60, "description": 900, "instructions": 2_000}
MAX_ARGUMENT_DESCRIPTION: Final = 300
ADDRESSED: Final = re.compile(
    r"\b(?:you|your|please|ignore|important|make sure|be sure|remember|assistant|system prompt|the user wants)\b", re.IGNORECASE
)
ORDER: Final = re.compile(
    r"(?:^|[.;:!] )(?:do|don't|never|call|use|ask|tell|show|read|send|reply|run|follow|stop|avoid|ensure|check|try|write|open|keep)\b"
    r"(?![:-])",
    re.IGNORECASE,
)
ADDRESSES: Final = re.compile(r"https?:|://|www\.|\bmailto:|[a-z0-9-]+\.(?:com|org|net|io|me|dev)\b", re.IGNORECASE)


@pytest.mark.parametrize("version", VERSIONS)
def test_list_of_tools_is_the_reviewed_one(tmp_path: Path, version: str) -> None:
    """A change shows in review: it changes a golden file. Parsed JSON is compared, since the SDK orders keys by era."""
    assert listed(version, tmp_path) == golden(version)


def test_eras_list_the_same_tools_in_the_same_order() -> None:
    """MCP 2026-07-28: the list does not vary by connection."""
    handshake, modern = (golden(version) for version in ("2025-11-25", "2026-07-28"))
    assert handshake["tools"] == modern["tools"]
    assert modern.keys() - {"tools"} == {"_meta", "cacheScope", "resultType", "ttlMs"}
    assert handshake.keys() == {"tools"}


@pytest.mark.parametrize("version", VERSIONS)
def test_list_of_tools_is_small(version: str) -> None:
    """Every client reads it at every start: at most 48 kB."""
    assert len(json.dumps(golden(version), ensure_ascii=False, separators=(",", ":")).encode()) <= MAX_LIST_OCTETS


def strings(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:  # noqa: ANN401 - parsed JSON
    """Every string with the way to it, names of members included."""
    match value:
        case str():
            yield path, value
        case dict():
            for key, member in value.items():
                yield (*path, "key"), key
                yield from strings(member, (*path, key))
        case list():
            for member in value:
                yield from strings(member, (*path, "item"))


PUBLISHED: Final = list(strings(json.loads(TABLE.read_text(encoding="utf-8"))))
PROSE: Final = [(path, text) for path, text in PUBLISHED if path[-1] in {"title", "description", "instructions"} and "busy" not in path]


def test_published_strings_are_plain_printable_ascii() -> None:
    """Nothing invisible, nothing that reorders, no look-alike: what a person reviews is what a model reads."""
    assert [path for path, text in PUBLISHED if not (text.isascii() and text.isprintable())] == []


def test_published_strings_hold_no_address_to_follow() -> None:
    """A description is no place to send a model, or a person, somewhere else."""
    assert [(path, text) for path, text in PUBLISHED if ADDRESSES.search(text) and path[-1] != "key" and "pattern" not in path] == []


def test_prose_gives_the_model_no_orders() -> None:
    """Descriptions say what a tool does and what holds; a model is told nothing to do, or not to do, beyond the call."""
    assert [(path, text) for path, text in PROSE if ADDRESSED.search(text) or (path[-1] != "title" and ORDER.search(text))] == []


def test_prose_keeps_its_length() -> None:
    """Long texts hide things, and are paid for at every start."""
    long = [
        (path, len(text))
        for path, text in PROSE
        if len(text) > (MAX_ARGUMENT_DESCRIPTION if "properties" in path or "items" in path else CAPS[path[-1]])
    ]
    assert long == []


def test_names_of_tools_fit_every_client() -> None:
    """Some hosts prefix names and cut them; letters and underscores pass everywhere."""
    names = [tool["name"] for tool in golden("2025-11-25")["tools"]]
    assert len(names) == len(set(names)) == 13
    assert [name for name in names if not re.fullmatch(r"[a-z_]{1,40}", name)] == []


def test_every_argument_is_described() -> None:
    """A caller reads what each argument means and what its bounds are."""
    tools = golden("2025-11-25")["tools"]
    silent = [
        (tool["name"], name) for tool in tools for name, part in tool["inputSchema"]["properties"].items() if not part.get("description")
    ]
    assert silent == []
    assert all(tool["inputSchema"]["additionalProperties"] is False and tool["outputSchema"]["type"] == "object" for tool in tools)


def test_every_field_of_every_result_has_its_type() -> None:
    """Peer fault A44: an object without fields, types and nullability says nothing; what is required is named."""
    untyped = []
    for tool in golden("2025-11-25")["tools"]:
        schema = tool["outputSchema"]
        assert schema["required"], tool["name"]
        objects = [(tool["name"], schema), *((f"{tool['name']}.{name}", part) for name, part in schema.get("$defs", {}).items())]
        for place, part in objects:
            if part.get("type") != "object":
                continue
            assert part["properties"], place
            untyped += [(place, name) for name, field in part["properties"].items() if not _is_typed(field)]
    assert untyped == []


def _is_typed(field: dict[str, Any]) -> bool:
    """A type, a reference, or a choice of such; lists say what is in them."""
    if "anyOf" in field:
        return all(_is_typed(choice) for choice in field["anyOf"])
    if field.get("type") == "array":
        return _is_typed(field["items"])
    if field.get("type") == "object":
        return bool(field.get("properties")) or _is_typed(field.get("additionalProperties") or {})
    return bool({"type", "$ref", "const", "enum"} & field.keys())
