"""What could not be read as it should be: the closed set of words that a result's `parse_warnings` may hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable

Defect = Literal[
    "address-unreadable",
    "bad-boundary",
    "body-damaged",
    "body-truncated",
    "calendar-damaged",
    "calendar-truncated",
    "charset-mismatch",
    "charset-unknown",
    "date-unreadable",
    "duplicate-header",
    "encoded-word-damaged",
    "encoding-ignored",
    "filename-conflict",
    "header-damaged",
    "header-raw-8bit",
    "header-truncated",
    "html-cut-off",
    "html-unreadable",
    "item-missing",
    "message-id-invalid",
    "part-header-damaged",
    "structure-mismatch",
    "structure-truncated",
    "style-unread",
]

MAX_FIELD_OCTETS: Final = 8_192


def merged(*groups: Iterable[Defect]) -> tuple[Defect, ...]:
    """Each defect of all groups once, in alphabetical order, so that equal mails give equal answers."""
    return tuple(sorted({defect for group in groups for defect in group})) if any(groups) else ()
