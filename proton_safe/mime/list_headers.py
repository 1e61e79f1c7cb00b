"""Whether a mail's header says that it came through a mailing list, or that a program wrote it: told, and never acted on.

Their addresses and links (List-Unsubscribe, Mail-Followup-To) are neither followed nor suggested.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from proton_safe.mime import words

if TYPE_CHECKING:
    from proton_safe.mime.headers import Headers

# RFC 2369, RFC 2919, RFC 8058, and what list programs wrote before and beside them.
_OF_LISTS: Final = frozenset(
    {
        *("list-archive", "list-help", "list-id", "list-owner", "list-post", "list-subscribe", "list-unsubscribe", "list-unsubscribe-post"),
        *("mailing-list", "mail-followup-to", "x-mailing-list"),
    }
)
_MANY: Final = frozenset({"bulk", "list"})


def is_list(fields: Headers) -> bool:
    """Whether a list's own fields stand in the header, or `Precedence: list` or `bulk`."""
    return any(field.name in _OF_LISTS for field in fields.fields) or _word(fields.first("precedence")) in _MANY


def is_automatic(fields: Headers) -> bool:
    """Whether `Auto-Submitted` says anything but `no` (RFC 3834 5), or the mail is a report that has no sender to answer (RFC 3464)."""
    return _word(fields.first("auto-submitted")) not in {"", "no"} or _word(fields.first("return-path")) == "<>"


def _word(raw: bytes | None) -> str:
    """The first word of a value, in lower case and without what follows a semicolon or comment."""
    text = words.decode(raw or b"").text.partition(";")[0].partition("(")[0].split()
    return text[0].lower() if text else ""
