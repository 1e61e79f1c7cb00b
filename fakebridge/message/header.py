"""The header of a message as the IMAP side of Bridge reads it.

``split`` finds the end of the header, ``fields`` takes it apart, ``first`` looks one field up, ``select`` gives the octets of
HEADER.FIELDS and HEADER.FIELDS.NOT, ``erase`` and ``prepend`` change a literal without touching its other octets. Facts:
bridge-behaviour 3.5, 5.1, 8.1; dialogues 13, 15, 23.

The reading is tolerant in its own way: a colon ends a name only when a space or a line end follows it, a line without such a colon
is passed over, and a name with an octet outside 33..126 spoils the whole header.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from fakebridge.message.whitespace import trim_space

_IN_NAMES: Final = bytes(range(33, 127))
_AFTER_COLON: Final = b" \r\n"
_FOLD: Final = b" \t"


class HeaderError(Exception):
    """The header cannot be read; ``text`` is the sentence that Bridge sends."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


@dataclass(frozen=True, slots=True)
class Field:
    """One header field: its name, its raw octets with line end, its raw value (still folded). A skipped line has an empty name."""

    name: bytes
    raw: bytes
    value: bytes

    @property
    def unfolded(self) -> bytes:
        """The value with its lines joined by one space and trimmed, encoded words untouched."""
        return unfold(self.value)


def split(literal: bytes) -> tuple[bytes, bytes]:
    """The header block, with the empty line that ends it if there is one, and the body."""
    end = header_end(literal, start=0, end=len(literal))
    return literal[:end], literal[end:]


def header_end(literal: bytes, *, start: int, end: int) -> int:
    """Offset of the first octet of the body of ``literal[start:end]``."""
    position = start
    while position < end:
        line_end = literal.find(b"\n", position, end)
        if line_end < 0:
            return end
        # A line end is LF with any number of CR around it; a line of blanks does not end a header.
        empty = line_end == position or (literal[position] == 0x0D and not literal[position:line_end].strip(b"\r\n"))
        position = line_end + 1
        if empty:
            break
    return position


def fields(header: bytes) -> tuple[Field, ...]:
    """All fields in order, lines without a name included.

    Raises:
        HeaderError: a name holds a blank or an octet outside 33..126, or the last line has neither a name nor a line end.
    """
    found: list[Field] = []
    position = 0
    while position < len(header):
        field, position = _next(header, position)
        found.append(field)
    return tuple(found)


def _next(header: bytes, start: int) -> tuple[Field, int]:
    """The field that begins at ``start``, and where the next one begins."""
    colon = _name_end(header, start)
    if colon < 0:
        end = -colon
        raw = header[start:end]
        return Field(name=b"", raw=raw, value=raw), end
    if header[start:colon].translate(None, _IN_NAMES):
        raise HeaderError("header key contains invalid characters")
    value = min(colon + 2, len(header))
    end = _value_end(header, colon + 2)
    return Field(name=header[start:colon], raw=header[start:end], value=header[value:end]), end


def _name_end(header: bytes, start: int) -> int:
    """Offset of the colon that ends the name, or minus the offset behind a line that has none."""
    line_end = header.find(b"\n", start)
    limit = len(header) if line_end < 0 else line_end
    colon = header.find(b":", start, limit)
    while colon >= 0:
        if colon + 1 < len(header) and header[colon + 1] in _AFTER_COLON:
            return colon
        colon = header.find(b":", colon + 1, limit)
    if line_end < 0:
        raise HeaderError("invalid header key")
    return -(line_end + 1)


def _value_end(header: bytes, start: int) -> int:
    """Offset behind the last line of the value that begins at ``start``."""
    position = start
    while position < len(header):
        line_end = header.find(b"\n", position)
        lone = header.find(b"\r", position, len(header) if line_end < 0 else line_end)
        if lone >= 0 and lone + 1 == len(header):
            raise HeaderError("unexpected EOF")
        if lone >= 0 and lone + 1 != line_end:
            raise HeaderError("expected \\n after \\n")
        if line_end < 0:
            return len(header)
        position = line_end + 1
        if position >= len(header) or header[position] not in _FOLD:
            return position
    return len(header)


def unfold(value: bytes) -> bytes:
    """The lines of a raw value, each trimmed, joined by one space; an empty line adds nothing."""
    if b"\n" not in value:
        return trim_space(value)
    joined: list[bytes] = []
    lines = value.split(b"\n")
    last = len(lines) - 1
    for number, line in enumerate(lines):
        if number == last:
            joined.append(trim_space(line))
            break
        body = line.removesuffix(b"\r")
        if body:
            joined.append(trim_space(body))
            if number + 1 < last or lines[last]:
                joined.append(b" ")
    return b"".join(joined)


def first(header: bytes, name: bytes) -> bytes | None:
    """Unfolded raw value of the first field of that name in any letter case; None if there is none.

    Raises:
        HeaderError: as ``fields``.
    """
    wanted = name.lower()
    for field in fields(header):
        if field.name and field.name.lower() == wanted:
            return field.unfolded
    return None


def select(header: bytes, names: Iterable[bytes], *, keep: bool) -> bytes:
    """The fields of these names (``keep``) or all others, in the order of the message, then the empty line if the header has one.

    Raises:
        HeaderError: as ``fields``.
    """
    wanted = {name.lower() for name in names}
    out: list[bytes] = []
    for field in fields(header):
        blank = not trim_space(field.raw)
        if blank or (field.name and (field.name.lower() in wanted) is keep):
            out.append(field.raw)
    return b"".join(out)


def prepend(literal: bytes, name: bytes, value: bytes) -> bytes:
    """The literal with a field put in front of its first one (bridge-behaviour 4.2: ``X-Pm-Gluon-Id``)."""
    header, body = split(literal)
    line = name + b": " + value + b"\r\n"
    position = 0
    while position < len(header):
        field, after = _next(header, position)
        if field.name:
            return literal[:position] + line + literal[position:]
        position = after
    return header + line + body


def erase(literal: bytes, name: bytes) -> bytes:
    """The literal without the first field of that name (bridge-behaviour 5.1, step 7).

    Raises:
        HeaderError: as ``fields``.
    """
    header, _ = split(literal)
    wanted, position = name.lower(), 0
    while position < len(header):
        field, after = _next(header, position)
        if field.name.lower() == wanted and field.name:
            return literal[:position] + literal[after:]
        position = after
    return literal
