"""The worker's own part, in this process on streams of octets; what really confines it is tested with real children."""

from __future__ import annotations

import io
import json
import sys

import pytest

from proton_safe.extract import frames, pdf_text, worker
from proton_safe.extract.frames import Request, Task
from proton_safe.platforms import confinement
from tests.unit.extract import pdf_source


def _answered(task: Task, request: Request, octets: bytes) -> dict[str, object]:
    sink = io.BytesIO()
    worker.answer(task, io.BytesIO(frames.encode_request(request, octets)), sink)
    sink.seek(0)
    return frames.decode_object(frames.read_frame(sink, at_most=frames.MAX_HTML_ANSWER_OCTETS))


def test_a_pdf_is_answered_with_its_text_and_the_nonce() -> None:
    """The frame format of `frames`."""
    assert _answered(Task.PDF, Request("n1", max_pages=2, max_chars=500), pdf_source.says("hello")) == {
        "nonce": "n1",
        "outcome": "text",
        "result": {"text": "hello", "total_chars": 5, "pages_read": 1, "total_pages": 1, "failed_pages": []},
    }


def test_html_is_answered_with_what_the_flattener_makes_of_it() -> None:
    """Security anchors 2.6: the HTML parser belongs in the same child."""
    answer = _answered(Task.HTML, Request("n2"), "<p>caf\u00e9 <b>now</b>".encode())
    assert answer["outcome"] == "text"
    result = answer["result"]
    assert isinstance(result, dict)
    assert result["text"].strip() == "caf\u00e9 now"


@pytest.mark.parametrize("octets, outcome", [(b"%PDF-1.7", "malformed"), (b"", "malformed"), (pdf_source.says(""), "no-text")])
def test_what_can_not_be_read_is_one_word(octets: bytes, outcome: str) -> None:
    """Attack catalogue, pdf-structure/empty-and-tiny: no exception's text leaves the child."""
    assert _answered(Task.PDF, Request("n", max_pages=1, max_chars=500), octets) == {"nonce": "n", "outcome": outcome}


def test_running_out_of_memory_is_an_outcome(monkeypatch: pytest.MonkeyPatch) -> None:
    """Security anchors 2.2: MemoryError under the limit of address space."""

    def full(*_arguments: object, **_figures: object) -> None:
        raise MemoryError

    monkeypatch.setattr(pdf_text, "read_pdf", full)
    assert _answered(Task.PDF, Request("n", max_pages=1, max_chars=500), b"") == {"nonce": "n", "outcome": "memory"}


def test_a_request_that_never_comes_ends_the_worker_without_an_answer() -> None:
    """A spare whose server is gone reads the end of its input."""
    sink = io.BytesIO()
    worker.answer(Task.PDF, io.BytesIO(b""), sink)
    assert sink.getvalue() == b""


def test_the_worker_says_what_holds_it_before_it_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Security anchors 2.2: the worker reports which layers are active."""
    monkeypatch.setattr(confinement, "confine", lambda: ("one", "two"))
    monkeypatch.setattr(confinement, "follow_parent", lambda parent: parent == 7)
    monkeypatch.setattr(sys, "argv", ["-c", "pdf", "7"])
    source, sink = io.BytesIO(frames.encode_request(Request("n", 1, 0, 500), pdf_source.says("x"))), io.BytesIO()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(source))
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(sink))
    worker.main()
    sink.seek(0)
    first, second = (json.loads(frames.read_frame(sink, at_most=1_024)) for _ in range(2))
    assert (first, second["outcome"]) == ({"layers": ["one", "two"]}, "text")


def test_a_worker_whose_parent_is_gone_does_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Attack catalogue, box/parent-dies."""
    monkeypatch.setattr(confinement, "follow_parent", lambda _: False)
    sink = io.BytesIO()
    worker.serve(Task.PDF, parent=1, source=io.BytesIO(), sink=sink)
    assert sink.getvalue() == b""


@pytest.mark.parametrize("task", Task)
def test_the_sample_of_the_warm_up_can_be_read(task: Task) -> None:
    """Attack catalogue, box/lazy-import-blocked: the worker warms up on a sample of ours."""
    octets = {Task.PDF: worker.SAMPLE_PDF, Task.HTML: worker.SAMPLE_HTML}[task]
    assert _answered(task, Request("n", 1, 0, 500), octets)["outcome"] == "text"
