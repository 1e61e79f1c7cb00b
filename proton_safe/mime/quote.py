"""A text as a quotation: each of its lines behind `> `."""

from __future__ import annotations

from typing import Final

MARK: Final = "> "


def quote(text: str) -> str:
    """Every line of cleaned text behind `> `, empty ones behind `>`. All line breaks that Unicode knows count as such."""
    return "\n".join(f"{MARK}{line}" if line else MARK.rstrip() for line in text.splitlines())
