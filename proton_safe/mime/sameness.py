"""Whether two renderings of a message say the same: their letters and digits, in order, without what only one form can hold."""

from __future__ import annotations

import re
from typing import Final

MAX_COMPARED_CHARS: Final = 2_000_000
# Web addresses stand in a plain part and behind a link in HTML; pictures stand as a note in one of the two.
_URL: Final = re.compile(r"<?\b(?:https?://|www\.|mailto:)[^\s<>]*>?", re.IGNORECASE)
_PICTURE: Final = re.compile(r"\[(?:image|cid|inline image)\b[^\[\]\n]{0,300}\]", re.IGNORECASE)
_NOT_A_WORD: Final = re.compile(r"[\W_]+")


def essence(text: str) -> str:
    """The letters and digits of a text without letter case, web addresses and notes on pictures."""
    stripped = _PICTURE.sub(" ", _URL.sub(" ", text[:MAX_COMPARED_CHARS]))
    return _NOT_A_WORD.sub("", stripped).casefold()
