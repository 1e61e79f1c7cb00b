"""A world to begin with: one account, three mails."""

from __future__ import annotations

from typing import Any, Final

World = dict[str, Any]

USER: Final = "ada@keller.example"


def small_world(**changes: object) -> World:
    """Three read mails in INBOX (UID 1 is the newest), two folders, a label, a clock that stands still; `changes` replace fields."""

    def entry(subject: str, day: int) -> dict[str, object]:
        text = (
            f"From: Bob Example <bob@books.example>\nTo: Ada Keller <{USER}>\nSubject: {subject}\n"
            f"Date: Tue, {day:02d} Feb 2026 10:11:12 +0100\nMessage-ID: <{subject}@books.example>\n\nThis is the {subject} mail.\n"
        )
        return {"text": text, "internal_date": f"{day:02d}-Feb-2026 09:11:12 +0000", "flags": ["\\Seen"]}

    base: World = {
        "addresses": [
            {"address": USER, "display_name": "Ada Keller"},
            {"address": "orders@keller.example", "display_name": "Keller Bookbinding"},
        ],
        "folders": ["Receipts", "Projects"],
        "labels": ["Work"],
        "seed": 1,
        "uid_validity": 1000,
        "now": "2026-03-01T12:00:00+00:00",
        "mailboxes": {"INBOX": [entry("third", 17), entry("second", 10), entry("first", 3)]},
    }
    return base | changes
