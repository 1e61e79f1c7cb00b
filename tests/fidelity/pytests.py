"""The pytest processes of this job: several at once, each in a folder that goes with it, none outliving the job."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Final, Self, TypeVar

from tests.fidelity.bridge import VARIABLE
from tests.fidelity.rows import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

PYTEST: Final = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--tb=short")
_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


class Ended(Exception):
    """The job is at its end, and no further process starts."""


class Pytests:
    """A context; whatever ends it, Ctrl-C too, ends what is still under way."""

    def __init__(self, jobs: int) -> None:
        self._pool = ThreadPoolExecutor(jobs)
        self._folder = tempfile.TemporaryDirectory(prefix="fidelity-", ignore_cleanup_errors=True)
        self._lock = threading.Lock()
        self._under_way: set[subprocess.Popen[str]] = set()
        self._is_over = False
        self._count = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)
        with self._lock:
            self._is_over = True
            for process in self._under_way:
                process.terminate()
        self._pool.shutdown()
        self._folder.cleanup()

    def each(self, work: Callable[[_Item], _Result], items: Iterable[_Item]) -> Iterator[_Result]:
        """The results in the order of the items; as many at once as there are jobs."""
        return self._pool.map(work, items)

    def run(self, tests: Sequence[str], without: str, *, wait_s: float) -> subprocess.CompletedProcess[str]:
        """These tests against a fakebridge that lacks this behaviour ("": none). Raises TimeoutExpired, Ended."""
        with self._lock:
            if self._is_over:
                raise Ended
            self._count += 1
            command = [*PYTEST, f"--basetemp={self._folder.name}/{self._count}", *tests]
            process = subprocess.Popen(
                command, cwd=ROOT, env={**os.environ, VARIABLE: without}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
            )
            self._under_way.add(process)
        try:
            said, complained = process.communicate(timeout=wait_s)
        finally:
            process.kill()
            process.wait()
            with self._lock:
                self._under_way.discard(process)
        return subprocess.CompletedProcess(command, process.returncode, said, complained)
