"""Which text of a message Bridge keeps: everything in UTF-8, HTML before plain text, one body out of all parts.

Text is converted by its charset label, or by a guess; of a multipart/alternative one alternative is kept, the parts of any other
multipart are put one behind the other with nothing between (bridge-behaviour 5.2; dialogues 20, 21, 43).
"""

import re
from dataclasses import replace
from typing import Final

from fakebridge.message import mediatype
from fakebridge.message.charset import UnknownCharset, decoder_for, guess
from fakebridge.message.mediatype import MediaTypeError
from fakebridge.message.mimetree import Entity, MimeField

_META: Final = re.compile(rb"<meta\b[^>]*>", re.IGNORECASE)
_CHARSET: Final = re.compile(rb"(charset\s*=\s*[\"']?\s*)([^\s\"'/>;]+)", re.IGNORECASE)


def kind_of(entity: Entity) -> str:
    """The media type, empty if it cannot be read."""
    try:
        return entity.media_type().kind
    except MediaTypeError:
        return ""


def in_utf8(entity: Entity) -> Entity:
    """The tree with every text body in UTF-8 (text attachments aside, HTML ones included) and labelled so."""
    children = tuple(in_utf8(child) for child in entity.children)
    kind = kind_of(entity)
    if "text/html" in kind:
        entity = _converted(entity)
        entity = replace(entity, body=_META.sub(_meta, entity.body))
    elif "text/" in kind and not entity.is_attachment():
        entity = _converted(entity)
    return replace(entity, children=children)


def _meta(match: re.Match[bytes]) -> bytes:
    return _CHARSET.sub(lambda found: found.group(1) + b"UTF-8", match.group())


def _converted(entity: Entity) -> Entity:
    found = entity.media_type()
    label = found.params.get("charset")
    body = entity.body
    try:
        if label is None:
            raise UnknownCharset("no label")
        text = decoder_for(label)(body)
    except UnknownCharset:
        try:
            text = body.decode()
        except UnicodeDecodeError:
            text = guess(body)
    value = mediatype.write(found.kind, {**found.params, "charset": "UTF-8"})
    return Entity(with_field(entity.fields, "Content-Type", value), text.encode("utf-8", "replace"), entity.children)


def with_field(fields: tuple[MimeField, ...], name: str, value: str) -> tuple[MimeField, ...]:
    """The fields with one of that canonical name set: on top, the only one."""
    return (MimeField(name, value), *(field for field in fields if field.key != name))


def body_of(root: Entity) -> tuple[bytes, str]:
    """The body that is kept and its type, text/html or text/plain.

    Raises:
        MediaTypeError: the type of a part cannot be read.
    """
    body = b"".join(part.body for part in _chosen(root, "text/html"))
    if not body:
        body = b"".join(part.body for part in _chosen(root, "text/plain"))
    return body, "text/html" if _has_html(root) else "text/plain"


def _chosen(entity: Entity, preferred: str) -> list[Entity]:
    """The text parts of a tree, of each multipart/alternative only the preferred kind or else the last one."""
    kind = entity.media_type().kind
    if "multipart/alternative" in kind:
        choices = [_chosen(child, preferred) for child in entity.children]
        for choice in reversed(choices):
            if choice and all(part.media_type().kind == preferred for part in choice):
                return choice
        return choices[-1] if choices else []
    if "text/plain" in kind or "text/html" in kind:
        return [] if entity.is_attachment() else [entity]
    return [part for child in entity.children for part in _chosen(child, preferred)]


def _has_html(entity: Entity) -> bool:
    if "text/html" in kind_of(entity) and not entity.is_attachment():
        return True
    return any(_has_html(child) for child in entity.children)
