"""Where in a mail a text stands, found by Python's own parser: some places are not part of what a person is shown as the text.

Only asked about a text that our answer does not hold, to name the kind of difference.
"""

from __future__ import annotations

import email
import re
from collections.abc import Iterator
from email.message import Message
from typing import Final, Literal

Place = Literal["text", "alternative", "attached message", "title"]

_TITLE: Final = re.compile(r"<title[^>]*>(.*?)</title", re.IGNORECASE | re.DOTALL)
_COMPARED: Final = re.compile(r"\W+")


def places(octets: bytes, text: str) -> set[Place]:
    """The places where `text` stands, by its letters and digits alone."""
    wanted = _gist(text)
    return {place for place, found in _texts(email.message_from_bytes(octets), "text") if wanted and wanted in _gist(found)}


def _texts(part: Message, place: Place) -> Iterator[tuple[Place, str]]:
    if part.is_multipart():
        kind = part.get_content_type()
        inside: Place = "attached message" if kind == "message/rfc822" else "alternative" if kind == "multipart/alternative" else place
        for child in part.get_payload():
            if isinstance(child, Message):
                yield from _texts(child, place if place == "attached message" else inside)
    elif part.get_content_maintype() in {"text", "message"}:
        text = _decoded(part)
        for title in _TITLE.findall(text):
            yield "title", title
        yield place, _TITLE.sub(" ", text)


def _decoded(part: Message) -> str:
    payload = part.get_payload(decode=True)
    octets = payload if isinstance(payload, bytes) else b""
    try:
        return octets.decode(part.get_content_charset() or "utf-8")
    except (LookupError, ValueError):
        return octets.decode("latin-1")


def _gist(text: str) -> str:
    return _COMPARED.sub("", re.sub(r"<[^>]*>", " ", text)).casefold()
