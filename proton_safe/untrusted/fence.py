"""The marks around untrusted text in an answer's `content`: `[untrusted NONCE]`, the text, `[/untrusted NONCE]`.

The nonce is drawn for each answer, so that no mail can hold the closing mark of the answer that carries it.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

NONCE_BYTES: Final = 16


def nonce() -> str:
    """128 random bits as 32 hexadecimal digits."""
    return secrets.token_hex(NONCE_BYTES)


def unforged(proposed: str, texts: Iterable[str]) -> str:
    """`proposed`, or a fresh nonce if one of the texts already holds it."""
    held = tuple(texts)
    while any(proposed in text for text in held):
        proposed = nonce()
    return proposed


def fenced(text: str, *, fence: str) -> str:
    """The text between its marks, each mark on a line of its own."""
    return f"[untrusted {fence}]\n{text}\n[/untrusted {fence}]"
