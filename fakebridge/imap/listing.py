"""Which mailboxes a LIST or LSUB pattern finds (bridge-behaviour 2.1, 2.5)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from fakebridge.mailstore.mailbox import Mailbox, Visibility
from fakebridge.mailstore.store import DELIMITER, MailStore

NOSELECT = frozenset(("\\Noselect",))


@dataclass(frozen=True, slots=True)
class Listed:
    """One row."""

    name: str
    attributes: frozenset[str]


def listed(store: MailStore, reference: str, pattern: str, *, only_subscribed: bool) -> list[Listed]:
    r"""All rows, in the order of the store. Parents that are no mailboxes of their own are `\Noselect` only."""
    if pattern == "":
        return [Listed(_root(reference), NOSELECT)]
    matcher = _matcher(reference + pattern, open_end=pattern.endswith("%"))
    shown: dict[str, Mailbox | None] = {
        mailbox.name: mailbox for mailbox in store.by_name.values() if _is_shown(mailbox) and (mailbox.subscribed or not only_subscribed)
    }
    if only_subscribed:
        shown.update(dict.fromkeys(sorted(store.lingering - shown.keys())))
    found: dict[str, Listed] = {}
    for name in shown:
        parts = name.split(DELIMITER)
        for count in range(1, len(parts) + 1):
            match = matcher.match(DELIMITER.join(parts[:count]))
            if match is None or match.group() in found:
                continue
            matched = match.group()
            mailbox = shown.get(matched)
            if mailbox is not None:
                found[matched] = Listed(matched, mailbox.attributes | {"\\Marked" if mailbox.recent else "\\Unmarked"})
            elif matched in shown or not only_subscribed or pattern.endswith("%"):
                found[matched] = Listed(matched, NOSELECT)
    return list(found.values())


def _is_shown(mailbox: Mailbox) -> bool:
    if mailbox.visibility is Visibility.HIDDEN_IF_EMPTY:
        return bool(mailbox.uids)
    return mailbox.visibility is Visibility.VISIBLE


def _root(reference: str) -> str:
    if DELIMITER not in reference:
        return ""
    first = reference.split(DELIMITER, maxsplit=1)[0]
    return first + DELIMITER if first else DELIMITER


def _matcher(pattern: str, *, open_end: bool) -> re.Pattern[str]:
    levels = ["INBOX" if level.upper() == "INBOX" else level for level in pattern.split(DELIMITER)]
    expression = "".join(_piece(char) for char in DELIMITER.join(levels))
    return re.compile(expression if open_end else expression + r"\Z")


def _piece(char: str) -> str:
    if char == "*":
        return ".*"
    return f"[^{DELIMITER}]*" if char == "%" else re.escape(char)
