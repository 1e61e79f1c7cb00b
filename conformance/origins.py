"""Where a case's duty comes from: the words that a source may begin with, and what each means to somebody who has this repository only.

A source is one or several such references between semicolons, as in `product: reading, search; RFC 3501 6.4.4`. docs/sources.md tells more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from conformance.attack_rows import families

ORIGINS: Final = {
    "seed": "the specification of the thirteen tools",
    "product": "a decision of this project",
    "attack": "a known attack",
    "bridge": "what Proton Mail Bridge does",
}
_PUBLISHED: Final = re.compile(r"^(RFC \d+|CVE-\d{4}-\d+|MCP \d{4}-\d{2}-\d{2}|Unicode T[RS] \d+)(?= |,|$)")
"""Documents that anybody can open by their number."""


def findings(source: str) -> Iterator[str]:
    """Each reference of a source that nobody could follow, as a sentence."""
    for reference in source.split("; "):
        word, colon, _ = reference.partition(": ")
        if not (colon and word in ORIGINS) and _PUBLISHED.match(reference) is None:
            yield f"the source {reference!r} begins with none of {', '.join(ORIGINS)} and names no published document"


def in_words(source: str) -> str:
    """A source as a sentence without the short words."""
    return "; ".join(_reference(reference) for reference in source.split("; "))


def _reference(reference: str) -> str:
    word, _, what = reference.partition(": ")
    if word not in ORIGINS:
        return reference
    if word == "attack" and any(what in rows for rows in families().values()):
        return f"{ORIGINS[word]}: {what.replace('/', ':')} in docs/attacks.md"
    if word == "bridge":
        return f"{ORIGINS[word]}: `python -m fakebridge explain {what}`"
    return f"{ORIGINS[word]}: {what}"
