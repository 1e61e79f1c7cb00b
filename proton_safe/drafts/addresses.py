"""Which addresses a draft may name: bare, and without the forms that one reader takes for another address than the next.

Refused beyond the common rule: encoded words (`=?`, decoded by some programs after the check), routes (`%`, `!`, RFC 5321 App. C),
pipes and backquotes, and domains that end in digits (address literals without their brackets). Nothing is repaired.
"""

from __future__ import annotations

from typing import Final

from proton_safe.addr_spec import is_bare_address

_MISREAD: Final = frozenset("%!|`")


def is_recipient(text: str) -> bool:
    """Whether a draft may name this address, in whatever field."""
    return is_bare_address(text) and "=?" not in text and _MISREAD.isdisjoint(text) and not text.rpartition(".")[2].isdigit()
