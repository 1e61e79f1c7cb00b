"""The MIME tree of a literal as Bridge's draft and send path reads it: decoded, strict about boundaries, with its error texts.

Another reader than that of the IMAP side (``part``): a header line without colon, a multipart without boundary or without closing
boundary, broken base64 refuse the whole message (bridge-behaviour 5.4, 8.1; dialogue 23). Nesting deeper than ``MAX_DEPTH`` is read
as a leaf (ours; Bridge has no such bound).
"""

from dataclasses import dataclass
from typing import Final

from fakebridge.message import mediatype, transfer
from fakebridge.message.goquote import go_quote
from fakebridge.message.headerblock import canonical
from fakebridge.message.mediatype import MediaType, MediaTypeError
from fakebridge.message.qword import WordError, decode_header_plain
from fakebridge.message.transfer import TransferError

MAX_DEPTH: Final = 64
_MAX_HEADER: Final = 1 << 20
_LINE_BUFFER: Final = 4096
_BLANKS: Final = b" \t"
# SMTP's end mark, if a client appended it with the message, is taken off.
_END_OF_MAIL: Final = b"\r\n.\r\n"


class MimeError(Exception):
    """The literal cannot be read; ``text`` is Bridge's sentence, which may hold octets of the literal, line ends too."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


@dataclass(frozen=True, slots=True)
class MimeField:
    """One field: canonical name, unfolded value, and its octets as they came (None for one that Bridge sets itself)."""

    key: str
    value: str
    raw: str | None = None


@dataclass(frozen=True, slots=True)
class Entity:
    """One part: its fields from the top, its decoded body, its parts."""

    fields: tuple[MimeField, ...]
    body: bytes
    children: tuple["Entity", ...] = ()

    def has(self, name: str) -> bool:
        """Whether there is a field of that canonical name."""
        return any(field.key == name for field in self.fields)

    def get(self, name: str) -> str:
        """Value of the topmost field of that canonical name, empty if there is none."""
        for field in self.fields:
            if field.key == name:
                return field.value
        return ""

    def media_type(self) -> MediaType:
        """Content-Type; text/plain without one.

        Raises:
            MediaTypeError: it cannot be read, not even leniently.
        """
        value = self.get("Content-Type")
        if not value:
            return MediaType("text/plain", {})
        try:
            return _decoded(mediatype.parse_plain(value))
        except MediaTypeError:
            return mediatype.parse(value)

    def disposition(self) -> MediaType:
        """Content-Disposition.

        Raises:
            MediaTypeError: there is none, or it cannot be read.
        """
        return mediatype.parse(self.get("Content-Disposition"))

    def is_attachment(self) -> bool:
        """Whether the disposition is ``attachment``."""
        try:
            return self.disposition().kind == "attachment"
        except MediaTypeError:
            return False


def _decoded(found: MediaType) -> MediaType:
    """Parameters with their encoded words decoded where that is possible."""
    params = {}
    for key, value in found.params.items():
        try:
            params[key] = decode_header_plain(value)
        except WordError:
            params[key] = value
    return MediaType(found.kind, params)


def read(literal: bytes) -> Entity:
    """The whole message.

    Raises:
        MimeError: it cannot be read.
    """
    octets = literal.removesuffix(_END_OF_MAIL)
    fields, position = _header(octets, 0, len(octets), cut=False)
    if position > _MAX_HEADER:
        raise MimeError("message: header exceeds maximum size")
    span = _Span(octets, position, len(octets), cut=False)
    return _entity(fields, span, depth=0, strict=False)


@dataclass(frozen=True, slots=True)
class _Span:
    """Octets that one part's body is read from. ``cut``: the enclosing part has no end, so running out of octets is an error."""

    octets: bytes
    start: int
    end: int
    cut: bool

    @property
    def end_text(self) -> str:
        return "unexpected EOF" if self.cut else "EOF"


def _entity(fields: tuple[MimeField, ...], span: _Span, *, depth: int, strict: bool) -> Entity:
    """One part; ``strict`` refuses an unknown transfer encoding, which only the top level may have."""
    entity = Entity(fields, b"")
    kind, boundary, charset = _plain_type(entity.get("Content-Type"))
    if kind.startswith("multipart/") and depth < MAX_DEPTH:
        return Entity(fields, b"", _parts(span, boundary, depth=depth))
    encoding = "" if kind.startswith("multipart/") else entity.get("Content-Transfer-Encoding")
    if encoding.lower() not in transfer.KNOWN:
        foreign = kind.startswith("text/") and charset not in {"", "utf-8", "us-ascii"}
        if strict and not foreign:
            raise MimeError(f"encoding error: {transfer.unhandled(encoding)}")
        encoding = ""
    raw = span.octets[span.start : span.end]
    try:
        body = transfer.decode(encoding, raw)
    except TransferError as broken:
        raise MimeError(broken.text) from None
    if span.cut:
        raise MimeError("unexpected EOF")
    return Entity(fields, body)


def _plain_type(value: str) -> tuple[str, str, str]:
    """Type, boundary and charset as the strict reader sees them; an unreadable value is its own type."""
    if not value:
        return "text/plain", "", ""
    try:
        found = _decoded(mediatype.parse_plain(value))
    except MediaTypeError:
        return value, "", ""
    return found.kind, found.params.get("boundary", ""), found.params.get("charset", "").lower()


