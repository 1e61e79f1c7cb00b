"""Children of an extractor: those that live, those that lie, and the usual question for one."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from proton_safe.call import Call
    from proton_safe.extract.extractor import Extractor, PdfText
    from proton_safe.extract.frames import Task


def living() -> set[int]:
    """The process ids of the living processes that this one has started.

    A thread that ends while it is looked at makes the look begin anew.
    """
    while True:
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            return {
                int(pid) for task in Path("/proc/self/task").iterdir() for pid in (task / "children").read_text(encoding="ascii").split()
            }


def pdf_text(extractor: Extractor, octets: bytes, call: Call, *, max_chars: int = 500) -> PdfText:
    """The text of a PDF of at most 50 pages, from its beginning."""
    return extractor.pdf(octets, max_pages=50, offset_chars=0, max_chars=max_chars, call=call)


def lying(code: str) -> Callable[[Task], list[str]]:
    """The command line of a child that greets like an honest one, reads its task and runs this code.

    The code has `frame(value)`, which sends, the nonce `n` of the task, and `json`, `os` and `signal`.
    """
    prelude = (
        "import json, os, signal\ndef frame(value):\n    p = json.dumps(value).encode()\n    os.write(1, len(p).to_bytes(4, 'big') + p)\n"
    )
    head = prelude + "frame({'layers': ['x']})\nn = json.loads(os.read(0, 65536)[4:].split(b'}')[0] + b'}')['nonce']\n"
    return lambda _task: [sys.executable, "-I", "-S", "-c", head + code]
