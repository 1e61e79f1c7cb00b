"""The account that the dialogue tests talk about: small, dated, with figures that a test can know beforehand."""

from __future__ import annotations

from typing import Any, Final

NOW: Final = "2026-03-01T12:00:00+00:00"
USER: Final = "ada@proton.local"
PASSWORD: Final = "not-a-real-password-22"
VALIDITY: Final = {
    name: 1000 + index
    for index, name in enumerate(
        (
            "Recovered Messages",
            "Folders",
            "Labels",
            "INBOX",
            "Drafts",
            "Sent",
            "Starred",
            "Archive",
            "Spam",
            "Trash",
            "All Mail",
            "Scheduled",
            "Folders/Receipts",
            "Folders/Projects",
            "Folders/Projects/2026",
            "Labels/Work",
            "Labels/Reçus",
        )
    )
}
"""UIDVALIDITY of each mailbox of the default world."""

ALL_FLAGS: Final = "($Forwarded Forwarded \\Deleted \\Flagged \\Seen)"


def mail(subject: str, body: str = "body\n", *, sender: str = "Bob Example <bob@example.test>", extra: str = "") -> str:
    """A text mail."""
    return (
        f"From: {sender}\nTo: Ada Example <{USER}>\nSubject: {subject}\nDate: Tue, 03 Feb 2026 10:11:12 +0100\n"
        f"Message-ID: <{subject.replace(' ', '-')}@example.test>\n{extra}\n{body}"
    )


def entry(text: str, *, day: int = 1, flags: tuple[str, ...] = ("\\Seen",), labels: tuple[str, ...] = ()) -> dict[str, Any]:
    """A mail of the world, received in February 2026."""
    return {"text": text, "internal_date": f"{day:02d}-Feb-2026 08:00:00 +0000", "flags": list(flags), "labels": list(labels)}


def three_mails() -> list[dict[str, Any]]:
    """What INBOX holds unless a test says otherwise: UID 1 is the newest."""
    return [entry(mail("third"), day=3), entry(mail("second"), day=2), entry(mail("first"), day=1)]


def world(*, inbox: list[dict[str, Any]] | None = None, profile: dict[str, object] | None = None, **changes: object) -> dict[str, Any]:
    """A world with a fixed clock and answers in strict order."""
    base: dict[str, Any] = {
        "addresses": [
            {"address": USER, "display_name": "Ada Example", "enabled": True},
            {"address": "ada.alias@proton.local", "display_name": "Ada Alias", "enabled": True},
            {"address": "ada.off@proton.local", "display_name": "", "enabled": False},
        ],
        "folders": ["Receipts", "Projects", "Projects/2026"],
        "labels": ["Work", "Reçus"],
        "password": PASSWORD,
        "uid_validity": 1000,
        "now": NOW,
        "profile": {"response_order": "strict", **(profile or {})},
        "mailboxes": {"INBOX": three_mails() if inbox is None else inbox},
    }
    return base | changes
