"""An ordinary mail as values: what is said, in which charset, encodings and structure. The same number gives the same mail."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from random import Random
from typing import Final, Literal

from tests.differential.languages import CHARSETS, PLAIN_WORDS, Charset

Structure = Literal["plain", "html", "alternative", "mixed", "related", "alternative-related", "nested", "forward", "signed"]
Transfer = Literal["7bit", "8bit", "quoted-printable", "base64"]
HeaderForm = Literal["q", "b", "raw"]
NameForm = Literal["quoted", "rfc2231", "sections", "word", "raw"]

STRUCTURES: Final[tuple[Structure, ...]] = (
    "plain", "html", "alternative", "mixed", "related", "alternative-related", "nested", "forward", "signed",
)  # fmt: skip  # one line for what is one list
_UTF_8: Final = "utf-8"
_ENDINGS: Final = (
    ("application/pdf", ".pdf"),
    ("text/csv", ".csv"),
    ("image/png", ".png"),
    ("application/octet-stream", ".bin"),
    ("text/plain", ".txt"),
)
_ZONES: Final = (0, 60, 120, -300, -480, 330, 540, 765)


@dataclass(frozen=True, slots=True)
class Person:
    """A display name, empty for none, and an address."""

    name: str
    address: str


@dataclass(frozen=True, slots=True)
class File:
    """An attachment: name, type, octets, and how the name is written."""

    name: str
    content_type: str
    octets: bytes
    form: NameForm


@dataclass(frozen=True, slots=True)
class Ordinary:
    """One mail. `lines` is its text; `flowed` whether the plain part is sent as format=flowed, `delsp` with DelSp=yes."""

    number: int
    charset: Charset
    transfer: Transfer
    structure: Structure
    header_form: HeaderForm
    subject: str
    sender: Person
    to: tuple[Person, ...]
    cc: tuple[Person, ...]
    date: datetime
    lines: tuple[str, ...]
    files: tuple[File, ...]
    flowed: bool
    delsp: bool

    @property
    def message_id(self) -> str:
        """Its Message-ID."""
        return f"<{self.number}.{self.number * 7919 % 100_003}@ordinary.example>"

    @property
    def text(self) -> str:
        """The lines as one text."""
        return "\n".join(self.lines)

    @property
    def has_plain(self) -> bool:
        """Whether a plain part says the text."""
        return self.structure not in {"html", "related"}


def ordinary(number: int) -> Ordinary:
    """The mail of this number: charsets and structures in turn, the rest drawn from the number."""
    draw = Random(number)  # noqa: S311 - the same mails for the same numbers
    charset = CHARSETS[number % len(CHARSETS)]
    structure = STRUCTURES[number // len(CHARSETS) % len(STRUCTURES)]
    flowed = structure in {"plain", "mixed"} and charset.ascii_based and draw.random() < 0.25
    forms: tuple[HeaderForm, ...] = ("q", "b", "raw") if charset.label.lower() == _UTF_8 else ("q", "b")
    form = draw.choice(forms)
    header_form: HeaderForm = "b" if not charset.ascii_based or charset.stateful else form
    return Ordinary(
        number=number,
        charset=charset,
        transfer=_transfer(draw, charset),
        structure=structure,
        header_form=header_form,
        subject=_phrase(draw, charset, 1, 14),
        sender=_person(draw, charset),
        to=tuple(_person(draw, charset) for _ in range(draw.randrange(1, 5))),
        cc=tuple(_person(draw, charset) for _ in range(draw.choice((0, 0, 1, 3)))),
        date=datetime(2026, 1, 1, tzinfo=UTC).astimezone(timezone(timedelta(minutes=draw.choice(_ZONES))))
        + timedelta(seconds=draw.randrange(30_000_000)),
        lines=_lines(draw, charset, html=structure not in {"plain", "mixed", "signed", "forward"}),
        files=_files(draw, charset, structure),
        flowed=flowed,
        delsp=flowed and draw.random() < 0.5,
    )


def _transfer(draw: Random, charset: Charset) -> Transfer:
    if not charset.ascii_based:
        return "base64"
    if charset.stateful or charset.codec == "ascii":
        return draw.choice(("7bit", "quoted-printable", "base64"))
    return draw.choice(("8bit", "quoted-printable", "base64"))


def _phrase(draw: Random, charset: Charset, least: int, most: int) -> str:
    words = (*charset.words, *draw.sample(PLAIN_WORDS, 6))
    return " ".join(draw.choice(words) for _ in range(draw.randrange(least, most + 1)))


def _person(draw: Random, charset: Charset) -> Person:
    address = (
        f"{draw.choice(('lena', 'o.brook', 'orders+42', 'x_y'))}{draw.randrange(100)}@{draw.choice(('brook', 'studio-lights'))}.example"
    )
    kind = draw.random()
    if kind < 0.15:
        return Person("", address)
    if kind < 0.35:
        return Person(draw.choice(("Brook, Lena", 'Lena "Lee" Brook', "O. Brook (sales)", "a\\b: lamps; more")), address)
    return Person(_phrase(draw, charset, 1, 4), address)


def _lines(draw: Random, charset: Charset, *, html: bool) -> tuple[str, ...]:
    lines = [_phrase(draw, charset, 3, 14) for _ in range(draw.randrange(1, 9))]
    if html:
        return tuple(lines)
    extra = ("", "  indented", "\ttabbed", "From here on", ".", "a = b = c", "=20 is no escape", "-- ", "Lena")
    for _ in range(draw.randrange(4)):
        lines.insert(draw.randrange(1, len(lines) + 1), draw.choice(extra))
    return (*lines, "end")


def _files(draw: Random, charset: Charset, structure: Structure) -> tuple[File, ...]:
    if structure not in {"mixed", "nested"}:
        return ()
    files = []
    for _ in range(draw.randrange(1, 4)):
        content_type, ending = draw.choice(_ENDINGS)
        plain = draw.random() < 0.4
        name = " ".join(draw.sample(PLAIN_WORDS[:12], 2)) if plain else _phrase(draw, charset, 1, 5).replace("/", "-").replace('"', "")
        form: NameForm = "quoted" if name.isascii() else draw.choice(("rfc2231", "sections", "word", "raw"))
        files.append(File(name + ending, content_type, draw.randbytes(draw.randrange(1, 300)), form))
    return tuple(files)
