"""Tool calls of the plain shape, from the wire to a worker and back to the wire, without the SDK between.

Most calls have that shape, and for a short call the way through the SDK's tasks and streams costs several times what the call does. What
the client sees is the same to the octet (a property that tests hold); all else is judged and answered by the SDK.
"""

from __future__ import annotations

import queue
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from proton_safe.call import Call
from proton_safe.protocol.answers import of_refusal
from proton_safe.protocol.dispatch import checked
from proton_safe.protocol.output import ClientGone, encode
from proton_safe.protocol.progress import LEAST_INTERVAL_S, STARTED
from proton_safe.refusals import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable

    from proton_safe.protocol.answers import Answer
    from proton_safe.protocol.book import Book
    from proton_safe.protocol.dispatch import Dispatch
    from proton_safe.protocol.output import Output
    from proton_safe.protocol.progress import Report
    from proton_safe.tools.definition import Arguments, ToolDefinition

MAX_WORKERS: Final = 4


@dataclass(eq=False, slots=True)
class _Job:
    """One call that was taken and has not ended. `call` is there once it runs."""

    number: int
    definition: ToolDefinition[Any, Any]
    arguments: Arguments
    token: str | int | None
    ready: Callable[[], object] = field(init=False)
    call: Call | None = None
    cancelled: bool = False


class PlainCalls:
    """Thread-safe. `gone` is called, from a worker, when nobody reads what the server writes."""

    def __init__(self, dispatch: Dispatch, book: Book, output: Output, gone: Callable[[], object]) -> None:
        self._dispatch = dispatch
        self._book = book
        self._output = output
        self._gone = gone
        self._ready: queue.SimpleQueue[_Job] = queue.SimpleQueue()
        self._ended = threading.Condition()
        self._jobs: dict[int, _Job] = {}
        self._workers = 0
        self._closed = False

    def take(self, number: int, params: dict[str, Any]) -> bool:
        """Take a call whose params have the plain shape (`front_door.FrontDoor.is_plain`). False: it is the SDK's to answer."""
        definition = self._dispatch.tool(params["name"])
        if definition is None:
            return False
        try:
            arguments = checked(definition, params.get("arguments", {}))
        except Refusal as refusal:
            self._write(number, of_refusal(refusal))
            return True
        job = _Job(number, definition, arguments, params.get("_meta", {}).get("progressToken"))
        job.ready = lambda: self._ready.put(job)
        with self._ended:
            if self._closed:
                return False
            self._jobs[number] = job
            if self._workers < min(len(self._jobs), MAX_WORKERS):
                self._workers += 1
                threading.Thread(target=self._work, name=f"call-{self._workers}", daemon=True).start()
        self._dispatch.places.ask(job.ready)
        return True

    def cancel(self, number: int) -> bool:
        """Stop a call, or never begin it; False if it isn't here. Its answer must have been struck from the book."""
        with self._ended:
            job = self._jobs.get(number)
            if job is None:
                return False
            job.cancelled = True
            call = job.call
        if call is not None:
            call.cancel()
        elif self._dispatch.places.withdraw(job.ready):
            self._end(job)
        return True

    def close(self) -> None:
        """Take no more and cancel all; what they were to answer is lost. `wait` waits for them."""
        with self._ended:
            self._closed = True
            numbers = tuple(self._jobs)
        for number in numbers:
            self.cancel(number)

    def wait(self) -> None:
        """Until no call is left. Calls that are stuck are let go by what ends the process."""
        with self._ended:
            self._ended.wait_for(lambda: not self._jobs)

    def _end(self, job: _Job) -> None:
        with self._ended:
            del self._jobs[job.number]
            self._ended.notify_all()

    def _work(self) -> None:
        while True:
            job = self._ready.get()
            try:
                self._perform(job)
            except ClientGone:
                self._gone()
            finally:
                self._end(job)
                self._dispatch.places.give()

    def _perform(self, job: _Job) -> None:
        """Run it and write its answer. The place is held until the answer is written, so that at most four answers wait for a client."""
        call = Call(self._dispatch.clock, seconds=job.definition.seconds, progress=self._reporter(job))
        with self._ended:
            job.call = call
            if job.cancelled or self._closed:
                return
        if job.token is not None:
            self._report(job, 0.0, None, STARTED)
        answer = self._dispatch.answer(job.definition, call, job.arguments)
        if not call.cancelled:  # else none is due, and what the call came to is not why it ended
            self._write(job.number, answer)

    def _write(self, number: int, answer: Answer) -> None:
        """Answer the client, unless it has cancelled the call."""
        octets = answer.octets()
        identifier = self._book.settle(number)
        if identifier is not None:
            self._output.write_octets(b'{"jsonrpc":"2.0","id":' + encode(identifier) + b',"result":' + octets + b"}")

    def _reporter(self, job: _Job) -> Report | None:
        """As `progress.reporter`: progress only grows, and comes at most ten times a second."""
        if job.token is None:
            return None
        furthest, last = 0.0, self._dispatch.clock.monotonic() - LEAST_INTERVAL_S

        def report(done: float, total: float | None, message: str) -> None:
            nonlocal furthest, last
            now = self._dispatch.clock.monotonic()
            if done > furthest and now - last >= LEAST_INTERVAL_S:
                furthest, last = done, now
                self._report(job, done, total, message)

        return report

    def _report(self, job: _Job, done: float, total: float | None, message: str) -> None:
        if job.cancelled:
            return
        facts = {"progressToken": job.token, "progress": done, **({} if total is None else {"total": total}), "message": message}
        self._output.write({"jsonrpc": "2.0", "method": "notifications/progress", "params": facts})
