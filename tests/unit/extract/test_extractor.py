"""The extractor with real children: text, refusals, cancels, the spare, and no process left behind."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from proton_safe.call import Call, CallCancelled
from proton_safe.extract.child import command
from proton_safe.extract.extractor import Allotment, Extractor, PdfText
from proton_safe.extract.frames import Task
from proton_safe.refusals import Code, Refusal
from tests.unit.extract import pdf_source
from tests.waiting import BOUND_S, until

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.unit.extract.conftest import ComputersClock


# A server that starts a child, tells its process id to the descriptor in argv, and waits to be killed.
_SERVER_OF_A_CHILD = """
import os, signal, subprocess, sys
from proton_safe.extract.child import command
from proton_safe.extract.frames import Task
child = subprocess.Popen(command(Task.PDF), stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True, bufsize=0)
child.stdout.read(4)
os.write(int(sys.argv[1]), str(child.pid).encode())
signal.pause()
"""


def _children() -> set[int]:
    """The living processes that this one has started. A thread that ends while it is looked at makes the look begin anew."""
    while True:
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            return {
                int(pid) for task in Path("/proc/self/task").iterdir() for pid in (task / "children").read_text(encoding="ascii").split()
            }


def _gone(pid: int) -> bool:
    """Whether the process has ended; a zombie waits for its new parent only."""
    try:
        return "Z" in Path(f"/proc/{pid}/stat").read_text(encoding="ascii").split()
    except (FileNotFoundError, ProcessLookupError):
        return True


def _ready(extractor: Extractor, task: Task) -> bool:
    """Whether there is a spare for the task that has been started."""
    spare = extractor._nursery._spares.get(task)
    return spare is not None and spare.child.done()


def _pdf(extractor: Extractor, octets: bytes, call: Call, *, max_chars: int = 500) -> PdfText:
    return extractor.pdf(octets, max_pages=50, offset_chars=0, max_chars=max_chars, call=call)


def _lying(code: str) -> Callable[[Task], list[str]]:
    prelude = (
        "import json, os, signal\ndef frame(value):\n    p = json.dumps(value).encode()\n    os.write(1, len(p).to_bytes(4, 'big') + p)\n"
    )
    head = prelude + "frame({'layers': ['x']})\nn = json.loads(os.read(0, 65536)[4:].split(b'}')[0] + b'}')['nonce']\n"
    return lambda _task: [sys.executable, "-I", "-S", "-c", head + code]


def test_a_pdf_becomes_text_and_the_child_is_gone(extractor: Extractor, new_call: Callable[[], Call]) -> None:
    """Product page 5: a child per document."""
    before = _children()
    assert _pdf(extractor, pdf_source.says("hello", "world"), new_call()) == PdfText("hello\n\nworld", 12, 2, 2, ())
    assert _children() == before


def test_html_becomes_text_in_a_child_of_its_own(extractor: Extractor, new_call: Callable[[], Call]) -> None:
    """Security anchors 2.6."""
    found = extractor.html("<p>caf\u00e9 <b>now</b><p hidden>secret", call=new_call())
    assert found["text"].strip() == "caf\u00e9 now"


def test_documents_share_the_seconds_allotted_to_them(clock: ComputersClock, new_call: Callable[[], Call]) -> None:
    """Product page 3: into however many parts a mail is cut, it costs its budget once. Here the first child takes it all."""
    extractor = Extractor(clock, command_of=_lying("signal.pause()"))
    allotted = Allotment(0.3)
    for _ in range(2):
        with pytest.raises(Refusal) as raised:
            extractor.html("<p>", call=new_call(), allotted=allotted)
        assert raised.value.code is Code.CONTENT_UNREADABLE
    assert allotted.seconds < 0
    extractor.close()


@pytest.mark.parametrize(
    "octets, codes",
    [
        (b"%PDF-1.7", {Code.PDF_MALFORMED}),
        (pdf_source.says(""), {Code.PDF_NO_TEXT}),
        (pdf_source.document([], trailer=b"/Encrypt << >> "), {Code.PDF_ENCRYPTED}),
        (pdf_source.million_operators(), {Code.PDF_LIMIT}),
        (pdf_source.quadratic(), {Code.PDF_DEADLINE}),
        (pdf_source.wide_mapping(1_500_000), {Code.PDF_MEMORY, Code.PDF_DEADLINE}),
    ],
    ids=["tiny", "no text", "encrypted", "million operators", "quadratic", "wide mapping"],
)
def test_each_end_has_its_own_code_and_leaves_no_process(
    extractor: Extractor, new_call: Callable[[], Call], octets: bytes, codes: set[Code]
) -> None:
    """Attack catalogue, pdf-bomb: a limit fires or the child is killed; the next document is read as ever."""
    before = _children()
    with pytest.raises(Refusal) as raised:
        _pdf(extractor, octets, new_call())
    assert raised.value.code in codes
    assert _children() == before
    assert _pdf(extractor, pdf_source.says("next"), new_call()).text == "next"


def test_a_cancel_kills_the_child_at_once(clock: ComputersClock, new_call: Callable[[], Call]) -> None:
    """Product page 3: a cancelled call stops working in the extraction child too."""
    extractor = Extractor(clock, work_s=60)
    call, before, raised = new_call(), _children(), []

    def work() -> None:
        try:
            _pdf(extractor, pdf_source.quadratic(), call)
        except (CallCancelled, Refusal) as error:
            raised.append(type(error))

    thread = threading.Thread(target=work)
    thread.start()
    until(lambda: _children() != before)
    call.cancel()
    thread.join(BOUND_S)
    assert (raised, _children()) == ([CallCancelled], before)
    extractor.close()


def test_a_cancel_ends_the_wait_for_a_place(clock: ComputersClock, new_call: Callable[[], Call]) -> None:
    """Attack catalogue, box/parallel-workers: two children at a time, the third waits and can be cancelled."""
    extractor = Extractor(clock, command_of=_lying("signal.pause()"), work_s=60)
    calls, ends = [new_call() for _ in range(3)], []

    def work(call: Call) -> None:
        try:
            _pdf(extractor, b"%PDF-", call)
        except (CallCancelled, Refusal) as error:
            ends.append(type(error))

    before = _children()
    threads = [threading.Thread(target=work, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    until(lambda: len(_children() - before) == 2)
    for call in calls:
        call.cancel()
    for thread in threads:
        thread.join(BOUND_S)
    assert ends == [CallCancelled] * 3
    assert _children() == before
    extractor.close()


def test_the_end_of_the_call_ends_the_child(clock: ComputersClock) -> None:
    """Product page 3: one deadline for the whole call."""
    extractor = Extractor(clock, work_s=60)
    with pytest.raises(Refusal) as raised:
        _pdf(extractor, pdf_source.quadratic(), Call(clock, seconds=1))
    assert raised.value.code is Code.DEADLINE
    extractor.close()


def test_a_spare_is_used_once(extractor: Extractor, new_call: Callable[[], Call]) -> None:
    """Security anchors 2.4 C: a single-use spare."""
    before = _children()
    extractor.warm()
    extractor.warm()
    until(lambda: _ready(extractor, Task.PDF))
    (spare,) = _children() - before
    assert _pdf(extractor, pdf_source.says("warm"), new_call()).text == "warm"
    assert not Path(f"/proc/{spare}").exists()
    assert _children() == before


def test_a_spare_that_still_starts_is_taken_too(clock: ComputersClock, new_call: Callable[[], Call]) -> None:
    """A document that comes early doesn't pay for two children."""
    started: list[Task] = []

    def noted(task: Task) -> list[str]:
        started.append(task)
        return command(task)

    extractor = Extractor(clock, command_of=noted, rest_s=BOUND_S)
    extractor._nursery.start_spare(Task.PDF, after_s=BOUND_S)
    assert _pdf(extractor, pdf_source.says("early"), new_call()).text == "early"
    assert started == [Task.PDF]
    extractor.close()


