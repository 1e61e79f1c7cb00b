"""The server's way to text from octets that may be hostile: at most two children at a time, each used once.

A spare child can be kept ready (`warm`), so that the next document costs no start-up; it is used once or ends after a minute. Who
reads one PDF often reads another, or reads on in it, so a PDF's child that has answered is followed by another spare.
"""

from __future__ import annotations

import contextlib
import secrets
import signal
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from proton_safe.extract.child import Child, ChildEnded, ChildTimeout, command
from proton_safe.extract.frames import MAX_ANSWER_OCTETS, MAX_HTML_ANSWER_OCTETS, BadFrame, Outcome, Request, Task
from proton_safe.extract.nursery import Nursery
from proton_safe.refusals import Code, Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from proton_safe.call import Call, Clock

WORK_S: Final = 4.0
START_S: Final = 10.0
SPARE_S: Final = 60.0
# A child that starts takes a processor for a while: the answer that has just been found goes out first.
REST_S: Final = 0.1
MAX_CHILDREN: Final = 2

_REFUSALS: Final = {
    Outcome.ENCRYPTED: Code.PDF_ENCRYPTED,
    Outcome.MALFORMED: Code.PDF_MALFORMED,
    Outcome.NO_TEXT: Code.PDF_NO_TEXT,
    Outcome.LIMIT: Code.PDF_LIMIT,
    Outcome.MEMORY: Code.PDF_MEMORY,
}


@dataclass(frozen=True, slots=True)
class PdfText:
    """Text of a PDF from the offset asked for; `total_chars` is the length of what was extracted to get there."""

    text: str
    total_chars: int
    pages_read: int
    total_pages: int
    failed_pages: tuple[int, ...]


@dataclass(slots=True)
class Allotment:
    """How many seconds the children of one message may still take together. Waiting for a place is not counted."""

    seconds: float = WORK_S


