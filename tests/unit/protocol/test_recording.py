"""The recorder refuses to make a table in whose form the engine's answers don't fit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import pytest

from proton_safe.protocol import recording
from proton_safe.protocol.server import Identity

if TYPE_CHECKING:
    from proton_safe.protocol.dispatch import Dispatch


class _Names:
    names = ("a_tool",)


def answers(*, modern_tools: list[str], odd_version: str = "") -> Any:  # noqa: ANN401 - stands for a function of the module
    """The engine, as far as the recorder asks it."""

    def ask(_dispatch: object, _identity: object, questions: dict[str, tuple[str, dict[str, Any]]]) -> dict[str, Any]:
        if "discover" in questions:
            return {"discover": {}, "list": {"tools": modern_tools, "ttlMs": 0}, "busy": {}}
        version = questions["initialize"][1]["protocolVersion"]
        text = "odd" if version == odd_version else "usual"
        return {"initialize": {"protocolVersion": version, "instructions": text}, "list": {"tools": ["a"]}, "busy": {}}

    return ask


def test_table_holds_the_tools_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """All versions list the same tools, so the table names them in one place."""
    monkeypatch.setattr(recording, "_ask", answers(modern_tools=["a"]))
    table = recording.recorded(cast("Dispatch", _Names()), Identity("i"))
    assert table["tools"] == ["a"]
    assert (table["handshake"]["list"], table["modern"]["list"]) == ({}, {"ttlMs": 0})
    assert table["handshake"]["initialize"] == {"instructions": "usual"}


@pytest.mark.parametrize(
    "engine,sentence",
    [
        (answers(modern_tools=["b"]), "the eras list different tools"),
        (answers(modern_tools=["a"], odd_version="2025-03-26"), "the handshake versions differ in more than their name"),
    ],
    ids=["eras", "versions"],
)
def test_answers_that_differ_stop_the_recording(monkeypatch: pytest.MonkeyPatch, engine: object, sentence: str) -> None:
    """A new SDK that answers by version needs another table, not a wrong one."""
    monkeypatch.setattr(recording, "_ask", engine)
    with pytest.raises(ValueError, match=sentence):
        recording.recorded(cast("Dispatch", _Names()), Identity("i"))
