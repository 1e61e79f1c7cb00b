"""A child process that speaks in lines: what it writes is read by threads, so nothing it does can block the suite."""

from __future__ import annotations

import contextlib
import os
import queue
import select
import subprocess
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import IO, Final

MAX_STDERR_OCTETS: Final = 1_000_000
_END: Final = b""


class Ended(Exception):
    """The process closed its output."""


class Silent(Exception):
    """No line came within the time allowed."""


class LineProcess:
    """A started command. Lines of its standard output come from `next_line`; its standard error is kept up to a limit."""

    def __init__(
        self, command: Sequence[str], *, environment: Mapping[str, str], folder: str, on_line: Callable[[bytes], None] | None = None
    ) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - the command is the operator's own
            list(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(environment), cwd=folder
        )
        self._lines: queue.Queue[bytes] = queue.Queue()
        self._deliver = on_line if on_line is not None else self._lines.put
        self._stderr = bytearray()
        self._writing = threading.Lock()
        self._reading_stderr = threading.Lock()
        self._threads = (
            threading.Thread(target=self._read_lines, args=(self._process.stdout,), daemon=True),
            threading.Thread(target=self._read_stderr, args=(self._process.stderr,), daemon=True),
        )
        for thread in self._threads:
            thread.start()

    @property
    def pid(self) -> int:
        """The process's id."""
        return self._process.pid

    @property
    def stderr(self) -> str:
        """What was written to standard error so far, also what nobody has read from its pipe yet: an answer may be faster."""
        if self._process.stderr is not None:
            with contextlib.suppress(ValueError, OSError):
                while self._take_stderr(self._process.stderr):
                    pass
        return bytes(self._stderr).decode("utf-8", "replace")

    def write(self, octets: bytes) -> None:
        """Write and flush. Raises Ended when the process no longer reads."""
        if self._process.stdin is None:
            raise Ended
        try:
            with self._writing:
                self._process.stdin.write(octets)
                self._process.stdin.flush()
        except (OSError, ValueError) as gone:
            raise Ended from gone

    def next_line(self, *, within_s: float) -> bytes:
        """The next line without its end. Raises Silent or Ended."""
        try:
            line = self._lines.get(timeout=within_s)
        except queue.Empty:
            raise Silent from None
        if line == _END:
            raise Ended
        return line.rstrip(b"\r\n")

    def close(self, *, patience_s: float = 5.0) -> int:
        """Close standard input, wait, then terminate, then kill. Gives the exit status."""
        if self._process.stdin is not None:
            with contextlib.suppress(OSError, ValueError):
                self._process.stdin.close()
        for stop in (None, self._process.terminate, self._process.kill):
            if stop is not None:
                stop()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(timeout=patience_s)
                break
        for thread in self._threads:
            thread.join(timeout=patience_s)
        for pipe in (self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()
        return self._process.returncode if self._process.returncode is not None else -1

    def _read_lines(self, pipe: IO[bytes]) -> None:
        with contextlib.suppress(ValueError):
            for line in pipe:
                self._deliver(line)
        self._deliver(_END)

    def _read_stderr(self, pipe: IO[bytes]) -> None:
        with contextlib.suppress(ValueError, OSError):
            while True:
                select.select([pipe], [], [])
                if self._take_stderr(pipe) == _END:
                    return

    def _take_stderr(self, pipe: IO[bytes]) -> bytes | None:
        """What lies in the pipe, kept and given; None when nothing does, `_END` at its end. Never waits."""
        with self._reading_stderr:
            if not select.select([pipe], [], [], 0)[0]:
                return None
            chunk = os.read(pipe.fileno(), 65_536)
            self._stderr += chunk[: max(0, MAX_STDERR_OCTETS - len(self._stderr))]
            return chunk


def run_to_its_end(command: Sequence[str], *, environment: Mapping[str, str], folder: str, within_s: float = 60.0) -> tuple[int, str, str]:
    """Start a command that has nothing to read; its exit status, standard output and standard error. Raises TimeoutExpired."""
    done = subprocess.run(  # noqa: S603 - the command is the operator's own
        list(command), stdin=subprocess.DEVNULL, capture_output=True, env=dict(environment), cwd=folder, timeout=within_s, check=False
    )
    return done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")


def inherited_environment() -> dict[str, str]:
    """What every child gets of this process's environment: how to find programs, how to speak UTF-8, how to measure coverage."""
    kept = {key: value for key, value in os.environ.items() if key in {"PATH", "SYSTEMROOT", "TMPDIR"} or key.startswith("COVERAGE")}
    return {**kept, "LANG": "C.UTF-8", "PYTHONUTF8": "1"}
