"""A broken server: one refusal code never reaches the client. Its name is the first argument of the command."""

from __future__ import annotations

import sys
from typing import Any

from tests.conformance.broken.relay import Message, Relay

KEY = "proton-safe/refusal"


class LeavesOutACode(Relay):
    """Answers with the sentence alone where that code would stand."""

    def __init__(self, code: str) -> None:
        super().__init__()
        self._code = code

    def on_answer(self, _request: Message, answer: Message) -> Message:
        """The answer without the code, in facts and text."""
        result: dict[str, Any] = answer.get("result") or {}
        if result.get("_meta", {}).get(KEY, {}).get("code") != self._code:
            return answer
        text = result["content"][0]["text"].removeprefix(f"{self._code}: ")
        return {**answer, "result": {"isError": True, "content": [{"type": "text", "text": text}]}}


if __name__ == "__main__":
    sys.exit(LeavesOutACode(sys.argv[1]).run())
