"""What runs inside an extraction child: one request, one answer, and the end.

The child is started clean (no environment, no inherited files but two pipes). It imports its one parser, tries it on a sample of
our own so that nothing is left to import, gives up everything that the platform lets it give up, says so, and only then reads
foreign octets.
"""

from __future__ import annotations

import codecs
import dataclasses
import gc
import sys
import zlib
from typing import IO, TYPE_CHECKING, Any, Final

from proton_safe.extract.frames import (
    MAX_INPUT_OCTETS,
    MAX_REQUEST_OCTETS,
    BadFrame,
    Outcome,
    Request,
    Task,
    decode_request,
    encode,
    read_frame,
)

if TYPE_CHECKING:
    from collections.abc import Callable

# Optional companions of pypdf (images, decryption). They are never needed here, and what isn't loaded can't be attacked.
_UNWANTED: Final = ("PIL", "cryptography", "Crypto", "brotli", "brotlicffi", "fontTools")

# Character maps that PDF fonts name; each is a module that has to be loaded before files are out of reach.
_CODECS: Final = (
    "ascii",
    "latin-1",
    "utf-8",
    "utf-16",
    "utf-16-be",
    "utf-16-le",
    "utf-32-be",
    "cp1252",
    "mac-roman",
    "charmap",
    "unicode-escape",
    "gbk",
    "gb2312",
    "gb18030",
    "big5",
    "big5hkscs",
    "cp950",
    "cp932",
    "shift-jis",
    "euc-jp",
    "euc-kr",
    "cp949",
    "johab",
    "hz",
    "iso2022_jp",
)

_STREAM: Final = zlib.compress(b"BT /F 9 Tf (warm) Tj T* (up) ' ET")
SAMPLE_PDF: Final = (
    b"%%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Type/Pages/Count 1/Kids[3 0 R]>>\nendobj\n"
    b"3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 5 0 R/Resources<</Font<</F 4 0 R>>>>>>\nendobj\n"
    b"4 0 obj\n<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>\nendobj\n"
    b"5 0 obj\n<</Filter/FlateDecode/Length %d>>\nstream\n%b\nendstream\nendobj\n"
    b"trailer\n<</Root 1 0 R/Size 6>>\nstartxref\n0\n%%%%EOF\n"
) % (len(_STREAM), _STREAM)
SAMPLE_HTML: Final = (
    b"<!doctype html><title>t</title><style>.x{display:none}</style><table><tr><td>a<td><a href='https://b.example/'>b</a></table>&eacute;"
)


def _shut_out_unwanted() -> None:
    for name in _UNWANTED:
        sys.modules.setdefault(name, None)  # type: ignore[arg-type] # None makes an import of that name fail, see importlib's docs


def _pdf(octets: bytes, request: Request) -> dict[str, Any]:
    from proton_safe.extract.pdf_text import read_pdf  # noqa: PLC0415 - a child loads the parser of its task, and no other

    found = read_pdf(octets, max_pages=request.max_pages, offset_chars=request.offset_chars, max_chars=request.max_chars)
    if isinstance(found, Outcome):
        return {"outcome": found}
    return {"outcome": Outcome.TEXT, "result": dataclasses.asdict(found)}


def _html(octets: bytes, _request: Request) -> dict[str, Any]:
    from proton_safe.mime.html_text import html_text  # noqa: PLC0415 - a child loads the parser of its task, and no other

    return {"outcome": Outcome.TEXT, "result": dataclasses.asdict(html_text(octets.decode("utf-8", "replace")))}


_WORK: Final[dict[Task, tuple[Callable[[bytes, Request], dict[str, Any]], bytes]]] = {
    Task.PDF: (_pdf, SAMPLE_PDF),
    Task.HTML: (_html, SAMPLE_HTML),
}


def warm_up(task: Task) -> None:
    """Import what the task needs and use it once on a sample of ours."""
    _shut_out_unwanted()
    for name in _CODECS:
        codecs.lookup(name)
    work, sample = _WORK[task]
    work(sample, Request("", max_pages=1, max_chars=100))


def answer(task: Task, source: IO[bytes], sink: IO[bytes]) -> None:
    """Read one request, do it, write one answer. Whatever the parser raises becomes an outcome; nothing of it leaves."""
    try:
        request = decode_request(read_frame(source, at_most=MAX_REQUEST_OCTETS))
        octets = read_frame(source, at_most=MAX_INPUT_OCTETS)
    except BadFrame:
        return
    try:
        found = _WORK[task][0](octets, request)
        reply = encode({"nonce": request.nonce, **found})
    except MemoryError:
        reply = encode({"nonce": request.nonce, "outcome": Outcome.MEMORY})
    except Exception:  # noqa: BLE001 - parsers of hostile files raise anything; every such end is one and the same outcome
        reply = encode({"nonce": request.nonce, "outcome": Outcome.MALFORMED})
    sink.write(reply)
    sink.flush()


def serve(task: Task, *, parent: int, source: IO[bytes], sink: IO[bytes]) -> None:
    """Warm up, confine this process, announce what holds, then answer one request. Ends quietly if the parent is gone."""
    from proton_safe.platforms.confinement import confine, follow_parent  # noqa: PLC0415 - only a real child is ever confined

    if not follow_parent(parent):
        return
    warm_up(task)
    if task is Task.HTML:
        gc.disable()  # a tree is built once and thrown away with the process; memory has a limit of its own
    sink.write(encode({"layers": confine()}))
    sink.flush()
    answer(task, source, sink)


def main() -> None:
    """Entry of the child: argv holds the task and the parent's process id."""
    serve(Task(sys.argv[-2]), parent=int(sys.argv[-1]), source=sys.stdin.buffer, sink=sys.stdout.buffer)
