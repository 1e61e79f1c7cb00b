"""Where worlds lie: the committed ones in `worlds/`, large ones in a temporary folder, built when a case first asks for one."""

from __future__ import annotations

import json
import tempfile
from functools import cache
from pathlib import Path
from typing import Final

from conformance.model import Json
from fixtures.mail.assembly import write_world
from fixtures.mail.library import ON_DEMAND, large_world

FOLDER: Final = Path(__file__).with_name("worlds")


def is_known(world: str) -> bool:
    """Whether there is a world of this name; builds nothing."""
    return world in ON_DEMAND or (FOLDER / world / "world.json").exists()


def world_file(world: str) -> Path:
    """Where the world of this name lies, or would lie. A large one is built once a process."""
    return _built(world) if world in ON_DEMAND else FOLDER / world / "world.json"


def where(world: str) -> str:
    """The world in words: its file in the repository, or how to have it written."""
    if world in ON_DEMAND:
        return f"the world {world}, made when it is asked for: python -m fixtures.mail world {world} --into FOLDER"
    return f"the world {world}: {shown_path(world)}"


def shown_path(world: str) -> str:
    """The world's file as a path in the repository, or in the FOLDER of which `where` speaks."""
    return "FOLDER/world.json" if world in ON_DEMAND else f"conformance/worlds/{world}/world.json"


def mail_files(world: str) -> dict[str, str]:
    """The mails of a committed world that lie there as files, by handle, as paths in the repository."""
    return {path.stem: f"conformance/worlds/{world}/mail/{path.name}" for path in sorted((FOLDER / world / "mail").glob("*.eml"))}


@cache
def uids(world: str) -> dict[str, str]:
    """The uid of each mail of a world by its handle. Raises OSError for a world that is not there."""
    return {handle: row["uid"] for handle, row in _facts(world).items()}


@cache
def hidden_canaries(world: str) -> dict[str, str]:
    """The strings of a world that no answer may hold, each with the mail and the place where it was planted."""
    return {
        one["text"]: f"{handle}, {one['place']}"
        for handle, row in _facts(world).items()
        for one in row.get("canaries", ())
        if not one["visible"]
    }


def _facts(world: str) -> dict[str, Json]:
    facts: dict[str, Json] = json.loads(world_file(world).with_name("facts.json").read_text(encoding="utf-8"))
    return facts


@cache
def _store() -> tempfile.TemporaryDirectory[str]:
    """The folder of this process; it goes when the process ends."""
    return tempfile.TemporaryDirectory(prefix="conformance-worlds-")


@cache
def _built(world: str) -> Path:
    return write_world(large_world(world), Path(_store().name) / world)
