"""A child as the server sees it: whatever it does, the wait is bounded, the framing is checked and the process is gone."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from proton_safe.extract.child import Child, ChildEnded, ChildTimeout, command, import_folders
from proton_safe.extract.frames import BadFrame, Outcome, Request, Task
from tests.unit.extract import pdf_source
from tests.waiting import until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.unit.extract.conftest import ComputersClock

_REQUEST: Final = Request("nonce", max_pages=1, max_chars=500)
_BOUND_S: Final = 20.0

# Behaviours of a child that a document has taken over. `frame` makes a frame, `out` writes octets.
_PRELUDE: Final = """
import json, os, signal, sys
def out(octets):
    os.write(1, octets)
def frame(value):
    payload = json.dumps(value).encode()
    return len(payload).to_bytes(4, 'big') + payload
def take():
    while len(os.read(0, 65536)) == 65536: pass
ready = frame({'layers': []})
"""


def _gone(pid: str) -> bool:
    """Whether the process has ended; a zombie waits for its new parent only."""
    try:
        return "Z" in Path(f"/proc/{pid}/stat").read_text(encoding="ascii").split()
    except OSError:
        return True


def _script(code: str) -> list[str]:
    return [sys.executable, "-I", "-S", "-c", _PRELUDE + code]


@pytest.fixture
def started() -> Iterator[list[Child]]:
    """Children that end with the test."""
    children: list[Child] = []
    yield children
    for child in children:
        child.end()
        assert not Path(f"/proc/{child.pid}").exists()


def _child(started: list[Child], clock: ComputersClock, arguments: list[str]) -> Child:
    child = Child(Task.PDF, arguments, monotonic=clock.monotonic)
    started.append(child)
    return child


def _ask(child: Child, clock: ComputersClock, *, seconds: float = _BOUND_S, at_most: int = 100_000) -> tuple[Outcome, dict[str, object]]:
    child.wait_ready(until=clock.monotonic() + seconds)
    return child.ask(b"octets", _REQUEST, until=clock.monotonic() + seconds, at_most=at_most)


def test_a_real_child_reads_a_pdf_and_says_what_holds_it(started: list[Child], clock: ComputersClock) -> None:
    """Security anchors 2.2: the worker reports its layers; the answer carries the nonce."""
    child = _child(started, clock, command(Task.PDF))
    child.wait_ready(until=clock.monotonic() + _BOUND_S)
    assert {"cpu", "file-size", "core"} <= set(child.layers)
    outcome, result = child.ask(pdf_source.says("hello"), _REQUEST, until=clock.monotonic() + _BOUND_S, at_most=100_000)
    assert (outcome, result["text"]) == (Outcome.TEXT, "hello")


def test_a_real_child_has_no_environment_and_no_file_but_its_pipes(started: list[Child], clock: ComputersClock) -> None:
    """Attack catalogue, box/inherited-secrets: exec'd clean."""
    with open(os.devnull, "rb") as extra:  # noqa: PTH123 - a descriptor that must not be inherited
        os.set_inheritable(extra.fileno(), True)  # noqa: FBT003 - the standard library's signature
        child = _child(started, clock, _script("out(ready); signal.pause()"))
        child.wait_ready(until=clock.monotonic() + _BOUND_S)
        folder = Path(f"/proc/{child.pid}")
        assert (folder / "environ").read_bytes() == b""
        assert sorted(path.name for path in (folder / "fd").iterdir()) == ["0", "1", "2"]
        assert (folder / "cwd").readlink() == Path("/")
        assert os.getsid(child.pid) == child.pid


@pytest.mark.parametrize(
    "code",
    [
        "out(b'\\xff\\xff\\xff\\xff')",
        "out(ready); take(); out(b'\\x7f\\xff\\xff\\xff' + b'x' * 100000)",
        "out(ready); take(); out(frame({'nonce': 'other', 'outcome': 'text'}))",
        "out(ready); take(); out(frame({'outcome': 'text'}))",
        "out(ready); take(); out(frame({'nonce': 'nonce', 'outcome': 'fine'}))",
        "out(ready); take(); out(frame({'nonce': 'nonce'}))",
        "out(ready); take(); out(frame({'nonce': 'nonce', 'outcome': 'text', 'result': []}))",
        "out(ready); take(); out(frame([]))",
        "out(ready); take(); out((4).to_bytes(4, 'big') + b'\\xff\\xfe{}')",
        "out(frame({'layers': [1]}))",
    ],
)
def test_what_is_not_the_answer_is_refused(started: list[Child], clock: ComputersClock, code: str) -> None:
    """Attack catalogue, box/stdout-lies."""
    with pytest.raises(BadFrame):
        _ask(_child(started, clock, _script(code)), clock)


@pytest.mark.parametrize(
    "code, ended_by",
    [
        ("", 0),
        ("out(ready)", 0),
        ("out(ready); take(); sys.exit(1)", 0),
        ("out(ready); take(); os.kill(os.getpid(), signal.SIGSEGV)", 11),
        ("out(ready); take(); os.kill(os.getpid(), signal.SIGXCPU)", 24),
        ("out(ready); take(); out(b'\\0\\0')", 0),
    ],
)
def test_an_end_without_an_answer_is_noticed(started: list[Child], clock: ComputersClock, code: str, ended_by: int) -> None:
    """Attack catalogue, box/crash-classes."""
    with pytest.raises(ChildEnded) as raised:
        _ask(_child(started, clock, _script(code)), clock)
    assert raised.value.signal == ended_by


@pytest.mark.parametrize(
    "code",
    [
        "signal.pause()",
        "out(ready); signal.pause()",
        "out(ready); take(); out(b'\\0'); signal.pause()",
        "signal.signal(signal.SIGTERM, signal.SIG_IGN); out(ready); os.kill(os.getpid(), signal.SIGSTOP)",
        "out(ready); os.write(2, b'x' * 6000000); signal.pause()",
    ],
    ids=["never ready", "never reads", "drips", "stops itself", "floods its log"],
)
def test_a_child_that_goes_on_for_ever_is_left_at_the_deadline(started: list[Child], clock: ComputersClock, code: str) -> None:
    """Attack catalogue, box/deadline-c-loop, box/stderr-flood, box/signals: the wait is bounded by the parent."""
    child = _child(started, clock, _script(code))

    def drive() -> None:
        child.wait_ready(until=clock.monotonic() + 2)
        child.ask(b"x" * 1_000_000, _REQUEST, until=clock.monotonic() + 0.3, at_most=100)

    with pytest.raises(ChildTimeout):
        drive()


def test_what_a_child_started_dies_with_it(started: list[Child], clock: ComputersClock) -> None:
    """Attack catalogue, box/signals: the whole group is killed."""
    code = "grandchild = os.fork()\nif not grandchild: signal.pause()\nout(frame({'layers': [str(grandchild)]})); signal.pause()"
    child = _child(started, clock, _script(code))
    child.wait_ready(until=clock.monotonic() + _BOUND_S)
    (grandchild,) = child.layers
    child.end()
    until(lambda: _gone(grandchild))
    assert not child.alive
    child.kill()
    child.end()


@pytest.mark.parametrize("task", Task)
def test_a_child_finds_its_library_without_the_server_importing_it(task: Task) -> None:
    """Budget: the server never loads a parser of foreign documents."""
    own, *library = import_folders(task)
    assert (Path(own) / "proton_safe" / "extract" / "worker.py").is_file()
    assert [Path(folder, {Task.PDF: "pypdf", Task.HTML: "justhtml"}[task]).is_dir() for folder in library] == [True]
