"""Plays story.json through one connected Python client and reports what it received. Knows no client library."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from jsonschema import Draft202012Validator

if TYPE_CHECKING:
    from tests.clients.report import Report

STORY: Final[dict[str, Any]] = json.loads((Path(__file__).parent / "story.json").read_text(encoding="utf-8"))

Heard = list[float]


@dataclass(frozen=True, slots=True)
class Answer:
    """A tool's answer as a client library gives it."""

    is_error: bool
    structured: dict[str, Any] | None
    texts: tuple[str, ...]
    meta: Mapping[str, Any]

    @classmethod
    def from_json(cls, result: Mapping[str, Any]) -> Answer:
        """The answer from its form on the wire."""
        return cls(
            result.get("isError", False),
            result.get("structuredContent"),
            tuple(part["text"] for part in result["content"]),
            result.get("_meta") or {},
        )


Caller = Callable[[str, dict[str, Any], Heard | None], Awaitable[Answer]]
"""Calls a tool with arguments; a list, if given, gets each figure of progress."""


async def play(call: Caller, schemas: Mapping[str, Mapping[str, Any]], report: Report, *, alone: bool = False) -> None:
    """Make all calls of the story. `alone`: every call starts a server of its own."""
    kept: dict[str, Any] = {}
    for written in STORY["steps"]:
        step = {**written, **({"expect": {}, **written["alone"]} if alone and "alone" in written else {})}
        arguments = _filled({**step["arguments"], **step.get("with", {})}, kept)
        heard: Heard = []
        answer = await call(step["tool"], arguments, heard if step.get("progress") else None)
        if step["tool"] not in report.called:
            report.called.append(step["tool"])
        code = step.get("refusal")
        faults = list(_faults_of_result(answer, step, schemas[step["tool"]]) if code is None else _faults_of_refusal(answer, code))
        if step.get("progress") and not heard:
            faults.append("no progress was reported")
        report.faults += [f"{step['tool']}: {fault}" for fault in faults]
        report.progress += len(heard)
        report.refused += code is not None and not faults
        report.validated += code is None and not faults
        if "keep" in step:
            kept[step["keep"]] = answer.structured


def _at(value: Any, path: str) -> Any:  # noqa: ANN401 - any JSON value
    for name in path.split("."):
        match value:
            case list() if int(name) < len(value):
                value = value[int(name)]
            case dict():
                value = value.get(name)
            case _:
                return None
    return value


def _filled(value: Any, kept: Mapping[str, Any]) -> Any:  # noqa: ANN401 - any JSON value
    match value:
        case str() if value.startswith("$"):
            return _at(kept, value[1:])
        case list():
            return [_filled(item, kept) for item in value]
        case dict():
            return {name: _filled(item, kept) for name, item in value.items() if item is not None}
        case _:
            return value


def _faults_of_refusal(answer: Answer, code: str) -> Iterator[str]:
    if not answer.is_error:
        yield "a refusal without isError"
    if answer.structured is not None:
        yield "a refusal with structuredContent"
    if not answer.texts[0].startswith(f"{code}: "):
        yield f"the text does not begin with {code}"
    if answer.meta.get(STORY["refusal_key"], {}).get("code") != code:
        yield f"_meta does not say {code}"


def _faults_of_result(answer: Answer, step: Mapping[str, Any], schema: Mapping[str, Any]) -> Iterator[str]:
    facts = answer.structured
    if answer.is_error or facts is None:
        yield f"refused: {answer.texts[0]}"
        return
    for error in Draft202012Validator(schema).iter_errors(facts):
        yield f"the output schema does not hold at {error.json_path}"
    if json.loads(answer.texts[0])["fence"] != facts["fence"]:
        yield "content[0] is not the same answer"
    if not all(block.startswith(f"[untrusted {facts['fence']}]\n") for block in answer.texts[1:]):
        yield "a block without its fence"
    for path, value in step.get("expect", {}).items():
        if (found := _at(facts, path)) != value:
            yield f"{path} is {json.dumps(found)}"
