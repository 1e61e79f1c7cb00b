"""Small generated mails for large worlds: the octets of the n-th one follow from the seed and n alone, and are made when asked for."""

from __future__ import annotations

import random
import zlib
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache

PEOPLE = (
    ("Mara Quill", "mara"),
    ("Tobias Renn", "tobias"),
    ("Inès Moreau", "ines"),
    ("Sam Okafor", "sam"),
    ("Lena Brandt", "lena"),
    ("Kenji Mori", "kenji"),
    ("Ola Nowak", "ola"),
    ("Ruth Adler", "ruth"),
    ("Piet Vos", "piet"),
    ("Dana Levi", "dana"),
)
TOPICS = (
    "Minutes of the meeting",
    "Delivery note",
    "Question about the offer",
    "Timetable",
    "Photos of the garden",
    "Reminder",
    "Draft of the report",
    "Travel plans",
    "Invoice",
    "Re: Timetable",
)
WORDS = (
    "table",
    "window",
    "garden",
    "letter",
    "answer",
    "number",
    "winter",
    "station",
    "paper",
    "bridge",
    "morning",
    "colour",
    "market",
    "simple",
    "quiet",
    "travel",
    "weather",
    "kitchen",
    "river",
    "planned",
    "sent",
    "arrived",
    "together",
    "before",
    "after",
    "between",
    "again",
    "always",
    "maybe",
    "early",
    "late",
    "small",
    "large",
    "yellow",
    "green",
    "round",
    "open",
    "closed",
    "written",
)
NEWEST = 1_767_225_600
"""The newest generated mail is from 2026-01-01 00:00 UTC; each further one is some minutes older."""
STEP_SECONDS = 1_117
DOMAIN = "bulk.example"
TEXTS = 8


@dataclass(frozen=True, slots=True)
class BulkMail:
    """The `index`-th mail of a recipe, newest first. `octets` is about how long it is in all."""

    seed: int
    index: int
    octets: int
    address: str
    name: str
    id: str

    @property
    def time(self) -> int:
        """When it came, seconds since 1970."""
        return NEWEST - self.index * STEP_SECONDS

    def built(self) -> bytes:
        """The mail in the form in which Bridge serves a plain text mail."""
        chance = zlib.crc32(b"%d/%d" % (self.seed, self.index))
        sender, local = PEOPLE[chance % len(PEOPLE)]
        topic = TOPICS[chance // 16 % len(TOPICS)]
        moment = datetime.fromtimestamp(self.time, UTC)
        date = f"{moment:%a, %d %b %Y %H:%M:%S} +0000"
        shown = f'"{sender}"' if sender.isascii() else "=?utf-8?q?" + _q(sender) + "?="
        head = (
            "Mime-Version: 1.0\r\n"
            "Content-Transfer-Encoding: quoted-printable\r\n"
            "Content-Type: text/plain; charset=utf-8\r\n"
            f"References: <{self.id}@protonmail.internalid>\r\n"
            f"X-Pm-Date: {date}\r\n"
            f"X-Pm-External-Id: <bulk-{self.seed}-{self.index}@{DOMAIN}>\r\n"
            f"X-Pm-Internal-Id: {self.id}\r\n"
            f"Message-Id: <bulk-{self.seed}-{self.index}@{DOMAIN}>\r\n"
            f"Subject: {topic} {self.index + 1}\r\n"
            f"From: {shown} <{local}@{DOMAIN}>\r\n"
            f'To: "{self.name}" <{self.address}>\r\n'
            f"Date: {date}\r\n\r\n"
        )
        texts = _texts(self.seed, max(0, self.octets - len(head)))
        return head.encode() + texts[chance // 256 % len(texts)]


@lru_cache(maxsize=256)
def _texts(seed: int, octets: int) -> tuple[bytes, ...]:
    """Some bodies of a length, each made once."""
    chance = random.Random(f"{seed}/{octets}")  # noqa: S311 - invented mails, no secrets
    return tuple(_text(chance, octets) for _ in range(TEXTS))


def _text(chance: random.Random, octets: int) -> bytes:
    lines: list[str] = []
    left = octets
    while left > 0:
        line = " ".join(chance.choices(WORDS, k=8))[:70].rstrip() + "\r\n"
        lines.append(line)
        left -= len(line)
    return "".join(lines).encode()


def _q(text: str) -> str:
    return "".join(char if char.isascii() and char.isalnum() else "_" if char == " " else _hex(char) for char in text)


def _hex(char: str) -> str:
    return "".join(f"={octet:02X}" for octet in char.encode())
