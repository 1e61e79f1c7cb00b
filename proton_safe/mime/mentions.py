"""E-mail addresses that a text mentions, so that a recipient taken from a mail's body can be told from one that is known."""

from __future__ import annotations

import re
from typing import Final

MAX_MENTIONED: Final = 200
# Every repetition is possessive and bounded: a start costs at most 64 steps.
_ADDRESS: Final = re.compile(r"(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]{1,64}+@[A-Za-z0-9.-]{1,253}+")


def mentioned(text: str) -> tuple[str, ...]:
    """The addresses of a text in the order in which they first occur, each once, at most 200."""
    if "@" not in text:
        return ()
    found: dict[str, None] = {}
    for match in _ADDRESS.finditer(text):
        found.setdefault(match[0].rstrip(".-"))
        if len(found) == MAX_MENTIONED:
            break
    return tuple(found)
