"""What the server says on standard error: one JSON line per event, numbers and constant words only.

Never a word of mail, an argument, an address, a path or a library's message.
"""

from __future__ import annotations

import contextlib
import json
import os
import traceback
from enum import StrEnum
from pathlib import Path
from typing import Final

_STDERR: Final = 2
_MAX_FRAMES: Final = 30


class Level(StrEnum):
    """How grave an event is."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


def event(level: Level, name: str, **facts: str | float) -> None:
    """Write one event. `facts` are constants and numbers of ours. A closed or full standard error loses the line, nothing else."""
    line = json.dumps({"level": level.value, "event": name, **facts})
    with contextlib.suppress(OSError):
        os.write(_STDERR, line.encode() + b"\n")


def places(error: BaseException) -> str:
    """Where an exception came from: class, then file name, line and function of each frame; not its text, which may quote mail."""
    frames = traceback.extract_tb(error.__traceback__)[-_MAX_FRAMES:]
    steps = " < ".join(f"{Path(frame.filename).name}:{frame.lineno}:{frame.name}" for frame in reversed(frames))
    return f"{type(error).__name__} at {steps}"
