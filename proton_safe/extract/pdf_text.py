"""Text of a PDF, page by page, within limits. The only importer of pypdf; runs inside the child.

Only the text path of the library is used, in plain mode: no outlines, forms, metadata, attachments or images, no other program.
An encrypted document is refused at its trailer, before anything is decrypted. A page whose text can't be read is named, never
left out silently; a limit that fires ends the whole document.
"""

from __future__ import annotations

import io
import logging
import re
from dataclasses import dataclass
from typing import Final

from pypdf import Configuration, PageObject, PdfReader, apply_configuration
from pypdf.errors import LimitReachedError

from proton_safe.extract.frames import Outcome

_MEGABYTE: Final = 1_000_000
LIMITS: Final = Configuration(
    maximum_declared_stream_length=12 * _MEGABYTE,
    array_based_stream_maximum_output_length=4 * _MEGABYTE,
    array_maximum_element_count=20_000,
    dictionary_maximum_element_count=2_000,
    jbig2_maximum_output_length=0,
    lzw_maximum_output_length=4 * _MEGABYTE,
    run_length_maximum_output_length=4 * _MEGABYTE,
    zlib_maximum_output_length=4 * _MEGABYTE,
    zlib_maximum_recovery_input_length=_MEGABYTE,
    brotli_maximum_output_length=4 * _MEGABYTE,
    flate_maximum_columns=10_000,
    flate_maximum_row_length=40_000,
    stream_filters_maximum_length=3,
    stream_decoding_work_maximum_length=12 * _MEGABYTE,
    stream_parsing_work_maximum_count=200_000,
    page_tree_maximum_entries=20_000,
    page_tree_maximum_page_entries=200_000,
    xform_maximum_invocations_per_extraction=50,
    jbig2dec_binary=None,
    disable_legacy_handling=True,
)
MAX_XREF_STREAM_ENTRIES: Final = 200_000
MAX_ROOT_SEARCHES: Final = 1_000
PAGE_BREAK: Final = "\n\n"

_LONE_SURROGATE: Final = re.compile("[\ud800-\udfff]")
# The library goes on without a form that it could not read, and says so in its log only.
_FORM_LEFT_OUT: Final = ("Impossible to decode XFormObject", "Exceeded %(limit)d form XObject")


class Encrypted(Exception):
    """The trailer names an encryption dictionary."""


class _Reader(PdfReader):
    def _handle_encryption(self, password: str | bytes | None) -> None:  # noqa: ARG002 - the library's signature, and no password exists
        """Called by the library as soon as it has seen /Encrypt in the trailer."""
        raise Encrypted


class _LeftOut(logging.Handler):
    """Notices that the library left a form out of the page that is being read."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.seen = False

    def emit(self, record: logging.LogRecord) -> None:
        """Look at the constant part of the message only."""
        self.seen = self.seen or str(record.msg).startswith(_FORM_LEFT_OUT)


@dataclass(frozen=True, slots=True)
class PdfPages:
    """What was read: the text asked for, the length of all that was extracted, and which pages that took."""

    text: str
    total_chars: int
    pages_read: int
    total_pages: int
    failed_pages: tuple[int, ...]


def _page_text(page: PageObject) -> str:
    return _LONE_SURROGATE.sub("\ufffd", page.extract_text())


def _pages(reader: PdfReader, log: _LeftOut, *, max_pages: int, offset_chars: int, max_chars: int) -> PdfPages:
    total = len(reader.pages)
    text = ""
    read = 0
    failed: list[int] = []
    for number in range(1, min(total, max_pages) + 1):
        log.seen = False
        found = ""
        try:
            found = _page_text(reader.pages[number - 1])
        except (MemoryError, LimitReachedError, Encrypted):
            raise
        except Exception:  # noqa: BLE001 - the library raises whatever a broken page makes it raise; the page is named as failed
            log.seen = True
        if log.seen:
            failed.append(number)
        read = number
        text += (PAGE_BREAK if text and found else "") + found
        if len(text) > offset_chars + max_chars:
            break
    return PdfPages(text[offset_chars : offset_chars + max_chars], len(text), read, total, tuple(failed))


def read_pdf(octets: bytes, *, max_pages: int, offset_chars: int, max_chars: int) -> PdfPages | Outcome:
    """Text of at most `max_pages` pages, from `offset_chars` on, at most `max_chars` characters, or why there is none.

    Reading stops with the page that completes the range; `total_chars` is the length of what was extracted until then. Page
    texts are joined by an empty line. Raises MemoryError, and whatever error a broken document provokes in the library.
    """
    log = _LeftOut()
    logger = logging.getLogger("pypdf")
    logger.addHandler(log)
    logger.propagate = False
    try:
        with apply_configuration(LIMITS):
            reader = _Reader(
                io.BytesIO(octets), root_object_recovery_limit=MAX_ROOT_SEARCHES, xref_stream_maximum_entries=MAX_XREF_STREAM_ENTRIES
            )
            if reader.is_encrypted:
                raise Encrypted
            pages = _pages(reader, log, max_pages=max_pages, offset_chars=offset_chars, max_chars=max_chars)
    except Encrypted:
        return Outcome.ENCRYPTED
    except LimitReachedError:
        return Outcome.LIMIT
    finally:
        logger.removeHandler(log)
    if pages.total_chars:
        return pages
    return Outcome.MALFORMED if pages.failed_pages or not pages.total_pages else Outcome.NO_TEXT
