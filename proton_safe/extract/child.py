"""One extraction child as the server sees it: started clean, asked once, killed and reaped in every case.

The server never waits for a child without a bound: all reading and writing is done in pieces, up to a deadline and a cap.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import secrets
import select
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from proton_safe.extract.frames import (
    HEADER_OCTETS,
    MAX_READY_OCTETS,
    BadFrame,
    Outcome,
    Request,
    Task,
    decode_object,
    encode_request,
    length_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable

PIECE_OCTETS: Final = 65_536
REAP_S: Final = 5.0
PIPE_CLOSED_S: Final = 0.1
# How long a child that has closed its pipes may take to end; what still runs then is killed without a word.
CLOSED_S: Final = 0.5

# -I: neither environment nor user folders; -S: no site-packages, so no .pth file runs; -B: nothing is written.
_FLAGS: Final = ("-I", "-S", "-B")
_BOOTSTRAP: Final = "import sys; sys.path += sys.argv[1:-2]; from proton_safe.extract.worker import main; main()"
_LIBRARIES: Final = {Task.PDF: "pypdf", Task.HTML: "justhtml"}


class ChildEnded(Exception):
    """The child is gone without an answer; `signal` is what ended it, 0 if it ended by itself."""

    def __init__(self, ended_by: int) -> None:
        super().__init__()
        self.signal = ended_by


class ChildTimeout(Exception):
    """The child didn't get ready, or didn't answer, in time."""


def import_folders(task: Task) -> tuple[str, ...]:
    """The folders that hold this package and the task's library, found without importing the library."""
    found = importlib.util.find_spec(_LIBRARIES[task])
    origins = [__file__, *([found.origin] if found is not None and found.origin else [])]
    own, *library = (Path(origin).resolve().parent.parent for origin in origins)
    return tuple(dict.fromkeys(str(folder) for folder in (own.parent, *library)))


def command(task: Task) -> list[str]:
    """The command line of a child: this interpreter, cut off from its surroundings."""
    return [sys.executable, *_FLAGS, "-c", _BOOTSTRAP, *import_folders(task), task.value, str(os.getpid())]


class Child:
    """A running child. `ask` may be called once; `end` any number of times, from any thread."""

    def __init__(self, task: Task, arguments: list[str], *, monotonic: Callable[[], float]) -> None:
        self.task = task
        self.layers: tuple[str, ...] = ()
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._ended = False
        self._process = subprocess.Popen(  # noqa: S603 - a fixed command line of our own, no shell
            arguments,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd="/",
            env={},
            start_new_session=True,
            bufsize=0,
        )
        if self._process.stdin is None or self._process.stdout is None:  # both were asked for above
            raise ChildEnded(0)
        self._input = self._process.stdin
        self._output = self._process.stdout
        os.set_blocking(self._input.fileno(), False)
        os.set_blocking(self._output.fileno(), False)

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether the process still runs."""
        return self._process.poll() is None

    def wait_ready(self, *, until: float) -> None:
        """Wait until the child says that it is confined. Raises `ChildTimeout`, `ChildEnded`, `BadFrame`."""
        if not self.layers:
            layers = decode_object(self._read_frame(MAX_READY_OCTETS, until)).get("layers")
            if not isinstance(layers, list) or not all(isinstance(name, str) for name in layers):
                raise BadFrame
            self.layers = tuple(layers)

    def ask(self, octets: bytes, request: Request, *, until: float, at_most: int) -> tuple[Outcome, dict[str, Any]]:
        """Send the octets, return the outcome and its values; the answer must carry the request's nonce.

        Raises `ChildTimeout`, `ChildEnded`, `BadFrame`.
        """
        self._write(encode_request(request, octets), until)
        reply = decode_object(self._read_frame(at_most, until))
        nonce = reply.get("nonce")
        if not isinstance(nonce, str) or not secrets.compare_digest(nonce.encode(), request.nonce.encode()):
            raise BadFrame
        try:
            outcome = Outcome(reply["outcome"])
        except (KeyError, ValueError) as error:
            raise BadFrame from error
        result = reply.get("result", {})
        if not isinstance(result, dict):
            raise BadFrame
        return outcome, result

    def kill(self) -> None:
        """Kill the child and everything it started. Doesn't wait, never raises; may be called from any thread."""
        with self._lock:
            if not self._ended:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(self._process.pid, signal.SIGKILL)

    def end(self) -> None:
        """Kill, close both pipes and reap."""
        self.kill()
        with self._lock:
            if self._ended:
                return
            # The pipe closes just before the process is gone, and waiting for that alone would go in steps of milliseconds.
            closed = select.poll()
            closed.register(self._output.fileno(), 0)
            closed.poll(PIPE_CLOSED_S * 1_000)
            self._process.wait(REAP_S)
            self._ended = True
        self._input.close()
        self._output.close()

    def _write(self, data: bytes, until: float) -> None:
        view = memoryview(data)
        while view:
            self._await(self._input.fileno(), select.POLLOUT, until)
            try:
                view = view[os.write(self._input.fileno(), view[:PIECE_OCTETS]) :]
            except BlockingIOError:
                continue
            except BrokenPipeError as error:
                raise self._gone() from error

    def _read_frame(self, at_most: int, until: float) -> bytes:
        return self._read(length_of(self._read(HEADER_OCTETS, until), at_most=at_most), until)

    def _read(self, count: int, until: float) -> bytes:
        pieces: list[bytes] = []
        while count:
            self._await(self._output.fileno(), select.POLLIN, until)
            try:
                piece = os.read(self._output.fileno(), min(count, PIECE_OCTETS))
            except BlockingIOError:
                continue
            if not piece:
                raise self._gone()
            pieces.append(piece)
            count -= len(piece)
        return b"".join(pieces)

    def _await(self, descriptor: int, event: int, until: float) -> None:
        left = until - self._monotonic()
        poll = select.poll()
        poll.register(descriptor, event)
        if left <= 0 or not poll.poll(left * 1_000):
            raise ChildTimeout

    def _gone(self) -> ChildEnded:
        """What ended the child, which has closed its pipes."""
        try:
            status = self._process.wait(CLOSED_S)
        except subprocess.TimeoutExpired:
            return ChildEnded(0)
        return ChildEnded(-status if status < 0 else 0)
