"""The two forms that an answer can have: a result with its fenced blocks, or a refusal."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from mcp_types import CallToolResult, TextContent

from proton_safe.protocol.output import encode
from proton_safe.refusals import Code, Refusal
from proton_safe.untrusted.leave import leave
from proton_safe.untrusted.window import MAX_ANSWER_OCTETS, octets_in_json

if TYPE_CHECKING:
    from proton_safe.tools.definition import Result

_REPLACEMENT: Final = "\ufffd".encode()
REFUSAL_META: Final = "proton-safe/refusal"


def of_result(result: Result) -> CallToolResult:
    """`structuredContent` holds everything; `content[0]` the same JSON with `{"block": n}` in place of texts, which follow fenced.

    What leaves is validated once more against the result's model, whose schema is published: cleaning and cutting have changed it.
    Raises `content-unreadable` for an answer over 1 MiB, and pydantic's ValidationError, which is a bug.
    """
    leaving = leave(result)
    structured = encode(leaving.structured)
    texts = [encode(leaving.outline).decode(), *leaving.fenced]
    if len(structured) + sum(map(octets_in_json, texts)) > MAX_ANSWER_OCTETS:
        raise Refusal(Code.CONTENT_UNREADABLE)
    type(result).model_validate_json(structured)
    # Where encoding has put a replacement character, the decoded text is what can leave.
    content = json.loads(structured) if _REPLACEMENT in structured else leaving.structured
    return CallToolResult(content=[TextContent(type="text", text=text) for text in texts], structured_content=content)


def of_refusal(refusal: Refusal, *, correlation: str | None = None) -> CallToolResult:
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
    return CallToolResult(content=[TextContent(type="text", text=text)], is_error=True, _meta={REFUSAL_META: facts})
