"""The measured mailbox: which letter lies where. Its last hundred places hold what is read by uid."""

from __future__ import annotations

import io
import random
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from bench.letters import letter, lot, message_id, when, with_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

USER: Final = "bench@letters.example"
PASSWORD: Final = "bench-password-inert00"  # noqa: S105 - of a mailbox that exists for minutes
LEAST: Final = 200
SMALL: Final = 40  # so many that no timed read meets the letter that it read last
THREAD: Final = 12
FILE_OCTETS: Final = 10_000_000
PDF_PAGES: Final = 50
_PICTURE: Final = 112
_UNREAD: Final = 0.15


@dataclass(frozen=True, slots=True)
class Placed:
    """A letter of the mailbox. `name` says what it is read for; '' for the mass."""

    name: str
    seen: bool
    received: datetime
    octets: bytes


def small(number: int) -> str:
    """The name of the small letter that is read in the round `number`."""
    return f"small {number % SMALL}"


def special(count: int) -> dict[int, str]:
    """Place (from 0) to name, of the letters that are read by uid."""
    base = count - 100
    names = {base + place: small(place) for place in range(SMALL)}
    return {**names, base + 45: "pdf", base + 49: "file", base + 60 + THREAD - 1: "thread"}


def placed(count: int, *, first: int = 0) -> Iterator[Placed]:
    """The letters in the order in which they are stored, from the place `first` on."""
    names = special(count)
    base = count - 100 + 60
    for place in range(first, count):
        name = names.get(place, "")
        seen = lot(f"seen {place}").random() >= _UNREAD
        yield Placed(name, seen, when(place), _octets(name, place, base))


def _octets(name: str, place: int, thread: int) -> bytes:
    if name == "pdf":
        return with_file(place, "report.pdf", "application/pdf", pdf())
    if name == "file":
        return with_file(place, "archive.bin", "application/octet-stream", lot("file").randbytes(FILE_OCTETS))
    if name == "thread":
        return letter(place, kind="both", thread=tuple(message_id(thread + step) for step in range(THREAD - 1)))
    return letter(place, kind="small" if name else "")


@cache
def pdf() -> bytes:
    """A PDF of 50 pages, each with about 1,900 characters and a picture that doesn't compress: 2 MB."""
    from reportlab import rl_config  # noqa: PLC0415 - slow, and not every run needs it
    from reportlab.lib.utils import ImageReader  # noqa: PLC0415 - as above
    from reportlab.pdfgen.canvas import Canvas  # noqa: PLC0415 - as above

    rl_config.useA85 = 0
    draw = lot("pdf")
    out = io.BytesIO()
    canvas = Canvas(out, pageCompression=1, invariant=1)
    for page in range(PDF_PAGES):
        canvas.setFont("Helvetica-Bold", 14)
        canvas.drawString(50, 800, f"Part {page + 1}")
        canvas.setFont("Helvetica", 9)
        for line in range(26):
            canvas.drawString(50, 775 - 13 * line, _line(draw))
        picture = b"P6 %d %d 255\n" % (_PICTURE, _PICTURE) + draw.randbytes(3 * _PICTURE * _PICTURE)
        canvas.drawImage(ImageReader(io.BytesIO(picture)), 50, 50, 300, 300)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def _line(draw: random.Random) -> str:
    words: list[str] = []
    while sum(map(len, words)) + len(words) < 70:
        words.append(draw.choice(("harbour", "lantern", "meadow", "copper", "violin", "saddle", "timber", "orange", "kettle", "walnut")))
    return " ".join(words)
