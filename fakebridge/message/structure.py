"""BODY and BODYSTRUCTURE as Bridge answers them.

Types lower case, parameters sorted and decoded, ``()`` for none, NIL for a missing transfer encoding; no blank between the envelope
and the structure of an embedded message; an unfinished last line counts as a line (bridge-behaviour 3.7; dialogues 13, 21, 43).
"""

from fakebridge.message import flood, mediatype, quoting
from fakebridge.message.envelope import envelope_of
from fakebridge.message.mediatype import MediaTypeError
from fakebridge.message.part import MAX_DEPTH, Part, child_of, head_of, parse


def body(literal: bytes) -> bytes:
    """The structure without extension data."""
    return _whole(literal, extended=False)


def bodystructure(literal: bytes) -> bytes:
    """The structure with extension data."""
    return _whole(literal, extended=True)


def _whole(literal: bytes, *, extended: bool) -> bytes:
    pieces = flood.pieces(literal)
    if pieces is None:
        return _structure(parse(literal), depth=0, extended=extended)
    known = {piece: _structure(child_of(piece), depth=1, extended=extended) for piece in set(pieces)}
    return _multipart(head_of(literal), b"".join([known[piece] for piece in pieces]), extended=extended)


def _structure(part: Part, *, depth: int, extended: bool) -> bytes:
    if not part.children:
        return _leaf(part, depth=depth, extended=extended)
    children = b"".join(_structure(child, depth=depth + 1, extended=extended) for child in part.children)
    return _multipart(part, children, extended=extended)


def _multipart(part: Part, children: bytes, *, extended: bool) -> bytes:
    items = [children, quoting.nil_text(part.media_type.sub)]
    if extended:
        items.append(quoting.parameters(part.media_type.params))
        items += _placement(part)
    return b"(" + b" ".join(items) + b")"


def _leaf(part: Part, *, depth: int, extended: bool) -> bytes:
    if not part.entries and part.media_type.kind == "text/plain":
        return _bare_leaf(part.end - part.body_at, _lines(part), extended=extended)
    kind = part.media_type
    items = [
        quoting.nil_text(kind.main),
        quoting.nil_text(kind.sub),
        quoting.parameters(kind.params),
        quoting.nil_text(part.get(b"content-id")),
        quoting.nil_text(part.get(b"content-description")),
        quoting.nil_text(part.get(b"content-transfer-encoding")),
        b"%d" % (part.end - part.body_at),
    ]
    message = kind.kind == "message/rfc822" and depth < MAX_DEPTH
    if message:
        inner = part.embedded()
        items.append(envelope_of(inner) + _structure(inner, depth=depth + 1, extended=extended))
    if message or kind.main == "text":
        items.append(b"%d" % _lines(part))
    if extended:
        items.append(quoting.nil_text(part.get(b"content-md5")))
        items += _placement(part)
    return b"(" + b" ".join(items) + b")"


def _bare_leaf(octets: int, lines: int, *, extended: bool) -> bytes:
    """A part without a header, of which a hostile mail may hold very many."""
    return b'("text" "plain" () NIL NIL NIL %d %d' % (octets, lines) + (b" NIL NIL NIL NIL)" if extended else b")")


def _lines(part: Part) -> int:
    count = part.literal.count(b"\n", part.body_at, part.end)
    finished = part.end == part.body_at or part.literal[part.end - 1] == 0x0A
    return count if finished else count + 1


def _placement(part: Part) -> list[bytes]:
    """Disposition, language and location."""
    return [_disposition(part), quoting.nil_text(part.get(b"content-language")), quoting.nil_text(part.get(b"content-location"))]


def _disposition(part: Part) -> bytes:
    try:
        found = mediatype.parse((part.get(b"content-disposition") or b"").decode("utf-8", "surrogateescape"))
    except MediaTypeError:
        return b"NIL"
    return b"(" + quoting.nil_text(found.kind) + b" " + quoting.parameters(found.params) + b")"
