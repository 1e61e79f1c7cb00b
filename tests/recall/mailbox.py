"""The mailbox: for each phrase of each language one mail of each kind, and one that holds the phrase where no reader sees it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.recall.languages import Language
from tests.recall.storing import FILLER, KINDS, USUAL, Kind, mail_of

USER: Final = "ada@keller.example"
UNSEEN: Final = "(nobody sees it: another header)"


@dataclass(frozen=True, slots=True)
class Known:
    """A mail and what is known of it. `visible`: a reader of the mail sees the phrase."""

    uid: int
    language: str
    phrase: str
    kind: str
    visible: bool


def mails(languages: Iterable[Language], phrases: int, count: int) -> Iterable[tuple[Language, str, Kind, bytes]]:
    """Exactly `count` mails: every kind for the first `phrases` phrases of each language, in turn; usual ones fill up."""
    made = 0
    todo = [(language, phrase, kind) for language in languages for phrase in language.phrases[:phrases] for kind in KINDS]
    for language, phrase, kind in todo:
        octets = kind.store(language, phrase)
        if octets is not None:
            made += 1
            yield language, phrase, kind, octets
    for number in range(count - made):
        language, phrase, _ = todo[number * len(KINDS) % len(todo)]
        octets = USUAL.store(language, phrase)
        assert octets is not None
        yield language, phrase, USUAL, octets


def write(folder: Path, languages: Sequence[Language], *, phrases: int, count: int, as_served: bool) -> tuple[Known, ...]:
    """A world whose INBOX holds the mails and the unseen ones; what is known of each. Same every time."""
    entries: list[dict[str, object]] = []
    known: list[Known] = []

    def add(language: Language, phrase: str, kind: str, octets: bytes, *, visible: bool) -> None:
        uid = len(entries) + 1
        (folder / f"{uid}.eml").write_bytes(octets.replace(b"NUMBER@", f"{uid}@".encode()))
        date = f"{28 - uid % 28:02d}-Nov-2026 12:00:00 +0000"
        entries.append({"file": f"{uid}.eml", "internal_date": date, "as_served": as_served})
        known.append(Known(uid, language.name, phrase, kind, visible))

    for language, phrase, kind, octets in mails(languages, phrases, count):
        add(language, phrase, kind.name, octets, visible=True)
    for language in languages:
        for phrase in language.phrases[:phrases]:
            hidden = mail_of(body=FILLER.encode()).replace(b"Subject:", b"X-Sorted-By: " + phrase.encode() + b"\r\nSubject:")
            add(language, phrase, UNSEEN, hidden, visible=False)
    world = {"addresses": [{"address": USER, "display_name": "Ada Keller"}], "seed": 1, "uid_validity": 7, "mailboxes": {"INBOX": entries}}
    (folder / "world.json").write_text(json.dumps(world), encoding="utf-8")
    return tuple(known)
