"""Writing a MIME tree back as Bridge does when it had to add an empty text part to an import.

Fields are kept as they came, bodies are encoded again by their label (base64 in lines of 76, 7bit and 8bit cut every 1000 octets),
an empty line follows each closing boundary inside (bridge-behaviour 5.8).
"""

from dataclasses import replace
from typing import Final

from fakebridge.message import mediatype, transfer
from fakebridge.message.bodies import with_field
from fakebridge.message.headerblock import HeaderBlock
from fakebridge.message.mediatype import MediaTypeError
from fakebridge.message.mimetree import Entity, MimeError, MimeField
from fakebridge.message.qp import base64_lines, quoted_printable

_WRAP: Final = 1000
_CONTENT_FIELDS: Final = ("Content-Type", "Content-Disposition", "Content-Transfer-Encoding")
_EMPTY_TEXT: Final = Entity(
    (MimeField("Content-Transfer-Encoding", "quoted-printable"), MimeField("Content-Type", "text/plain;charset=utf8")), b""
)


def with_text_part(root: Entity) -> Entity | None:
    """The tree with an empty text part added; None if it has a text part already.

    Only the direct parts of a multipart/mixed that have no disposition count, or the type of the message itself: a multipart/alternative
    gets an empty part put beside it.
    """
    try:
        mixed = root.media_type().kind == "multipart/mixed"
    except MediaTypeError:
        mixed = False
    candidates = [child for child in root.children if not child.has("Content-Disposition")] if mixed else [root]
    if any(_is_text(candidate) for candidate in candidates):
        return None
    if mixed:
        return replace(root, children=(*root.children, _EMPTY_TEXT))
    content: tuple[MimeField, ...] = ()
    for name in _CONTENT_FIELDS:
        if value := root.get(name):
            content = with_field(content, name, value)
    rest = tuple(field for field in root.fields if field.key not in _CONTENT_FIELDS)
    inner = Entity(content, root.body, root.children)
    return Entity(with_field(rest, "Content-Type", "multipart/mixed"), b"", (inner, _EMPTY_TEXT))


def _is_text(entity: Entity) -> bool:
    value = entity.get("Content-Type")
    try:
        return not value or mediatype.parse_plain(value).kind.startswith("text/")
    except MediaTypeError:
        return False


def write(root: Entity, *, boundary: str) -> bytes:
    """The whole message. ``boundary`` is used where a multipart has none of its own.

    Raises:
        MimeError: the transfer encoding of the top level is unknown.
    """
    block = _block(root)
    if not block.has("Mime-Version"):
        block.set("Mime-Version", "1.0")
    return _written(root, block, boundary)


def _block(entity: Entity) -> HeaderBlock:
    block = HeaderBlock()
    for field in entity.fields:
        block.keep_raw(field.key, field.value, field.raw)
    if any(octet > 0x80 for octet in entity.body):
        block.set("Content-Transfer-Encoding", "base64")
    return block


def _written(entity: Entity, block: HeaderBlock, boundary: str) -> bytes:
    kind, params = _kind(block.get("Content-Type"))
    if not kind.startswith("multipart/"):
        body = _encoded(block.get("Content-Transfer-Encoding"), entity.body)
        return block.octets() + body
    own = params.get("boundary", "")
    if not own:
        own = boundary
        block.set_typed("Content-Type", kind, {**params, "boundary": boundary})
    block.drop("Content-Transfer-Encoding")
    if not entity.children:
        return block.octets() + entity.body
    line = b"--" + own.encode("utf-8", "surrogateescape")
    parts = [_written(child, _block(child), boundary) for child in entity.children]
    return block.octets() + line + b"\r\n" + (b"\r\n" + line + b"\r\n").join(parts) + b"\r\n" + line + b"--\r\n"


def _kind(value: str) -> tuple[str, dict[str, str]]:
    try:
        found = mediatype.parse_plain(value or "text/plain")
    except MediaTypeError:
        return value, {}
    return found.kind, found.params


def _encoded(encoding: str, body: bytes) -> bytes:
    match encoding.lower():
        case "quoted-printable":
            return quoted_printable(body)
        case "base64":
            return base64_lines(body)
        case "7bit" | "8bit":
            return b"\r\n".join(body[at : at + _WRAP] for at in range(0, len(body), _WRAP))
        case name if name in transfer.KNOWN:
            return body
        case _:
            raise MimeError(transfer.unhandled(encoding))
