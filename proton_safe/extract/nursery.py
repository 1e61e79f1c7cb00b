"""Where extraction children come from: one thread starts them all, and keeps one spare of each kind for a while.

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
        self._spares: dict[Task, Child] = {}
        self._ordered: set[Task] = set()
        self._ends: dict[Task, float] = {}
        self._closed = False

    def start_spare(self, task: Task) -> None:
        """Start a spare child for the task unless there is one. Doesn't wait for it."""
        with self._lock:
            if self._closed or task in self._ordered:
                return
            self._ordered.add(task)
            self._order(task, None)

    def child(self, task: Task, call: Call) -> Child:
        """The spare if it fits, else a new child. The caller ends it."""
        with self._lock:
            if self._closed:
                raise Refusal(Code.CONTENT_UNREADABLE)
            spare = self._spares.pop(task, None)
            if spare is not None:
                self._ordered.discard(task)
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
        self._end_spares(all_of_them=True)

    def _order(self, task: Task, future: Future[Child] | None) -> None:
        """Put an order, starting the thread with the first. The lock is held."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._start_children, name="extraction children", daemon=True)
            self._thread.start()
        self._orders.put((task, future))

    def _start_children(self) -> None:
        while True:
            try:
                order = self._orders.get(timeout=self._spares_left())
            except queue.Empty:
                self._end_spares(all_of_them=False)
                continue
            if order is None:
                return
            self._start(*order)

    def _start(self, task: Task, future: Future[Child] | None) -> None:
        try:
            child = Child(task, self._command_of(task), monotonic=self._clock.monotonic)
        except OSError as error:
            self._failed(task, future, error)
            return
        if future is not None:
            future.set_result(child)
            return
        with self._lock:
            if not self._closed:
                self._spares[task], self._ends[task] = child, self._clock.monotonic() + self._spare_s
                return
        child.end()

    def _failed(self, task: Task, future: Future[Child] | None, error: OSError) -> None:
        if future is not None:
            future.set_exception(error)
            return
        with self._lock:
            self._ordered.discard(task)

    def _spares_left(self) -> float | None:
        """Seconds until the next spare's time is up; None if there is none."""
        with self._lock:
            return max(min(self._ends[task] for task in self._spares) - self._clock.monotonic(), 0.0) if self._spares else None

    def _end_spares(self, *, all_of_them: bool) -> None:
        """End the spares whose time is up, or all."""
        with self._lock:
            now = self._clock.monotonic()
            ended = [task for task in self._spares if all_of_them or self._ends[task] <= now]
            spares = [self._spares.pop(task) for task in ended]
            self._ordered.difference_update(ended)
        for spare in spares:
            spare.end()


def _end_unwanted(future: Future[Child]) -> None:
    """Nobody waits for this child any more."""
    if future.exception() is None:
        future.result().end()
