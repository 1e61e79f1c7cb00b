"""What the server says on standard error: one line per event, as JSON or as plain text, numbers and constant words only.

Never a word of mail, an argument, an address, a path or a library's message. Nothing here ever waits: a line that standard error
has no room for is lost, and so is what comes faster than `LINES_PER_S` after a burst; the next line that is written tells how many.
"""

from __future__ import annotations

import json
import logging
import os
import re
import select
import sys
import threading
import time
import traceback
import warnings
from enum import StrEnum
from typing import TYPE_CHECKING, Final, TextIO

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType

_STDERR: Final = 2
_MAX_FRAMES: Final = 30
_MAX_LINE_OCTETS: Final = 4096
BURST_LINES: Final = 200
LINES_PER_S: Final = 20.0
_PLAIN: Final = re.compile(r"[A-Za-z0-9_.:<> -]{0,2000}\Z")
_UNSAID: Final = "(unsaid)"


class Level(StrEnum):
    """How grave an event is."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class Form(StrEnum):
    """How a line is written."""

    JSON = "json"
    TEXT = "text"


_GRAVITY: Final = {Level.INFO: 0, Level.WARNING: 1, Level.ERROR: 2}


class _Log:
    """The state of this process's log. Thread-safe."""

    def __init__(self) -> None:
        self.form = Form.JSON
        self.least = Level.WARNING
        self._lock = threading.Lock()
        self._credit = float(BURST_LINES)
        self._at = time.monotonic()
        self._lost = 0

    def write(self, facts: Mapping[str, str | float]) -> None:
        """Write one line if there is credit and room for it; count it as lost otherwise."""
        with self._lock:
            now = time.monotonic()
            self._credit = min(float(BURST_LINES), self._credit + (now - self._at) * LINES_PER_S)
            self._at = now
            line = self._line({**facts, "lost": self._lost} if self._lost else facts)
            if self._credit < 1 or len(line) > _MAX_LINE_OCTETS or not _has_room() or not _written(line):
                self._lost += 1
                return
            self._credit -= 1
            self._lost = 0

    def _line(self, facts: Mapping[str, str | float]) -> bytes:
        if self.form is Form.JSON:
            return json.dumps(facts).encode() + b"\n"
        rest = "".join(f" {name}={value}" for name, value in facts.items() if name not in {"time", "level", "event"})
        return f"{facts['time']} {facts['level']} {facts['event']}{rest}\n".encode("ascii", "replace")


_log: Final = _Log()


def configure(*, form: Form, least: Level) -> None:
    """Choose how lines look and from which level on they are written. Until then: JSON, from warnings on."""
    _log.form = form
    _log.least = least


def event(level: Level, name: str, **facts: str | float) -> None:
    """Write one event. `facts` are constants and numbers of ours; a text that doesn't look like one is left unsaid."""
    if _GRAVITY[level] < _GRAVITY[_log.least]:
        return
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    said = {key: fact if not isinstance(fact, str) or _PLAIN.match(fact) else _UNSAID for key, fact in facts.items()}
    _log.write({"time": now, "level": level.value, "event": name, **said})


def places(error: BaseException) -> str:
    """Where an exception came from: class, then file name, line and function of each frame; not its text, which may quote mail."""
    frames = traceback.extract_tb(error.__traceback__)[-_MAX_FRAMES:]
    steps = " < ".join(f"{os.path.basename(frame.filename)}:{frame.lineno}:{frame.name}" for frame in reversed(frames))  # noqa: PTH119 - a name as Python gives it, no path
    inner = f" of {' and '.join(type(part).__name__ for part in error.exceptions)}" if isinstance(error, BaseExceptionGroup) else ""
    return f"{type(error).__name__}{inner} at {steps}"[:2000]


def quiet_libraries() -> None:
    """Whatever Python or a library would print by itself becomes an event without its text: log records, warnings, lost exceptions."""
    logging.lastResort = None
    root = logging.getLogger()
    root.handlers = [_LibraryRecords(logging.WARNING)]
    warnings.showwarning = _warning
    threading.excepthook = lambda lost: _unhandled("lost-in-thread", lost.exc_value)
    sys.unraisablehook = lambda lost: _unhandled("unraisable", lost.exc_value)
    sys.excepthook = _uncaught


class _LibraryRecords(logging.Handler):
    """Turns a library's log record into an event with its logger's name and nothing of its text."""

    def emit(self, record: logging.LogRecord) -> None:
        level = Level.ERROR if record.levelno >= logging.ERROR else Level.WARNING
        at = places(record.exc_info[1]) if record.exc_info and record.exc_info[1] is not None else "nowhere"
        event(level, "library", logger=record.name, line=record.lineno, at=at)


def _warning(
    message: Warning | str, category: type[Warning], filename: str, lineno: int, file: TextIO | None = None, line: str | None = None
) -> None:
    del message, file, line
    event(Level.INFO, "python-warning", category=category.__name__, file=os.path.basename(filename), line=lineno)  # noqa: PTH119 - as above


def _unhandled(name: str, error: BaseException | None) -> None:
    event(Level.ERROR, name, at=places(error) if error is not None else "nowhere")


def _uncaught(_kind: type[BaseException], error: BaseException, _trace: TracebackType | None) -> None:
    _unhandled("uncaught", error)


def _has_room() -> bool:
    """Whether standard error takes a line without blocking: a pipe that reports room takes 4,096 octets."""
    room = select.poll()
    room.register(_STDERR, select.POLLOUT)
    return bool(room.poll(0))


def _written(line: bytes) -> bool:
    try:
        os.write(_STDERR, line)
    except OSError:
        return False
    return True
