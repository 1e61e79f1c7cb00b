"""The extractor with real children: text, refusals, cancels, and no process left behind."""

from __future__ import annotations

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
from tests.unit.extract.children import living, lying, pdf_text
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


def _gone(pid: int) -> bool:
    """Whether the process has ended; a zombie waits for its new parent only."""
    try:
        return "Z" in Path(f"/proc/{pid}/stat").read_text(encoding="ascii").split()
    except (FileNotFoundError, ProcessLookupError):
        return True


def test_a_pdf_becomes_text_and_the_child_is_gone(extractor: Extractor, new_call: Callable[[], Call]) -> None:
    """Product page 5: a child per document."""
    before = living()
    assert pdf_text(extractor, pdf_source.says("hello", "world"), new_call()) == PdfText("hello\n\nworld", 12, 2, 2, ())
    assert living() == before


def test_html_becomes_text_in_a_child_of_its_own(extractor: Extractor, new_call: Callable[[], Call]) -> None:
    """Security anchors 2.6."""
    found = extractor.html("<p>caf\u00e9 <b>now</b><p hidden>secret", call=new_call())
    assert found["text"].strip() == "caf\u00e9 now"


def test_documents_share_the_seconds_allotted_to_them(clock: ComputersClock, new_call: Callable[[], Call]) -> None:
    """Product page 3: into however many parts a mail is cut, it costs its budget once. Here the first child takes it all."""
    extractor = Extractor(clock, command_of=lying("signal.pause()"))
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
    before = living()
    with pytest.raises(Refusal) as raised:
        pdf_text(extractor, octets, new_call())
    assert raised.value.code in codes
    assert living() == before
    assert pdf_text(extractor, pdf_source.says("next"), new_call()).text == "next"


def test_a_cancel_kills_the_child_at_once(clock: ComputersClock, new_call: Callable[[], Call]) -> None:
    """Product page 3: a cancelled call stops working in the extraction child too."""
    extractor = Extractor(clock, work_s=60)
    call, before, raised = new_call(), living(), []

    def work() -> None:
        try:
            pdf_text(extractor, pdf_source.quadratic(), call)
        except (CallCancelled, Refusal) as error:
            raised.append(type(error))

    thread = threading.Thread(target=work)
    thread.start()
    until(lambda: living() != before)
    call.cancel()
    thread.join(BOUND_S)
    assert (raised, living()) == ([CallCancelled], before)
    extractor.close()


def test_a_cancel_ends_the_wait_for_a_place(clock: ComputersClock, new_call: Callable[[], Call]) -> None:
    """Attack catalogue, box/parallel-workers: two children at a time, the third waits and can be cancelled."""
    extractor = Extractor(clock, command_of=lying("signal.pause()"), work_s=60)
    calls, ends = [new_call() for _ in range(3)], []

    def work(call: Call) -> None:
        try:
            pdf_text(extractor, b"%PDF-", call)
        except (CallCancelled, Refusal) as error:
            ends.append(type(error))

    before = living()
    threads = [threading.Thread(target=work, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    until(lambda: len(living() - before) == 2)
    for call in calls:
        call.cancel()
    for thread in threads:
        thread.join(BOUND_S)
    assert ends == [CallCancelled] * 3
    assert living() == before
    extractor.close()


def test_the_end_of_the_call_ends_the_child(clock: ComputersClock) -> None:
    """Product page 3: one deadline for the whole call."""
    extractor = Extractor(clock, work_s=60)
    with pytest.raises(Refusal) as raised:
        pdf_text(extractor, pdf_source.quadratic(), Call(clock, seconds=1))
    assert raised.value.code is Code.DEADLINE
    extractor.close()


def test_after_the_end_nothing_starts(extractor: Extractor, new_call: Callable[[], Call]) -> None:
    """`close` ends all children and may be called twice."""
    before = living()
    extractor.warm()
    extractor.close()
    extractor.close()
    extractor.warm()
    with pytest.raises(Refusal) as raised:
        pdf_text(extractor, pdf_source.says("late"), new_call())
    assert raised.value.code is Code.CONTENT_UNREADABLE
    assert living() == before


def test_closing_ends_a_child_at_work(clock: ComputersClock, new_call: Callable[[], Call]) -> None:
    """A server that leaves takes its children along."""
    extractor = Extractor(clock, command_of=lying("signal.pause()"), work_s=60)
    before, codes = living(), []

    def work() -> None:
        try:
            pdf_text(extractor, b"%PDF-", new_call())
        except Refusal as refusal:
            codes.append(refusal.code)

    thread = threading.Thread(target=work)
    thread.start()
    until(lambda: len(extractor._running) == 1)
    extractor.close()
    thread.join(BOUND_S)
    assert (codes, living()) == ([Code.CONTENT_UNREADABLE], before)


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
    extractor = Extractor(clock, command_of=lying(f"frame({{'nonce': n, 'outcome': 'text', 'result': {result}}})"))
    with pytest.raises(Refusal) as raised:
        pdf_text(extractor, b"%PDF-", new_call())
    assert raised.value.code is Code.CONTENT_UNREADABLE
    extractor.close()


@pytest.mark.parametrize("code", ["frame({'nonce': n, 'outcome': 'malformed'})", "signal.pause()", "frame('lie')", "os._exit(1)"])
def test_html_that_can_not_be_read_has_one_code(clock: ComputersClock, new_call: Callable[[], Call], code: str) -> None:
    """A PDF's codes never name a mail's text."""
    extractor = Extractor(clock, command_of=lying(code), work_s=0.5)
    with pytest.raises(Refusal) as raised:
        extractor.html("<p>", call=new_call())
    assert raised.value.code is Code.CONTENT_UNREADABLE
    extractor.close()


def test_a_program_that_can_not_be_started_is_no_refusal(clock: ComputersClock, new_call: Callable[[], Call]) -> None:
    """A broken installation is our trouble; dispatch makes it an internal error."""
    extractor = Extractor(clock, command_of=lambda _: ["/nowhere/python"])
    extractor.warm()
    with pytest.raises(OSError, match="No such file"):
        pdf_text(extractor, b"%PDF-", new_call())
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
