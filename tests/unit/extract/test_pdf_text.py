"""Text of PDFs, in this process: what is read, what is refused, what is named as failed."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proton_safe.extract.frames import Outcome
from proton_safe.extract.pdf_text import PdfPages, read_pdf
from tests.unit.extract import pdf_source


def _read(octets: bytes, *, max_pages: int = 50, offset_chars: int = 0, max_chars: int = 500) -> PdfPages | Outcome:
    return read_pdf(octets, max_pages=max_pages, offset_chars=offset_chars, max_chars=max_chars)


def test_pages_are_joined_by_an_empty_line() -> None:
    """Seed contract 1.5: page texts joined by a blank line."""
    assert _read(pdf_source.says("one", "two")) == PdfPages("one\n\ntwo", 8, 2, 2, ())


def test_reading_stops_with_the_page_that_completes_the_range() -> None:
    """Security anchors 2.5: stop after max_chars."""
    ten = pdf_source.says(*("x" * 100 for _ in range(10)))
    assert _read(ten, max_chars=150) == PdfPages("x" * 100 + "\n\n" + "x" * 48, 202, 2, 10, ())
    assert _read(ten, max_chars=150, offset_chars=150) == PdfPages("x" * 52 + "\n\n" + "x" * 96, 304, 3, 10, ())


def test_no_more_pages_are_read_than_asked_for() -> None:
    """Seed contract 1.3: max_pages."""
    assert _read(pdf_source.says("one", "two", "three"), max_pages=2) == PdfPages("one\n\ntwo", 8, 2, 3, ())


def test_a_lone_surrogate_becomes_a_replacement_character() -> None:
    """Attack catalogue, pdf-text/lone-surrogate: it could not be written as UTF-8."""
    assert _read(pdf_source.lone_surrogate()) == PdfPages("\ufffd", 1, 1, 1, ())


@pytest.mark.parametrize(
    "trailer",
    [
        b"/Encrypt 5 ",
        b"/Encrypt << /Filter /Standard >> ",
        b"/Encrypt << /Filter /FooBar /V 1 >> ",
        b"/Encrypt << /Filter /Standard /V 99 >> ",
    ],
)
def test_whatever_names_an_encryption_is_encrypted(trailer: bytes) -> None:
    """Attack catalogue, pdf-crypt: decided by the trailer, before anything is decrypted."""
    assert _read(pdf_source.document([pdf_source.stream(b"")], trailer=trailer)) is Outcome.ENCRYPTED


def test_a_page_that_fails_is_named_and_the_others_are_read() -> None:
    """Attack catalogue, pdf-structure/one-page-of-many-fails: never a silent gap."""
    broken = pdf_source.plain_stream(b"BT (x) Tj ET " + b"[" * 3_000 + b"]" * 3_000)
    good = pdf_source.stream(b"BT /F1 12 Tf (good) Tj ET")
    assert _read(pdf_source.document([good, broken, good])) == PdfPages("good\n\ngood", 10, 3, 3, (2,))
    assert _read(pdf_source.document([broken])) is Outcome.MALFORMED


def test_a_form_that_the_library_leaves_out_marks_its_page() -> None:
    """Attack catalogue, pdf-structure/xform-chain-2000: the library drops such a form and only logs it."""
    assert _read(pdf_source.nested_forms(3)) == PdfPages("page\nleaf", 9, 1, 1, ())
    deep = _read(pdf_source.nested_forms(400))
    assert isinstance(deep, PdfPages)
    assert (deep.text, deep.failed_pages) == ("page\n", (1,))


@pytest.mark.parametrize(
    "octets", [pdf_source.document([pdf_source.stream(b"q Q")]), pdf_source.says("")], ids=["no operators", "empty text"]
)
def test_pages_without_text_are_told_from_damage(octets: bytes) -> None:
    """Attack catalogue, pdf-structure/scan-no-text."""
    assert _read(octets) is Outcome.NO_TEXT


def test_a_document_without_pages_is_malformed() -> None:
    """Nothing can be said about what it says."""
    assert _read(pdf_source.document([])) is Outcome.MALFORMED


def test_the_library_s_limits_are_outcomes() -> None:
    """Attack catalogue 0.3: the tight limits fire before the work is done."""
    assert _read(pdf_source.million_operators()) is Outcome.LIMIT
    assert _read(pdf_source.document([pdf_source.stream(b"%" + b"A" * 5_000_000)])) is Outcome.LIMIT


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_any_cut_or_changed_file_ends_in_text_an_outcome_or_an_ordinary_exception(data: st.DataObject) -> None:
    """Attack catalogue, pdf-structure/truncated: the worker turns every exception into one outcome, and nothing hangs."""
    octets = bytearray(pdf_source.says("one", "two"))
    for _ in range(data.draw(st.integers(0, 4))):
        octets[data.draw(st.integers(0, len(octets) - 1))] = data.draw(st.integers(0, 255))
    octets = octets[: data.draw(st.integers(1, len(octets)))]
    found: PdfPages | Outcome | None = None
    # The library's exceptions are of any kind; the worker turns each into one outcome, and only memory is a matter of its own.
    with contextlib.suppress(Exception):
        found = _read(bytes(octets))
    assert found is None or isinstance(found, (PdfPages, Outcome))
