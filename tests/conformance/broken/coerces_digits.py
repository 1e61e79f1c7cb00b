"""A broken server: a text of digits passes for a whole number."""

from __future__ import annotations

import re
import sys
from typing import Any

from tests.conformance.broken.relay import Message, Relay, called


class CoercesDigits(Relay):
    """Turns "5" into 5 wherever the published schema wants an integer."""

    def __init__(self) -> None:
        super().__init__()
        self._integers: dict[str, set[str]] = {}

    def on_answer(self, request: Message, answer: Message) -> Message:
        """Learns the schemas as they pass by."""
        if request.get("method") == "tools/list":
            for tool in answer["result"]["tools"]:
                properties: dict[str, Any] = tool["inputSchema"].get("properties", {})
                self._integers[tool["name"]] = {name for name, schema in properties.items() if _wants_integer(schema)}
        return answer

    def on_request(self, message: Message) -> Message:
        """The call with its digits made into numbers."""
        tool, arguments = called(message)
        coerced = {
            name: int(value) if _digits(value) and name in self._integers.get(tool, ()) else value for name, value in arguments.items()
        }
        return {**message, "params": {**message["params"], "arguments": coerced}} if coerced != arguments else message


def _wants_integer(schema: dict[str, Any]) -> bool:
    return "integer" in {schema.get("type"), *(choice.get("type") for choice in schema.get("anyOf", ()))}


def _digits(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch(r"[0-9]{1,10}", value) is not None


if __name__ == "__main__":
    sys.exit(CoercesDigits().run())
