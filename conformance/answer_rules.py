"""What holds for every answer of a tool, whatever the case is about: form, size, cleanliness, silence about secrets."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from jsonschema import Draft202012Validator

from conformance.client import Answer
from conformance.model import Json
from conformance.refusal_table import refusal_table

MAX_ANSWER_OCTETS: Final = 1_048_576
_FENCE: Final = re.compile(r"^[0-9a-f]{32}$")
_INVISIBLE: Final = frozenset("\u061c\u180e\u200b\u200e\u200f\u2028\u2029\ufeff") | frozenset(
    chr(code)
    for pair in ((0x202A, 0x202E), (0x2060, 0x206F), (0xFFF9, 0xFFFB), (0xE0000, 0xE007F), (0xD800, 0xDFFF))
    for code in range(pair[0], pair[1] + 1)
)
_JOINERS: Final = "\u200c\u200d"
# From here on there are scripts whose letters change their shape at a joiner; Latin, Greek, Cyrillic and Armenian have none.
_FIRST_JOINING: Final = "\u0600"
# The flags of England, Scotland and Wales are the only visible signs made of tag characters (Unicode TR 51).
_FLAG: Final = re.compile(
    "\U0001f3f4\U000e0067\U000e0062(?:\U000e0065\U000e006e\U000e0067|\U000e0073\U000e0063\U000e0074|\U000e0077\U000e006c\U000e0073)\U000e007f"
)
_REFUSAL_KEYS: Final = frozenset({"code", "class", "field", "retryable", "next_step"})
_MORE_KEYS: Final = {"draft-unknown": {"message_id"}, "draft-refused": {"message_id"}, "internal-error": {"correlation"}}


@dataclass(frozen=True, slots=True)
class Refusal:
    """A refusal as the client sees it."""

    code: str
    field: str | None


@dataclass(frozen=True, slots=True)
class Forms:
    """What the server published: the output schema of each tool; and where its refusals carry their facts."""

    output_schemas: Mapping[str, Json]
    refusal_key: str


def form_faults(tool: str, answer: Answer, forms: Forms) -> Iterator[str]:
    """Each rule of form that the answer breaks, as a sentence."""
    if len(answer.line) > MAX_ANSWER_OCTETS:
        yield f"the answer has {len(answer.line)} octets, more than {MAX_ANSWER_OCTETS}"
    if answer.result is None:
        yield from _error_faults(answer.error)
    elif answer.result.get("isError") is True:
        yield from _refusal_faults(answer.result, forms.refusal_key)
    else:
        yield from _result_faults(answer.result, forms.output_schemas.get(tool))


def secret_faults(text: str, secrets: Sequence[str], *, where: str) -> Iterator[str]:
    """Each secret or path of this machine that stands in `text`. The finding does not repeat it."""
    for number, secret in enumerate(secrets):
        if secret and secret in text:
            yield f"{where} holds secret or path number {number} (of password, state folder, home folder)"


def control_faults(text: str, *, where: str) -> Iterator[str]:
    """The first character that would steer a terminal: any control but the line feed."""
    for position, character in enumerate(text):
        if unicodedata.category(character) == "Cc" and character != "\n":
            yield f"{where} holds the control U+{ord(character):04X} at {position}"
            return


def refusal_of(answer: Answer, refusal_key: str) -> Refusal | None:
    """The refusal that an answer carries, if it is one."""
    if answer.result is None or answer.result.get("isError") is not True:
        return None
    facts = answer.result.get("_meta", {}).get(refusal_key, {})
    return Refusal(str(facts.get("code")), facts.get("field"))


def _error_faults(error: Json) -> Iterator[str]:
    if not isinstance(error, dict) or not isinstance(error.get("code"), int) or not isinstance(error.get("message"), str):
        yield "the error has no code and message"


def _refusal_faults(result: dict[str, Json], key: str) -> Iterator[str]:
    if "structuredContent" in result:
        yield "a refusal carries structuredContent, which clients check against the output schema"
    facts = result.get("_meta", {}).get(key)
    content = result.get("content")
    if (
        not isinstance(facts, dict)
        or not facts.keys() >= _REFUSAL_KEYS
        or facts.keys() - _REFUSAL_KEYS - _MORE_KEYS.get(facts["code"], set())
    ):
        yield f"a refusal's _meta[{key!r}] is {facts!r}"
        return
    if not isinstance(content, list) or len(content) != 1 or content[0].get("type") != "text":
        yield "a refusal's content is not one text"
        return
    known = refusal_table().get(facts["code"])
    if known is None:
        yield f"the code {facts['code']!r} is not in the table"
    elif (known.actor, known.retryable) != (facts["class"], facts["retryable"]):
        said = (facts["class"], facts["retryable"])
        yield f"{facts['code']} says class and retryable {said} instead of {(known.actor, known.retryable)}"
    if not re.match(re.escape(facts["code"]) + r": \S", content[0]["text"]):
        yield "a refusal's text does not begin with its code, a colon and a sentence"
    if not isinstance(facts["next_step"], str) or not facts["next_step"]:
        yield "a refusal has no next step"
    if not (facts["field"] is None or isinstance(facts["field"], str)):
        yield "a refusal's field is neither a name nor null"
    yield from _unclean(facts, "the refusal", blocks=False)
    yield from _unclean(content[0]["text"], "the refusal's text", blocks=False)


def _result_faults(result: dict[str, Json], schema: Json) -> Iterator[str]:
    structured, content = result.get("structuredContent"), result.get("content")
    if not isinstance(structured, dict):
        yield "a result has no structuredContent"
        return
    if schema is None:
        yield "the tool published no output schema"
    else:
        for error in Draft202012Validator(schema).iter_errors(structured):
            yield f"structuredContent breaks the output schema at {error.json_path}: {error.validator}"
    if not isinstance(content, list) or not all(isinstance(one, dict) and one.get("type") == "text" for one in content):
        yield "a result's content is not a list of texts"
        return
    yield from _fence_faults(structured, [one["text"] for one in content])


def _fence_faults(structured: dict[str, Json], texts: list[str]) -> Iterator[str]:
    fence = structured.get("fence")
    if not isinstance(fence, str) or not _FENCE.match(fence):
        yield "structuredContent.fence is not 128 random bits in hexadecimal digits"
        return
    try:
        document = json.loads(texts[0])
    except (IndexError, ValueError):
        yield "content[0] is not JSON"
        return
    used: list[int] = []
    yield from _same(structured, document, texts, fence, used, "structuredContent")
    if used != list(range(1, len(texts))):
        yield f"content has {len(texts) - 1} blocks, named in the order {used}"


def _same(structured: Json, document: Json, texts: list[str], fence: str, used: list[int], at: str) -> Iterator[str]:
    """Compare both forms of a result, take the blocks out of the one, check that each string is clean."""
    if isinstance(structured, str) and isinstance(document, dict) and document.keys() == {"block"}:
        number = document["block"]
        used.append(number)
        if not isinstance(number, int) or not 1 <= number < len(texts):
            yield f"{at} names block {number!r}, which is not there"
        elif texts[number] != f"[untrusted {fence}]\n{structured}\n[/untrusted {fence}]":
            yield f"block {number} does not stand between marks with this answer's fence"
        if fence in structured:
            yield f"{at} holds the fence itself"
        yield from _unclean(structured, at, blocks=True)
    elif isinstance(structured, dict) and isinstance(document, dict):
        if structured.keys() != document.keys():
            yield f"content[0] and structuredContent have different keys at {at}"
            return
        for key, value in structured.items():
            yield from _same(value, document[key], texts, fence, used, f"{at}.{key}")
    elif isinstance(structured, list) and isinstance(document, list) and len(structured) == len(document):
        for number, value in enumerate(structured):
            yield from _same(value, document[number], texts, fence, used, f"{at}.{number}")
    else:
        if structured != document or type(structured) is not type(document):
            yield f"content[0] and structuredContent differ at {at}"
        yield from _unclean(structured, at, blocks=False)


def _unclean(value: Json, at: str, *, blocks: bool) -> Iterator[str]:
    """Characters that a reader can't see or that steer a terminal. `blocks`: line breaks and tabs are text there."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _unclean(inner, f"{at}.{key}", blocks=blocks)
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _unclean(inner, f"{at}.{number}", blocks=blocks)
    elif isinstance(value, str):
        for position, character in enumerate(text := _FLAG.sub(lambda flag: "F" * len(flag[0]), value)):
            if (
                (unicodedata.category(character) == "Cc" and not (blocks and character in "\n\t"))
                or character in _INVISIBLE
                or _stray_joiner(text, position)
            ):
                yield f"{at} holds U+{ord(character):04X} at {position}"
                return


def _stray_joiner(text: str, position: int) -> bool:
    """A joiner is part of a visible sign only between two pictures or between letters that it joins or parts."""
    if text[position] not in _JOINERS:
        return False
    around = text[position - 1 : position] + text[position + 1 : position + 2]
    pictures = all(unicodedata.category(one) in {"So", "Sk", "Mn"} for one in around)
    letters = all(one >= _FIRST_JOINING and unicodedata.category(one)[0] in "LM" for one in around)
    return len(around) < 2 or not (letters or (pictures and text[position] == "\u200d"))
