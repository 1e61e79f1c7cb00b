"""The only way out: a result becomes the texts and the structured content of an answer, cleaned, cut, counted and fenced."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from pydantic_core import PydanticSerializationError

from proton_safe.untrusted.clean import clean, clean_line
from proton_safe.untrusted.fence import fenced, unforged
from proton_safe.untrusted.schema import plan_of
from proton_safe.untrusted.window import octets_in_json, room_beside

if TYPE_CHECKING:
    from pydantic import BaseModel

    from proton_safe.untrusted.schema import Plan

_FENCE: Final = "fence"
_CLEANED: Final = "cleaned"
# As structured content and as JSON in a text together: an escape such as `\u{10ffff}`, its backslash doubled, and doubled again.
_MOST_OCTETS_OF_A_CHARACTER: Final = 24


@dataclass(frozen=True, slots=True)
class Leaving:
    """`structured` holds everything; `outline` is the same with blocks replaced by {"block": n}; `fenced` are the blocks in their marks."""

    structured: dict[str, Any]
    outline: dict[str, Any]
    fenced: tuple[str, ...]


@dataclass(slots=True)
class _Counts:
    escaped: int = 0
    removed: int = 0
    texts: list[str] = field(default_factory=list)
    blocks: list[str] = field(default_factory=list)


def leave(result: BaseModel) -> Leaving:
    """What leaves of a result (a `tools.definition.Result`: it has `fence` and `cleaned`).

    Fields marked untrusted are cleaned and cut at their published length; those without the block mark stay on one line. What the
    handler has counted already in `cleaned` is added to.
    """
    data: dict[str, Any] = result.model_dump(mode="json", by_alias=True)
    plan = plan_of(type(result))
    counts = _Counts()
    structured, outline = _walk(data, plan, counts)
    cleaned = structured[_CLEANED]
    cleaned = {"escaped": cleaned["escaped"] + counts.escaped, "removed": cleaned["removed"] + counts.removed}
    fence = unforged(structured[_FENCE], counts.texts)
    ours = {_FENCE: fence, _CLEANED: cleaned}
    whole = {**structured, **ours}
    return Leaving(
        whole, whole if outline is structured else {**outline, **ours}, tuple(fenced(text, fence=fence) for text in counts.blocks)
    )


def octets_left(part: BaseModel) -> int:
    """How many octets a part of a result without blocks takes at most when it leaves, as structured content and as JSON in a text.

    An escape is longer than what it stands for, and is itself escaped.
    """
    raw = part.model_dump_json(by_alias=True)
    if not raw.isascii():
        data: dict[str, Any] = part.model_dump(mode="json", by_alias=True)
        structured, _ = _walk(data, plan_of(type(part)), _Counts())
        raw = json.dumps(structured, ensure_ascii=False, separators=(",", ":"))
    return len(raw.encode("utf-8", "replace")) + octets_in_json(raw)


def room_for_text(result: BaseModel) -> int:
    """How many octets of text an answer has room for beside the other fields of this result, whose texts are still empty."""
    return _room_beside_little(result) or _room_as_it_leaves(result)


def _room_beside_little(result: BaseModel) -> int:
    """The same where the other fields are so short that they can't matter, which is nearly always; else 0."""
    try:
        characters = len(result.model_dump_json(by_alias=True))
    except PydanticSerializationError:
        return 0  # a lone surrogate, which cleaning takes away
    room = room_beside(_MOST_OCTETS_OF_A_CHARACTER * characters, 0)
    return room if room == room_beside(0, 0) else 0


def _room_as_it_leaves(result: BaseModel) -> int:
    data: dict[str, Any] = result.model_dump(mode="json", by_alias=True)
    structured, _ = _walk(data, plan_of(type(result)), _Counts())
    dumped = json.dumps(structured, ensure_ascii=False, separators=(",", ":"))
    return room_beside(len(dumped.encode("utf-8", "replace")), octets_in_json(dumped))


def _walk(value: Any, plan: Plan, counts: _Counts) -> tuple[Any, Any]:  # noqa: ANN401 - a JSON value
    """The value as it leaves, and its outline, in which blocks are named by number; one and the same where there are none."""
    if not plan.has_blocks:
        cleaned = _cleaned(value, plan, counts)
        return cleaned, cleaned
    if plan.untrusted and isinstance(value, str):
        text = _text(value, plan, counts)
        counts.blocks.append(text)
        return text, {"block": len(counts.blocks)}
    if plan.members and isinstance(value, dict):
        whole, outline = dict(value), dict(value)
        for name, member in plan.members.items():
            if member.has_blocks and name in value:
                whole[name], outline[name] = _walk(value[name], member, counts)
            elif each := value.get(name):  # else there is nothing to clean
                whole[name] = outline[name] = _cleaned(each, member, counts)
        return whole, outline
    if plan.items is not None and isinstance(value, list):
        rows = [_walk(item, plan.items, counts) for item in value]
        return [row[0] for row in rows], [row[1] for row in rows]
    return value, value


def _cleaned(value: Any, plan: Plan, counts: _Counts) -> Any:  # noqa: ANN401 - a JSON value
    """The value as it leaves, where nothing in it is a block. This is most of what an answer holds, row after row."""
    if isinstance(value, str):
        return _text(value, plan, counts) if plan.untrusted else value
    if plan.members and isinstance(value, dict):
        members = plan.members
        return {name: _cleaned(each, members[name], counts) if name in members else each for name, each in value.items()}
    if plan.items is not None and isinstance(value, list):
        items = plan.items
        return [_cleaned(each, items, counts) for each in value]
    return value


def _text(value: str, plan: Plan, counts: _Counts) -> str:
    if not plan.block and value.isascii() and value.isprintable():
        counts.texts.append(value)  # most: there is nothing to clean
        return value if plan.max_chars is None else value[: plan.max_chars]
    cleaned = clean(value) if plan.block else clean_line(value)
    counts.escaped += cleaned.escaped
    counts.removed += cleaned.removed
    counts.texts.append(cleaned.text)
    return cleaned.text if plan.max_chars is None else cleaned.text[: plan.max_chars]