def test_a_pdf_that_was_answered_is_followed_by_a_spare(clock: ComputersClock, new_call: Callable[[], Call]) -> None:
    """Product page 5: the next document costs no start-up either. The same holds when the answer was a refusal."""
    extractor = Extractor(clock, rest_s=0.0)
    before = _children()
    for octets in (pdf_source.says("first"), b"%PDF-1.7"):
        with contextlib.suppress(Refusal):
            _pdf(extractor, octets, new_call())
        until(lambda: _ready(extractor, Task.PDF))
        (spare,) = _children() - before
        assert _pdf(extractor, pdf_source.says("next"), new_call()).text == "next"
        assert not Path(f"/proc/{spare}").exists()
    extractor.close()
    assert _children() == before


def test_a_document_that_had_to_be_stopped_is_followed_by_none(clock: ComputersClock, new_call: Callable[[], Call]) -> None:
    """Product page 3: nothing that a sender wrote may cost more than its budget."""
    extractor = Extractor(clock, command_of=_lying("signal.pause()"), rest_s=0.0, work_s=0.1)
    with pytest.raises(Refusal):
        _pdf(extractor, b"%PDF-", new_call())
    assert not extractor._nursery._spares
    extractor.close()


def test_each_kind_of_child_has_a_spare_of_its_own(extractor: Extractor, new_call: Callable[[], Call]) -> None:
    """A child has loaded one parser only."""
    before = _children()
    extractor.warm()
    extractor.warm(Task.HTML)
    until(lambda: _ready(extractor, Task.PDF) and _ready(extractor, Task.HTML))
    spare = extractor._nursery._spares[Task.HTML].child.result().pid
    assert extractor.html("<p>warm", call=new_call())["text"] == "warm"
    assert spare not in _children()
    assert extractor._nursery._spares.keys() == {Task.PDF}
    assert len(_children() - before) == 1


def test_a_spare_that_nobody_uses_ends(clock: ComputersClock) -> None:
    """Security anchors 2.4: it expires."""
    extractor = Extractor(clock, spare_s=0.05)
    before = _children()
    extractor.warm()
    until(lambda: not extractor._nursery._spares)
    until(lambda: _children() == before)
    extractor.warm()
    until(lambda: not extractor._nursery._spares)
    extractor.close()
    assert _children() == before


