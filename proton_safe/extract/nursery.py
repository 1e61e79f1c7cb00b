"""Where extraction children come from: one thread starts them all, and keeps one spare of each kind for a while.

The kernel ends a child together with the thread that started it (Linux, PR_SET_PDEATHSIG), so that thread must outlive the child;
a tool's worker thread may not. The thread begins with the first child and ends with `close`.
"""

from __future__ import annotations

import threading
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from proton_safe.extract.child import Child
from proton_safe.refusals import Code, Refusal

if TYPE_CHECKING:
    from collections.abc import Callable

    from proton_safe.call import Call, Clock
    from proton_safe.extract.frames import Task

START_S: Final = 10.0


@dataclass(slots=True, eq=False)
class _Order:
    """A child that is started at the steady second `due`. As a spare it ends at the second `ends`, which its start sets."""

    task: Task
    due: float
    ends: float = 0.0
    child: Future[Child] = field(default_factory=Future)


class Nursery:
    """Starts children and keeps a spare. Thread-safe."""

    def __init__(self, clock: Clock, *, command_of: Callable[[Task], list[str]], spare_s: float) -> None:
        self._clock = clock
        self._command_of = command_of
        self._spare_s = spare_s
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._orders: list[_Order] = []
        """Not started yet."""
        self._spares: dict[Task, _Order] = {}
        """Nobody's so far, whether they are started or not."""
        self._closed = False

    def start_spare(self, task: Task, *, after_s: float = 0.0) -> None:
        """Start a spare child for the task in so many seconds, unless there is one or will be. Doesn't wait for it."""
        with self._changed:
            if not self._closed and task not in self._spares:
                self._spares[task] = self._order(task, after_s)

    def child(self, task: Task, call: Call) -> Child:
        """The spare if there is one, even if it is still to be started, else a new child. The caller ends it.

        Raises OSError when the program can't be started, `content-unreadable` when that takes too long or all is closed.
        """
        with self._changed:
            if self._closed:
                raise Refusal(Code.CONTENT_UNREADABLE)
            order = self._spares.pop(task, None)
            if order is not None and _is_dead(order):
                order.child.result().end()
                order = None
            if order is None:
                order = self._order(task, 0.0)
            else:
                order.due = self._clock.monotonic()
                self._changed.notify()
        try:
            return _started(order, call)
        except TimeoutError:
            call.remaining()
            raise Refusal(Code.CONTENT_UNREADABLE) from None

    def close(self) -> None:
        """End the spares and the thread; no child starts any more. May be called more than once."""
        with self._changed:
            self._closed = True
            self._changed.notify()
            thread = self._thread
        if thread is not None:
            thread.join(START_S)
        with self._changed:
            orders, self._orders = self._orders, []
            spares = tuple(self._spares.values())
            self._spares.clear()
        for order in orders:
            order.child.set_exception(Refusal(Code.CONTENT_UNREADABLE))
        for order in spares:
            order.child.add_done_callback(_end_unwanted)

    def _order(self, task: Task, after_s: float) -> _Order:
        """Put an order, starting the thread with the first. The lock is held."""
        order = _Order(task, self._clock.monotonic() + after_s)
        self._orders.append(order)
        self._changed.notify()
        if self._thread is None:
            self._thread = threading.Thread(target=self._start_children, name="extraction children", daemon=True)
            self._thread.start()
        return order

    def _start_children(self) -> None:
        while True:
            with self._changed:
                while not self._closed and (left := self._seconds_left()) != 0.0:
                    self._changed.wait(left)
                if self._closed:
                    return
                now = self._clock.monotonic()
                due = [order for order in self._orders if order.due <= now]
                self._orders = [order for order in self._orders if order.due > now]
                over = [order for order in self._spares.values() if order.child.done() and order.ends <= now]
                for order in over:
                    del self._spares[order.task]
            for order in due:
                self._start(order)
            for order in over:
                order.child.result().end()

    def _start(self, order: _Order) -> None:
        order.ends = self._clock.monotonic() + self._spare_s
        try:
            child = Child(order.task, self._command_of(order.task), monotonic=self._clock.monotonic)
        except OSError as error:
            with self._changed:
                if self._spares.get(order.task) is order:
                    del self._spares[order.task]
            order.child.set_exception(error)
            return
        order.child.set_result(child)

    def _seconds_left(self) -> float | None:
        """Until the next order is due or the next spare's time is up; None if there is neither. The lock is held."""
        due = [order.due for order in self._orders]
        ends = [order.ends for order in self._spares.values() if order.child.done()]
        return max(min(due + ends) - self._clock.monotonic(), 0.0) if due or ends else None


def _is_dead(order: _Order) -> bool:
    """Whether the order's child was started and runs no more."""
    return order.child.done() and order.child.exception() is None and not order.child.result().alive


def _started(order: _Order, call: Call) -> Child:
    """The order's child as soon as it is started. Whatever ends the wait early also ends the child, now or when it starts."""
    try:
        return order.child.result(call.remaining(START_S))
    except BaseException:
        order.child.add_done_callback(_end_unwanted)
        raise


def _end_unwanted(future: Future[Child]) -> None:
    """Nobody waits for this child any more."""
    if future.exception() is None:
        future.result().end()
