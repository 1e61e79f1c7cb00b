"""The log in a process of its own: what is said, what is left unsaid, and what is lost rather than waited for."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any


def logged(code: str) -> list[dict[str, Any]]:
    """The lines that this program leaves on standard error, which is read only when the program has ended."""
    run = subprocess.run([sys.executable, "-c", "from proton_safe import log\n" + code], capture_output=True, check=True, timeout=60)
    return [json.loads(line) for line in run.stderr.splitlines()]


def test_only_plain_words_and_numbers_are_said() -> None:
    """A fact that doesn't look like a constant of ours is left unsaid."""
    code = "log.event(log.Level.WARNING, 'e', a='list_folders', b='/home/ada', c='ada@keller.example', d=1.5, e='x\\ny')"
    (line,) = logged(code)
    facts = {"a": "list_folders", "b": "(unsaid)", "c": "(unsaid)", "d": 1.5, "e": "(unsaid)"}
    assert {name: line[name] for name in facts} == facts
    assert line.keys() == {"time", "level", "event", *facts}


def test_levels_below_the_least_are_not_written() -> None:
    """Warnings and errors by default."""
    every = "for level in log.Level: log.event(level, 'e')"
    assert [line["level"] for line in logged(every)] == ["warning", "error"]
    assert [line["level"] for line in logged("log.configure(form=log.Form.JSON, least=log.Level.ERROR)\n" + every)] == ["error"]


def test_flood_is_cut_to_a_burst_and_the_next_line_tells_how_much_was_lost() -> None:
    """The rate is bounded whatever happens."""
    code = """
for number in range(5000): log.event(log.Level.ERROR, "e", number=number)
log._log._credit = 1.0
log.event(log.Level.ERROR, "after")
"""
    lines = logged(code)
    assert 200 <= len(lines) < 400
    assert lines[-1]["event"] == "after"
    assert lines[-1]["lost"] > 0
    assert sum(line.get("lost", 0) for line in lines) + len(lines) == 5001


def test_full_pipe_loses_lines_and_blocks_nothing() -> None:
    """Nobody reads: 10 MB of log end the program no later."""
    code = """
import os
from proton_safe import log
log.BURST_LINES = 100_000
log._log._credit = 100_000.0
for _ in range(20_000): log.event(log.Level.ERROR, "e", at="x" * 500)
os._exit(0 if log._log._lost > 19_000 else 3)
"""
    with subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE) as process:
        assert process.wait(60) == 0
        assert process.stderr is not None
        assert 50 < len([json.loads(line) for line in process.stderr]) < 1_000


def test_closed_standard_error_is_no_error() -> None:
    """A host may close it."""
    assert logged("import os\nos.close(2)\nlog.event(log.Level.ERROR, 'e')\nos.open(os.devnull, os.O_WRONLY)") == []


def test_libraries_say_nothing_by_themselves() -> None:
    """Records, warnings and exceptions that nobody caught become events without their texts."""
    code = """
import logging, warnings, threading
log.configure(form=log.Form.JSON, least=log.Level.INFO)
log.quiet_libraries()
logging.getLogger("imap.library").warning("CANARY %s", "x")
logging.getLogger("quiet").info("CANARY")
warnings.warn("CANARY")
def fails(): raise ValueError("CANARY")
thread = threading.Thread(target=fails); thread.start(); thread.join()
class Odd:
    def __del__(self): raise KeyError("CANARY")
odd = Odd(); del odd
try: fails()
except ValueError: logging.getLogger("tried").exception("CANARY")
"""
    lines = logged(code)
    assert [line["event"] for line in lines] == ["library", "python-warning", "lost-in-thread", "unraisable", "library"]
    assert "CANARY" not in json.dumps(lines)
    assert lines[-1]["at"].startswith("ValueError at ")


def test_exception_that_ends_the_program_is_an_event() -> None:
    """Its last word is no traceback."""
    run = subprocess.run(
        [sys.executable, "-c", "from proton_safe import log\nlog.quiet_libraries()\nraise RuntimeError('CANARY')"],
        capture_output=True,
        check=False,
        timeout=60,
    )
    (line,) = [json.loads(line) for line in run.stderr.splitlines()]
    assert (run.returncode, line["event"]) == (1, "uncaught")
    assert "CANARY" not in json.dumps(line)
