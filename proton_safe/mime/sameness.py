"""Whether two renderings of a message say the same: their letters and digits, in order, without what only one form can hold."""

from __future__ import annotations

import re
from typing import Final

MAX_COMPARED_CHARS: Final = 2_000_000
# Web addresses stand in a plain part and behind a link in HTML; pictures stand as a note in one of the two.
_URL: Final = re.compile(r"<?\b(?:https?://|www\.|mailto:)[^\s<>]*>?", re.IGNORECASE)
_IN_EACH_URL: Final = ("://", "w.", "o:")
_PICTURE: Final = re.compile(r"\[(?:image|cid|inline image)\b[^\[\]\n]{0,300}\]", re.IGNORECASE)
_NOT_A_WORD: Final = re.compile(r"[\W_]+")
_NO_WORDS_OF_ASCII: Final = bytes(code for code in range(128) if not chr(code).isalnum())


def essence(text: str) -> str:
    """The letters and digits of a text without letter case, web addresses and notes on pictures."""
    text = text[:MAX_COMPARED_CHARS]
    lowered = text.lower()
    if any(part in lowered for part in _IN_EACH_URL):
        text = _URL.sub(" ", text)
    if "[" in text:
        text = _PICTURE.sub(" ", text)
    # The pattern does the same, at many times the cost where words are short.
    letters = text.encode("utf-8", "surrogatepass").translate(None, _NO_WORDS_OF_ASCII).decode("utf-8", "surrogatepass")
    return (letters if letters.isascii() else _NOT_A_WORD.sub("", letters)).casefold()
