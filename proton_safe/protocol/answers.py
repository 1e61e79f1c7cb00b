"""The two forms that an answer can have: a result with its fenced blocks, or a refusal."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from mcp_types import CallToolResult, TextContent

from proton_safe.protocol.output import encode
from proton_safe.refusals import Code, Refusal
from proton_safe.untrusted.leave import leave
from proton_safe.untrusted.window import MAX_ANSWER_OCTETS

if TYPE_CHECKING:
    from proton_safe.tools.definition import Result

REFUSAL_META: Final = "proton-safe/refusal"


@dataclass(frozen=True, slots=True)
class Answer:
    """A call's answer, its parts encoded. `structured` is the structured content of a result; a refusal has `facts` instead."""

    texts: tuple[bytes, ...]
    structured: bytes | None = None
    facts: dict[str, object] | None = None

    def for_sdk(self) -> CallToolResult:
        """As the SDK wants it."""
        content: list[Any] = [TextContent(type="text", text=json.loads(text)) for text in self.texts]
        if self.structured is None:
            return CallToolResult(content=content, is_error=True, _meta={REFUSAL_META: self.facts})
        return CallToolResult(content=content, structured_content=json.loads(self.structured))

    def octets(self) -> bytes:
        """The encoded result of `tools/call`, as the SDK writes it too."""
        content = b'"content":[' + b",".join(b'{"text":' + text + b',"type":"text"}' for text in self.texts) + b"]"
        if self.structured is None:
            return b'{"_meta":' + encode({REFUSAL_META: self.facts}) + b"," + content + b',"isError":true}'
        return b"{" + content + b',"isError":false,"structuredContent":' + self.structured + b"}"


def of_result(result: Result) -> Answer:
    """`structuredContent` holds everything; `content[0]` the same JSON with `{"block": n}` in place of texts, which follow fenced.

    What leaves is validated once more against the result's model, whose schema is published: cleaning and cutting have changed it.
    Raises `content-unreadable` for an answer over 1 MiB, and pydantic's ValidationError, which is a bug.
    """
    leaving = leave(result)
    structured = encode(leaving.structured)
    outline = structured if leaving.outline is leaving.structured else encode(leaving.outline)
    texts = (encode(outline.decode()), *map(encode, leaving.fenced))
    if len(structured) + sum(map(len, texts)) > MAX_ANSWER_OCTETS:
        raise Refusal(Code.CONTENT_UNREADABLE)
    type(result).model_validate_json(structured)
    return Answer(texts, structured)


def of_refusal(refusal: Refusal, *, correlation: str | None = None) -> Answer:
    """`isError` without `structuredContent`: clients check that against the output schema and would lose the code."""
    meaning = refusal.meaning
    facts: dict[str, object] = {
        "code": refusal.code.value,
        "class": meaning.actor.value,
        "field": refusal.field,
        "retryable": meaning.retryable,
        "next_step": meaning.next_step,
    }
    text = refusal.text
    if refusal.message_id is not None:
        facts["message_id"] = refusal.message_id
        text += f" The draft's Message-ID would be {refusal.message_id}."
    if correlation is not None:
        facts["correlation"] = correlation
        text += f" Correlation id {correlation}."
    return Answer((encode(text),), facts=facts)
