"""What fakebridge's journal and sink say about the walk, whatever the server said."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from conformance.demo import screen

if TYPE_CHECKING:
    from fakebridge.testing import FakeBridge

READING: Final = frozenset({"CAPABILITY", "STARTTLS", "LOGIN", "LIST", "STATUS", "EXAMINE", "NOOP", "UID FETCH", "UID SEARCH", "LOGOUT"})
TOOLS: Final = 13


def judge(bridge: FakeBridge, used: set[str], receipt: dict[str, Any]) -> bool:
    """Print each claim with what was found; true if all hold."""
    entries = bridge.journal()
    commands = Counter(entry["verb"] for entry in entries if entry["kind"] == "command")
    flags = [entry for entry in entries if entry["kind"] == "flags"]
    appends = [entry for entry in entries if entry["kind"] == "append"]
    sent = bridge.sink()
    drafts = [message for message in bridge.messages("Drafts") if message.message_id == receipt["message_id"]]
    peeked = all("BODY[" not in entry["line"].upper() for entry in entries if entry["kind"] == "command" and entry["verb"] == "UID FETCH")
    stored = receipt["stored"]
    recipients = drafts[0].recipients if drafts else ()

    screen.title("The evidence, read from the simulated Bridge's journal")
    claims = [
        ("tools used", f"{len(used)} of {TOOLS}", len(used) == TOOLS),
        ("IMAP commands", ", ".join(f"{verb} {count}" for verb, count in sorted(commands.items())), set(commands) <= READING | {"APPEND"}),
        ("sections fetched without marking as read", "BODY.PEEK only" if peeked else "BODY[ was used", peeked),
        ("flags changed", str(len(flags)), not flags),
        ("messages sent", str(len(sent)), not sent),
        ("drafts stored", f"{len(appends)}, to {', '.join(recipients) or 'nobody'}", len(appends) == len(drafts) == 1 and bool(recipients)),
        (
            "the receipt says what Bridge kept",
            f"body {_kept(stored['body_matches'])}, attachments {_kept(stored['attachments_match'])}",
            stored["body_matches"] and stored["attachments_match"],
        ),
        (
            "In-Reply-To of the draft",
            "dropped by Bridge, and the receipt says so" if not stored["in_reply_to_kept"] else "kept",
            _dropped(appends, stored),
        ),
        ("the receipt claims a thread", "yes" if receipt["threading_verified"] else "no", receipt["threading_verified"] is False),
    ]
    for claim, found, holds in claims:
        screen.evidence(claim, found=found, holds=bool(holds))
    return all(holds for _, _, holds in claims)


def _dropped(appends: list[dict[str, Any]], stored: dict[str, Any]) -> bool:
    """The server sent In-Reply-To, Bridge dropped it, and the receipt knows."""
    dropped = appends[0]["headers_dropped"] if appends else []
    return "in-reply-to" in {name.lower() for name in dropped} and not stored["in_reply_to_kept"]


def _kept(matches: object) -> str:
    return "whole" if matches else "changed"
