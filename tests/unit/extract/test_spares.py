"""Children that are started before there is a document for them: used once, replaced, never left behind."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from proton_safe.extract.child import command
from proton_safe.extract.extractor import Extractor
from proton_safe.extract.frames import Task
from proton_safe.refusals import Refusal
from tests.unit.extract import pdf_source
from tests.unit.extract.children import living, lying, pdf_text
from tests.waiting import BOUND_S, until

if TYPE_CHECKING:
    from collections.abc import Callable

    from proton_safe.call import Call
    from tests.unit.extract.conftest import ComputersClock


def _ready(extractor: Extractor, task: Task) -> bool:
    """Whether there is a spare for the task that has been started."""
    spare = extractor._nursery._spares.get(task)
    return spare is not None and spare.child.done()


def test_a_spare_is_used_once(extractor: Extractor, new_call: Callable[[], Call]) -> None:
    """Security anchors 2.4 C: a single-use spare."""
    before = living()
    extractor.warm()
    extractor.warm()
    until(lambda: _ready(extractor, Task.PDF))
    (spare,) = living() - before
    assert pdf_text(extractor, pdf_source.says("warm"), new_call()).text == "warm"
    assert not Path(f"/proc/{spare}").exists()
    assert living() == before


def test_a_spare_that_still_starts_is_taken_too(clock: ComputersClock, new_call: Callable[[], Call]) -> None:
    """A document that comes early doesn't pay for two children."""
    started: list[Task] = []

    def noted(task: Task) -> list[str]:
        started.append(task)
        return command(task)

    extractor = Extractor(clock, command_of=noted, rest_s=BOUND_S)
    extractor._nursery.start_spare(Task.PDF, after_s=BOUND_S)
    assert pdf_text(extractor, pdf_source.says("early"), new_call()).text == "early"
    assert started == [Task.PDF]
    extractor.close()


def test_a_pdf_that_was_answered_is_followed_by_a_spare(clock: ComputersClock, new_call: Callable[[], Call]) -> None:
    """Product page 5: the next document costs no start-up either. The same holds when the answer was a refusal."""
    extractor = Extractor(clock, rest_s=0.0)
    before = living()
    for octets in (pdf_source.says("first"), b"%PDF-1.7"):
        with contextlib.suppress(Refusal):
            pdf_text(extractor, octets, new_call())
        until(lambda: _ready(extractor, Task.PDF))
        (spare,) = living() - before
        assert pdf_text(extractor, pdf_source.says("next"), new_call()).text == "next"
        assert not Path(f"/proc/{spare}").exists()
    extractor.close()
    assert living() == before


def test_a_document_that_had_to_be_stopped_is_followed_by_none(clock: ComputersClock, new_call: Callable[[], Call]) -> None:
    """Product page 3: nothing that a sender wrote may cost more than its budget."""
    extractor = Extractor(clock, command_of=lying("signal.pause()"), rest_s=0.0, work_s=0.1)
    with pytest.raises(Refusal):
        pdf_text(extractor, b"%PDF-", new_call())
    assert not extractor._nursery._spares
    extractor.close()


def test_each_kind_of_child_has_a_spare_of_its_own(extractor: Extractor, new_call: Callable[[], Call]) -> None:
    """A child has loaded one parser only."""
    before = living()
    extractor.warm()
    extractor.warm(Task.HTML)
    until(lambda: _ready(extractor, Task.PDF) and _ready(extractor, Task.HTML))
    spare = extractor._nursery._spares[Task.HTML].child.result().pid
    assert extractor.html("<p>warm", call=new_call())["text"] == "warm"
    assert spare not in living()
    assert extractor._nursery._spares.keys() == {Task.PDF}
    assert len(living() - before) == 1


def test_a_spare_that_nobody_uses_ends(clock: ComputersClock) -> None:
    """Security anchors 2.4: it expires."""
    extractor = Extractor(clock, spare_s=0.05)
    before = living()
    extractor.warm()
    until(lambda: not extractor._nursery._spares)
    until(lambda: living() == before)
    extractor.warm()
    until(lambda: not extractor._nursery._spares)
    extractor.close()
    assert living() == before


def test_a_dead_spare_is_replaced(extractor: Extractor, new_call: Callable[[], Call]) -> None:
    """A spare can be killed from outside, by the system for example."""
    extractor.warm()
    until(lambda: _ready(extractor, Task.PDF))
    spare = extractor._nursery._spares[Task.PDF].child.result()
    spare.kill()
    until(lambda: not spare.alive)
    assert pdf_text(extractor, pdf_source.says("anew"), new_call()).text == "anew"