class Extractor:
    """Owns the children. Thread-safe; `close` ends all of them."""

    def __init__(
        self,
        clock: Clock,
        *,
        command_of: Callable[[Task], list[str]] = command,
        spare_s: float = SPARE_S,
        rest_s: float = REST_S,
        work_s: float = WORK_S,
    ) -> None:
        self._clock = clock
        self._rest_s = rest_s
        self._work_s = work_s
        self._nursery = Nursery(clock, command_of=command_of, spare_s=spare_s)
        self._changed = threading.Condition()
        self._running: set[Child] = set()
        self._places = MAX_CHILDREN
        self._closed = False

    def warm(self, task: Task = Task.PDF) -> None:
        """Have one spare child for the task ready soon. Returns at once; does nothing if there is one or if children work."""
        self._keep_spare(task, after_s=0.0)

    def pdf(self, octets: bytes, *, max_pages: int, offset_chars: int, max_chars: int, call: Call) -> PdfText:
        """Text of a PDF. Raises the refusals `pdf-…` and `content-unreadable`, and what the call raises when it ends."""
        request = Request(secrets.token_hex(16), max_pages, offset_chars, max_chars)
        outcome, values = self._work(Task.PDF, octets, request, at_most=MAX_ANSWER_OCTETS, call=call)
        self._keep_spare(Task.PDF, after_s=self._rest_s)
        if outcome is not Outcome.TEXT:
            raise Refusal(_REFUSALS[outcome])
        return _pdf_text(values, request)

    def html(self, text: str, *, call: Call, allotted: Allotment | None = None) -> dict[str, Any]:
        """The fields of what `proton_safe.mime.html_text` makes of this HTML, as plain data (tuples come as lists).

        Several documents may share what is `allotted` to them. Raises `content-unreadable` when the child doesn't get through, and
        what the call raises when it ends.
        """
        request = Request(secrets.token_hex(16))
        try:
            outcome, values = self._work(
                Task.HTML, text.encode("utf-8", "replace"), request, at_most=MAX_HTML_ANSWER_OCTETS, call=call, allotted=allotted
            )
        except Refusal as refusal:
            if refusal.code is Code.PDF_DEADLINE:
                raise Refusal(Code.CONTENT_UNREADABLE) from refusal
            raise
        if outcome is not Outcome.TEXT:
            raise Refusal(Code.CONTENT_UNREADABLE)
        return values

    def close(self) -> None:
        """End all children. May be called more than once."""
        with self._changed:
            self._closed = True
            children = tuple(self._running)
            self._changed.notify_all()
        for child in children:
            child.kill()
        self._nursery.close()

    def _keep_spare(self, task: Task, *, after_s: float) -> None:
        with self._changed:
            idle = self._places == MAX_CHILDREN and not self._closed
        if idle:
            self._nursery.start_spare(task, after_s=after_s)

    def _work(
        self, task: Task, octets: bytes, request: Request, *, at_most: int, call: Call, allotted: Allotment | None = None
    ) -> tuple[Outcome, dict[str, Any]]:
        self._take_place(call)
        try:
            child = self._nursery.child(task, call)
            try:
                with self._registered(child), call.interruptible(child.kill):
                    return self._ask(child, octets, request, at_most=at_most, call=call, allotted=allotted or Allotment())
            finally:
                child.end()
        finally:
            self._give_place()

    def _ask(
        self, child: Child, octets: bytes, request: Request, *, at_most: int, call: Call, allotted: Allotment
    ) -> tuple[Outcome, dict[str, Any]]:
        """Drive one child, and turn every way in which it can end without an answer into a refusal."""
        began = self._clock.monotonic()
        try:
            child.wait_ready(until=self._within(START_S, call))
            return child.ask(octets, request, until=self._within(min(self._work_s, allotted.seconds), call), at_most=at_most)
        except ChildTimeout:
            call.remaining()
            raise Refusal(Code.PDF_DEADLINE) from None
        except ChildEnded as ended:
            call.check()
            raise Refusal(Code.PDF_DEADLINE if ended.signal == signal.SIGXCPU else Code.CONTENT_UNREADABLE) from None
        except BadFrame:
            raise Refusal(Code.CONTENT_UNREADABLE) from None
        finally:
            allotted.seconds -= self._clock.monotonic() - began

    def _within(self, seconds: float, call: Call) -> float:
        """The steady second at which `seconds` from now, or the call, end."""
        return self._clock.monotonic() + call.remaining(seconds)

    @contextlib.contextmanager
    def _registered(self, child: Child) -> Iterator[None]:
        """While inside, `close` kills the child; raises `content-unreadable` if that happened before."""
        with self._changed:
            if self._closed:
                raise Refusal(Code.CONTENT_UNREADABLE)
            self._running.add(child)
        try:
            yield
        finally:
            with self._changed:
                self._running.discard(child)

    def _take_place(self, call: Call) -> None:
        """Wait for one of the places; a cancel or `close` ends the wait."""
        with call.interruptible(self._wake), self._changed:
            while not self._places and not self._closed:
                self._changed.wait(call.remaining())
            call.check()
            if self._closed:
                raise Refusal(Code.CONTENT_UNREADABLE)
            self._places -= 1

    def _give_place(self) -> None:
        with self._changed:
            self._places += 1
            self._changed.notify_all()

    def _wake(self) -> None:
        with self._changed:
            self._changed.notify_all()


def _pdf_text(values: dict[str, Any], request: Request) -> PdfText:
    """The child's values as a value of ours. A child that a document has taken over may send anything: all of it is checked."""
    text, failed = values.get("text"), values.get("failed_pages")
    figures = [values.get(name) for name in ("total_chars", "pages_read", "total_pages")]
    if (
        not isinstance(text, str)
        or not isinstance(failed, list)
        or not all(type(figure) is int and figure >= 0 for figure in (*figures, *failed))
        or len(text) > request.max_chars
        or len(failed) > request.max_pages
    ):
        raise Refusal(Code.CONTENT_UNREADABLE)
    total_chars, pages_read, total_pages = (int(figure or 0) for figure in figures)
    return PdfText(text, total_chars, pages_read, total_pages, tuple(int(page) for page in failed))
