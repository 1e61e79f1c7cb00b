"""The MIME tree of a literal as the IMAP side of Bridge reads it: offsets into the octets, nothing decoded or copied.

A message/rfc822 part takes over the children of the message inside it; what lies deeper than ``MAX_DEPTH`` levels counts as a leaf
(Bridge has no such bound; ours keeps hostile nesting cheap). A multipart whose boundary never occurs is a leaf; a last part without
closing boundary ends with the literal. Facts: bridge-behaviour 3.5, 3.7; dialogues 13, 15, 40.
"""

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from fakebridge.message import header, mediatype
from fakebridge.message.mediatype import MediaType, MediaTypeError

MAX_DEPTH: Final = 64
_SHORT: Final = 200
_UNREADABLE: Final = MediaType("", {})


@dataclass(frozen=True, slots=True)
class Part:
    """One entity: ``literal[begin:body_at]`` is its header, ``literal[body_at:end]`` its body.

    ``children`` are its parts, ``inner`` is the message inside a message/rfc822 part (None beyond ``MAX_DEPTH``).
    """

    literal: bytes
    begin: int
    body_at: int
    end: int
    media_type: MediaType
    children: tuple["Part", ...] = ()
    inner: "Part | None" = None
    entries: tuple[header.Field, ...] = field(default=(), repr=False)

    @property
    def header(self) -> bytes:
        """The header with the empty line behind it; empty if it cannot be read."""
        return self.literal[self.begin : self.body_at]

    @property
    def body(self) -> bytes:
        """The body, as it stands on the wire."""
        return self.literal[self.body_at : self.end]

    def get(self, name: bytes) -> bytes | None:
        """Unfolded raw value of the first field of that (lower-case) name, None if there is none."""
        for entry in self.entries:
            if entry.name and entry.name.lower() == name:
                return entry.unfolded
        return None

    def embedded(self) -> "Part":
        """The message inside a message/rfc822 part; any other part is itself."""
        if self.media_type.kind != "message/rfc822":
            return self
        return self.inner or _part(self.literal, self.body_at, self.end, depth=MAX_DEPTH)


_latest: list[Part] = []
"""The tree that was read last: one command asks several times for one message."""


def parse(literal: bytes) -> Part:
    """The whole literal as a tree. Never fails: what cannot be read is a leaf."""
    if not _latest or _latest[0].literal is not literal:
        _latest[:] = [_part(literal, 0, len(literal), depth=0)]
    return _latest[0]


def head_of(literal: bytes) -> Part:
    """The whole literal as one part of which nothing but the header was read."""
    return _part(literal, 0, len(literal), depth=MAX_DEPTH)


def child_of(piece: bytes) -> Part:
    """One part of a multipart at the top, cut out of its message."""
    return _part(piece, 0, len(piece), depth=1)


def _part(literal: bytes, begin: int, end: int, *, depth: int) -> Part:
    body_at = header.header_end(literal, start=begin, end=end)
    described = _short(literal[begin:body_at]) if body_at - begin <= _SHORT else _described(literal[begin:body_at])
    entries, media_type = described or ((), media_type_of(()))
    if described is None:
        body_at = begin
    inner: Part | None = None
    children: tuple[Part, ...] = ()
    if depth < MAX_DEPTH and media_type.kind == "message/rfc822":
        inner = _part(literal, body_at, end, depth=depth + 1)
        children = inner.children
    elif depth < MAX_DEPTH and media_type.kind.startswith("multipart/"):
        spans = _scan(literal, body_at, end, delimiter_of(media_type) or b"--")
        children = tuple(_part(literal, first, last, depth=depth + 1) for first, last in spans)
    return Part(
        literal=literal,
        begin=begin,
        body_at=body_at,
        end=end,
        media_type=media_type,
        children=children,
        inner=inner,
        entries=entries,
    )


def delimiter_of(media_type: MediaType) -> bytes | None:
    """What boundary lines begin with; None for anything but a multipart."""
    if not media_type.kind.startswith("multipart/"):
        return None
    return b"--" + media_type.params.get("boundary", "").encode("utf-8", "surrogateescape")


def _described(block: bytes) -> tuple[tuple[header.Field, ...], MediaType] | None:
    """The fields of a header and the type that they name; None if it cannot be read."""
    try:
        entries = header.fields(block)
    except header.HeaderError:
        return None
    return entries, media_type_of(entries)


_short = lru_cache(maxsize=256)(_described)
"""The same for short headers, of which a hostile mail may hold a hundred thousand that are alike."""


def media_type_of(entries: tuple[header.Field, ...]) -> MediaType:
    """Content-Type out of a header; text/plain without one, an empty kind if it cannot be read. Octets above 0x7f are dropped."""
    raw = b""
    for entry in entries:
        if entry.name.lower() == b"content-type":
            raw = entry.unfolded
            break
    value = raw.decode("ascii", "ignore") or ("text/plain" if not raw else "")
    try:
        return mediatype.parse(value)
    except MediaTypeError:
        return _UNREADABLE


def _scan(literal: bytes, start: int, end: int, delimiter: bytes) -> list[tuple[int, int]]:
    """Offsets of the parts between boundary lines; what stands before the first one is left out."""
    parts: list[tuple[int, int]] = []
    found = _to_boundary(literal, start, end, delimiter)
    position = found.after
    while position < end:
        found = _to_boundary(literal, position, end, delimiter)
        parts.append((position, found.content_end))
        if found.last:
            break
        position = found.after
    return parts


@dataclass(frozen=True, slots=True)
class _Boundary:
    """Where the content before a boundary line ends, where the octets behind that line begin, whether it closes the multipart."""

    content_end: int
    after: int
    last: bool


def _to_boundary(literal: bytes, start: int, end: int, delimiter: bytes) -> _Boundary:
    """The next boundary line from ``start``; the end of the octets counts as one that closes."""
    position = start
    while position < end:
        at = literal.find(delimiter, position, end)
        if at < 0:
            break
        before = _line_end_before(literal, position, at)
        tail = at + len(delimiter)
        if before is None:
            position = tail
            continue
        closing = literal.startswith(b"--", tail, end)
        if closing:
            tail += 2
        newline = _newline_at(literal, tail, end)
        if closing and tail == end:
            return _Boundary(at - before, end, last=True)
        if newline is None:
            position = tail
            continue
        return _Boundary(at - before, newline + 1, last=closing)
    return _Boundary(end, end, last=True)


def _line_end_before(literal: bytes, position: int, at: int) -> int | None:
    """Length of the line end in front of ``at``, 0 at the very place where the search began, None inside a line."""
    if at == position:
        return 0
    if literal[at - 1] != 0x0A:
        return None
    return 2 if at - position >= 2 and literal[at - 2] == 0x0D else 1


def _newline_at(literal: bytes, position: int, end: int) -> int | None:
    """Offset of the LF that follows directly, CRs aside."""
    while position < end and literal[position] == 0x0D:
        position += 1
    return position if position < end and literal[position] == 0x0A else None