def test_a_dead_spare_is_replaced(extractor: Extractor, new_call: Callable[[], Call]) -> None:
    """A spare can be killed from outside, by the system for example."""
    extractor.warm()
    until(lambda: _ready(extractor, Task.PDF))
    spare = extractor._nursery._spares[Task.PDF].child.result()
    spare.kill()
    until(lambda: not spare.alive)
    assert _pdf(extractor, pdf_source.says("anew"), new_call()).text == "anew"


def test_after_the_end_nothing_starts(extractor: Extractor, new_call: Callable[[], Call]) -> None:
    """`close` ends all children and may be called twice."""
    before = _children()
    extractor.warm()
    extractor.close()
    extractor.close()
    extractor.warm()
    with pytest.raises(Refusal) as raised:
        _pdf(extractor, pdf_source.says("late"), new_call())
    assert raised.value.code is Code.CONTENT_UNREADABLE
    assert _children() == before


def test_closing_ends_a_child_at_work(clock: ComputersClock, new_call: Callable[[], Call]) -> None:
    """A server that leaves takes its children along."""
    extractor = Extractor(clock, command_of=_lying("signal.pause()"), work_s=60)
    before, codes = _children(), []

    def work() -> None:
        try:
            _pdf(extractor, b"%PDF-", new_call())
        except Refusal as refusal:
            codes.append(refusal.code)

    thread = threading.Thread(target=work)
    thread.start()
    until(lambda: len(extractor._running) == 1)
    extractor.close()
    thread.join(BOUND_S)
    assert (codes, _children()) == ([Code.CONTENT_UNREADABLE], before)


@pytest.mark.parametrize(
    "result",
    [
        "{}",
        "{'text': 1, 'total_chars': 1, 'pages_read': 1, 'total_pages': 1, 'failed_pages': []}",
        "{'text': 'x' * 501, 'total_chars': 1, 'pages_read': 1, 'total_pages': 1, 'failed_pages': []}",
        "{'text': 'x', 'total_chars': -1, 'pages_read': 1, 'total_pages': 1, 'failed_pages': []}",
        "{'text': 'x', 'total_chars': True, 'pages_read': 1, 'total_pages': 1, 'failed_pages': []}",
        "{'text': 'x', 'total_chars': 1, 'pages_read': 1, 'total_pages': 1, 'failed_pages': ['1']}",
        "{'text': 'x', 'total_chars': 1, 'pages_read': 1, 'total_pages': 1, 'failed_pages': [1] * 51}",
    ],
)
def test_values_that_no_honest_child_sends_are_refused(clock: ComputersClock, new_call: Callable[[], Call], result: str) -> None:
    """Attack catalogue, box/stdout-lies: a child may be in the document's hands."""
    extractor = Extractor(clock, command_of=_lying(f"frame({{'nonce': n, 'outcome': 'text', 'result': {result}}})"))
    with pytest.raises(Refusal) as raised:
        _pdf(extractor, b"%PDF-", new_call())
    assert raised.value.code is Code.CONTENT_UNREADABLE
    extractor.close()


@pytest.mark.parametrize("code", ["frame({'nonce': n, 'outcome': 'malformed'})", "signal.pause()", "frame('lie')", "os._exit(1)"])
def test_html_that_can_not_be_read_has_one_code(clock: ComputersClock, new_call: Callable[[], Call], code: str) -> None:
    """A PDF's codes never name a mail's text."""
    extractor = Extractor(clock, command_of=_lying(code), work_s=0.5)
    with pytest.raises(Refusal) as raised:
        extractor.html("<p>", call=new_call())
    assert raised.value.code is Code.CONTENT_UNREADABLE
    extractor.close()


def test_a_program_that_can_not_be_started_is_no_refusal(clock: ComputersClock, new_call: Callable[[], Call]) -> None:
    """A broken installation is our trouble; dispatch makes it an internal error."""
    extractor = Extractor(clock, command_of=lambda _: ["/nowhere/python"])
    extractor.warm()
    with pytest.raises(OSError, match="No such file"):
        _pdf(extractor, b"%PDF-", new_call())
    extractor.close()


def test_a_child_dies_with_the_server() -> None:
    """Attack catalogue, box/parent-dies: a killed server leaves no child behind."""
    if sys.platform != "linux":
        pytest.skip(reason="the kernel of Linux ends the child; elsewhere it ends with its input")
    reader, writer = os.pipe()
    pid = os.posix_spawn(
        sys.executable,
        [sys.executable, "-c", _SERVER_OF_A_CHILD, str(writer)],
        os.environ,
        file_actions=[(os.POSIX_SPAWN_DUP2, writer, writer)],
    )
    os.close(writer)
    child = int(os.read(reader, 20))
    os.close(reader)
    os.kill(pid, 9)
    os.waitpid(pid, 0)
    until(lambda: _gone(child))


def test_the_command_line_of_a_child_is_isolated() -> None:
    """Security anchors 2.2: no environment, no user folders, no site-packages."""
    assert command(Task.PDF)[1:5] == ["-I", "-S", "-B", "-c"]