def _parts(span: _Span, boundary: str, *, depth: int) -> tuple[Entity, ...]:
    if not boundary:
        raise MimeError("multipart: boundary is empty")
    delimiter = b"--" + boundary.encode("utf-8", "surrogateescape")
    newline = b"\r\n"
    parts: list[Entity] = []
    position, expect_part = span.start, False
    while True:
        line, failure = _line(span, position)
        after = position + len(line)
        rest = line[len(delimiter) :].lstrip(_BLANKS) if line.startswith(delimiter) else None
        closing = line.startswith(delimiter + b"--")
        tail = line[len(delimiter) + 2 :].lstrip(_BLANKS) if closing else b""
        if closing and (not tail or tail == newline) and failure in {"", "EOF"}:
            return tuple(parts)
        if failure:
            raise MimeError(f"multipart: NextPart: {failure}")
        if rest is not None and not parts and rest == b"\n":
            newline = b"\n"
        if rest == newline:
            entity, position = _part(_Span(span.octets, after, span.end, span.cut), delimiter, newline, depth=depth)
            parts.append(entity)
            expect_part = False
            continue
        if expect_part:
            raise MimeError(f"multipart: expecting a new Part; got line {_shown(line)}")
        if parts and line != newline:
            raise MimeError(f"multipart: unexpected line in Next(): {_shown(line)}")
        expect_part = bool(parts)
        position = after


def _shown(line: bytes) -> str:
    return go_quote(line.decode("utf-8", "surrogateescape"))


def _line(span: _Span, position: int) -> tuple[bytes, str]:
    """The line at ``position`` with its line end, and what went wrong if it has none."""
    found = span.octets.find(b"\n", position, span.end)
    if 0 <= found < position + _LINE_BUFFER:
        return span.octets[position : found + 1], ""
    if span.end - position >= _LINE_BUFFER:
        return span.octets[position : position + _LINE_BUFFER], "bufio: buffer full"
    return span.octets[position : span.end], span.end_text


def _part(span: _Span, delimiter: bytes, newline: bytes, *, depth: int) -> tuple[Entity, int]:
    """The part that begins at the span's start, and where the line behind its body begins."""
    fields, start = _header(span.octets, span.start, span.end, cut=span.cut)
    end = _body_end(span, start, delimiter, newline)
    body = _Span(span.octets, start, span.end if end < 0 else end, cut=end < 0)
    return _entity(fields, body, depth=depth + 1, strict=True), body.end


def _body_end(span: _Span, start: int, delimiter: bytes, newline: bytes) -> int:
    """Where the boundary behind a body begins, its line end included; -1 if there is none."""
    if span.octets.startswith(delimiter, start, span.end) and _ends(span, start + len(delimiter)):
        return start
    wanted = newline + delimiter
    found = span.octets.find(wanted, start, span.end)
    while found >= 0 and not _ends(span, found + len(wanted)):
        found = span.octets.find(wanted, found + len(wanted), span.end)
    return found


def _ends(span: _Span, position: int) -> bool:
    return position == span.end or span.octets[position] in b" \t\r\n-"


def _header(octets: bytes, start: int, end: int, *, cut: bool) -> tuple[tuple[MimeField, ...], int]:
    """Fields from the top, and where the body begins."""
    if start < end and octets[start] in _BLANKS:
        line = octets[start : _after_line(octets, start, end)]
        raise MimeError(f"message: malformed MIME header initial line: {_text(_bare(line))}")
    fields: list[MimeField] = []
    position = start
    while position < end:
        after = _after_line(octets, position, end)
        lines = [_bare(octets[position:after])]
        position = after
        if not lines[0]:
            return tuple(fields), position
        while position < end and octets[position] in _BLANKS:
            after = _after_line(octets, position, end)
            lines.append(_bare(octets[position:after]))
            position = after
        field = _field(lines)
        if field is not None:
            fields.append(field)
    if cut:
        raise MimeError("unexpected EOF")
    return tuple(fields), position


def _field(lines: list[bytes]) -> MimeField | None:
    name, colon, first = lines[0].partition(b":")
    if not colon and not any(b":" in line for line in lines):
        raise MimeError("message: malformed MIME header line: " + _text(b"".join(line + b"\r\n" for line in lines)))
    if not colon:
        # The colon stands in a continuation line: the name then holds a line end.
        whole = b"\r\n".join(lines)
        raise MimeError(f"message: malformed MIME header key: {_text(whole[: whole.index(b':')].strip(_BLANKS))}")
    name = name.strip(_BLANKS)
    if any(octet < 33 or octet > 126 for octet in name):
        raise MimeError(f"message: malformed MIME header key: {_text(name)}")
    if not name:
        return None
    words = [word for word in (line.removesuffix(b"\r").strip(_BLANKS) for line in (first, *lines[1:])) if word]
    raw = b"".join(line + b"\r\n" for line in lines)
    return MimeField(canonical(name.decode()), _text(b" ".join(words)), _text(raw))


def _after_line(octets: bytes, position: int, end: int) -> int:
    found = octets.find(b"\n", position, end)
    return end if found < 0 else found + 1


def _bare(line: bytes) -> bytes:
    return line.removesuffix(b"\n").removesuffix(b"\r") if line.endswith(b"\n") else line


def _text(octets: bytes) -> str:
    return octets.decode("utf-8", "surrogateescape")
