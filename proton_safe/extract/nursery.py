"""Where extraction children come from: one thread starts them all, and keeps one spare for a while.

The kernel ends a child together with the thread that started it (Linux, PR_SET_PDEATHSIG), so that thread must outlive the child;
a tool's worker thread may not. The thread begins with the first child and ends with `close`.
"""

from __future__ import annotations

import queue
import threading
from concurrent.futures import Future
from typing import TYPE_CHECKING, Final

from proton_safe.extract.child import Child
from proton_safe.extract.frames import Task
from proton_safe.refusals import Code, Refusal

if TYPE_CHECKING:
    from collections.abc import Callable

    from proton_safe.call import Call, Clock

START_S: Final = 10.0


class Nursery:
    """Starts children and keeps a spare. Thread-safe."""

    def __init__(self, clock: Clock, *, command_of: Callable[[Task], list[str]], spare_s: float) -> None:
        self._clock = clock
        self._command_of = command_of
        self._spare_s = spare_s
        self._lock = threading.Lock()
        self._orders: queue.SimpleQueue[tuple[Task, Future[Child] | None] | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._spare: Child | None = None
        self._spare_ordered = False
        self._spare_ends = 0.0
        self._closed = False

    def start_spare(self) -> None:
        """Start a spare PDF child unless there is one. Doesn't wait for it."""
        with self._lock:
            if self._closed or self._spare_ordered:
                return
            self._spare_ordered = True
            self._order(Task.PDF, None)

    def child(self, task: Task, call: Call) -> Child:
        """The spare if it fits, else a new child. The caller ends it."""
        with self._lock:
            if self._closed:
                raise Refusal(Code.CONTENT_UNREADABLE)
            if task is Task.PDF and self._spare is not None:
                spare, self._spare, self._spare_ordered = self._spare, None, False
                if spare.alive:
                    return spare
                spare.end()
            future: Future[Child] = Future()
            self._order(task, future)
        try:
            return future.result(call.remaining(START_S))
        except TimeoutError:
            future.add_done_callback(_end_unwanted)
            call.remaining()
            raise Refusal(Code.CONTENT_UNREADABLE) from None

    def close(self) -> None:
        """End the spare and the thread; no child starts any more. May be called more than once."""
        with self._lock:
            self._closed = True
            thread = self._thread
        self._orders.put(None)
        if thread is not None:
            thread.join(START_S)
        self._end_spare()

    def _order(self, task: Task, future: Future[Child] | None) -> None:
        """Put an order, starting the thread with the first. The lock is held."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._start_children, name="extraction children", daemon=True)
            self._thread.start()
        self._orders.put((task, future))

    def _start_children(self) -> None:
        while True:
            try:
                order = self._orders.get(timeout=self._spare_left())
            except queue.Empty:
                self._end_spare()
                continue
            if order is None:
                return
            self._start(*order)

    def _start(self, task: Task, future: Future[Child] | None) -> None:
        try:
            child = Child(task, self._command_of(task), monotonic=self._clock.monotonic)
        except OSError as error:
            self._failed(future, error)
            return
        if future is not None:
            future.set_result(child)
            return
        with self._lock:
            if not self._closed:
                self._spare, self._spare_ends = child, self._clock.monotonic() + self._spare_s
                return
        child.end()

    def _failed(self, future: Future[Child] | None, error: OSError) -> None:
        if future is not None:
            future.set_exception(error)
            return
        with self._lock:
            self._spare_ordered = False

    def _spare_left(self) -> float | None:
        with self._lock:
            return None if self._spare is None else max(self._spare_ends - self._clock.monotonic(), 0.0)

    def _end_spare(self) -> None:
        with self._lock:
            spare, self._spare = self._spare, None
            self._spare_ordered = False
        if spare is not None:
            spare.end()


def _end_unwanted(future: Future[Child]) -> None:
    """Nobody waits for this child any more."""
    if future.exception() is None:
        future.result().end()
