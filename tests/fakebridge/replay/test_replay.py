"""All recorded dialogues come out of fakebridge as they came out of the real Bridge."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest

from tests.fakebridge.replay.masks import DIALOGUES, Row, compared
from tests.fakebridge.replay.player import Player
from tests.fakebridge.running_bridge import FakeBridge

RECORDED: Final = sorted(path.stem for path in DIALOGUES.glob("[0-9][0-9]-*.json"))
HANG: Final = ("--switch", "offline_hang_seconds=2")
"""The real program leaves a write hanging for 45 s while the account's server is away; the order of what follows is the same after 2 s."""


def _recording(name: str) -> dict[str, Any]:
    recording: dict[str, Any] = json.loads((DIALOGUES / f"{name}.json").read_text(encoding="utf-8"))
    return recording


def _world(recording: dict[str, Any], folder: Path) -> Path:
    """The recordings' world as it stood for this dialogue."""
    world = json.loads((DIALOGUES / "world.json").read_text(encoding="utf-8"))
    world["split_mode"] = recording["split_mode"]
    for address in world["addresses"]:
        address["enabled"] = address["address"] not in recording["disabled"]
    for entries in world["mailboxes"].values():
        for entry in entries:
            entry["file"] = str(DIALOGUES / entry["file"])
    path = folder / "world.json"
    path.write_text(json.dumps(world), encoding="utf-8")
    return path


def test_all_47_recordings_are_here() -> None:
    """What is not here is not proved: the copy is complete."""
    assert len(RECORDED) == 47


@pytest.mark.xdist_group("replay")
@pytest.mark.parametrize("name", RECORDED)
def test_fakebridge_answers_as_recorded(name: str, tmp_path: Path) -> None:
    """The recordings of Bridge 3.21.1 outrank every document (tests/fakebridge/dialogues)."""
    recording = _recording(name)
    as_set = name == "38-offline"
    with FakeBridge(_world(recording, tmp_path), HANG) as bridge:
        player = Player(bridge)
        for step in recording["steps"]:
            player.play(step)
        player.close()
    assert compared(player.rows, as_set=as_set) == compared((Row(*row) for row in recording["rows"]), as_set=as_set)
