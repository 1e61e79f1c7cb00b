"""Inline images without a Content-ID at the top level of a message: text around them becomes HTML that shows them.

Some clients send text, image, text as three parts. Bridge then turns every plain text part of the top level into HTML, gives the
image a Content-ID and refers to it (bridge-behaviour 5.2). The ids are made out of the literal, so equal literals give equal drafts.
"""

import hashlib
import re
import uuid
from dataclasses import dataclass, replace
from typing import Final

from fakebridge.message import mediatype
from fakebridge.message.bodies import with_field
from fakebridge.message.mediatype import MediaType, MediaTypeError
from fakebridge.message.mimetree import Entity, MimeField

_LINE_END: Final = re.compile(rb"\r?\n")


class ImagesRefused(Exception):
    """A part's type or disposition cannot be read; ``text`` is Bridge's sentence."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


@dataclass(frozen=True, slots=True)
class _Place:
    """A part of the top level: its type, and whether it is an inline image without an id."""

    part: Entity
    kind: MediaType
    image: bool


def show_inline_images(root: Entity, seed: bytes) -> Entity:
    """The tree with such images shown; the same tree if there are none.

    Raises:
        ImagesRefused: a part at the top level has a type or an image a disposition that cannot be read.
    """
    if len(root.children) < 2:
        return root
    places = [_place(number, part) for number, part in enumerate(root.children)]
    if not any(place.image for place in places):
        return root
    out: list[Entity] = []
    for number, place in enumerate(places):
        if place.kind.kind == "text/plain":
            follows = number + 1 < len(places) and places[number + 1].image
            out.append(_text_as_html(place, _new_id(seed, number + 1) if follows else ""))
        elif place.image:
            content_id = _new_id(seed, number)
            if places[number - 1].kind.kind != "text/plain" or number == 0:
                out.append(_page_for(content_id))
            out.append(replace(place.part, fields=with_field(place.part.fields, "Content-Id", content_id)))
        else:
            out.append(place.part)
    return replace(root, children=tuple(out))


def _place(number: int, part: Entity) -> _Place:
    try:
        kind = part.media_type()
    except MediaTypeError as unreadable:
        raise ImagesRefused(f"failed to get content type for for child {number}:{unreadable.text}") from None
    image = False
    if kind.kind.startswith("image/"):
        image = _disposition(number, part) == "inline" and not part.get("Content-Id")
    return _Place(part, kind, image)


def _disposition(number: int, part: Entity) -> str:
    try:
        return part.disposition().kind
    except MediaTypeError as unreadable:
        if part.get("Content-Disposition"):
            raise ImagesRefused(f"failed to get content disposition for child {number}:{unreadable.text}") from None
    return "inline" if part.get("Content-Id") else "attachment"


def _new_id(seed: bytes, number: int) -> str:
    digest = hashlib.sha256(seed + b"%d" % number).digest()
    return str(uuid.UUID(bytes=digest[:16], version=4))


def _text_as_html(place: _Place, content_id: str) -> Entity:
    text = _LINE_END.sub(lambda end: b"<br/>" + end.group(), place.part.body)
    image = f'<img src="cid:{content_id}"/>'.encode() if content_id else b""
    value = mediatype.write("text/html", place.kind.params)
    return Entity(
        with_field(place.part.fields, "Content-Type", value),
        b"<html><body><p>" + text + b"</p>" + image + b"</body></html>",
        place.part.children,
    )


def _page_for(content_id: str) -> Entity:
    fields = (MimeField("Content-Type", "text/html; charset=UTF-8"),)
    return Entity(fields, f'<html><body><img src="cid:{content_id}"/></body></html>'.encode())
