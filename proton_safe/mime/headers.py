"""A header block as a bounded list of fields (RFC 5322 2.2), split once and never guessed at again."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, get_args

from proton_safe.mime.defects import MAX_FIELD_OCTETS, merged

if TYPE_CHECKING:
    from collections.abc import Mapping

    from proton_safe.mime.defects import Defect

MAX_BLOCK_OCTETS: Final = 262_144
MAX_FIELDS: Final = 1_000
_NAME_OCTETS: Final = frozenset(range(33, 127)) - {ord(":")}
_MAX_NAME_OCTETS: Final = 200
# Name and value of a field whose lines all end in CR LF; the CR of the last one is the value's last octet.
_USUAL_FIELD: Final = re.compile(rb"([!-9;-~]{1,200}+):([^\n]*+(?:\n[ \t][^\n]*+)*+)\n")
# RFC 5322 3.6, RFC 2045 3: these occur at most once.
SingleHeader = Literal[
    "from",
    "sender",
    "reply-to",
    "to",
    "cc",
    "bcc",
    "subject",
    "date",
    "message-id",
    "in-reply-to",
    "references",
    "mime-version",
    "content-type",
    "content-transfer-encoding",
]
_SINGLE: Final[tuple[SingleHeader, ...]] = get_args(SingleHeader)
_ONCE: Final[frozenset[str]] = frozenset(_SINGLE)


@dataclass(frozen=True, slots=True)
class Field:
    """One field: its name in lower case and its value with the line ends of folding.

    A value of more than 8 KiB is cut one octet behind that, so that its reader can tell.
    """

    name: str
    value: bytes


@dataclass(frozen=True, slots=True)
class Headers:
    """The fields of a block in order, and what was wrong with them.

    `duplicates`: names that may stand once and stand more often. Readers differ in which one they show, so a signature may hold
    for another one than is shown (RFC 6376 8.15).
    """

    fields: tuple[Field, ...] = ()
    warnings: tuple[Defect, ...] = ()
    duplicates: tuple[SingleHeader, ...] = ()
    _first: Mapping[str, bytes] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Note the first value of each name: readers of mail ask for many."""
        object.__setattr__(self, "_first", {each.name: each.value for each in reversed(self.fields)})

    def first(self, name: str) -> bytes | None:
        """The value of the first field of this name (lower case); None if there is none."""
        return self._first.get(name)

    def every(self, name: str) -> tuple[bytes, ...]:
        """The values of all fields of this name (lower case), in order."""
        return tuple(each.value for each in self.fields if each.name == name) if name in self._first else ()


def split(block: bytes) -> Headers:
    """The fields of a header block, up to the first empty line, 256 KiB, or 1,000 fields.

    Lines end with CR LF or LF; a bare CR is no line end, so it can't begin a field. A line that is neither a field nor a
    continuation is left out with its continuations. Of repeated single fields the first one counts.
    """
    return _usual(block) or _line_by_line(block)


def _usual(block: bytes) -> Headers | None:
    """The fields of a block as nearly all mails have it: nothing in it that a warning would be due for. None for any other."""
    end = block.find(b"\r\n\r\n") + 2
    if end < 2 or len(block) > MAX_BLOCK_OCTETS or block.count(b"\n", 0, end) != block.count(b"\r\n", 0, end):
        return None
    fields: list[Field] = []
    at = 0
    while at < end:
        found = _USUAL_FIELD.match(block, at, end)
        if found is None or len(fields) == MAX_FIELDS:
            return None
        value = found[2][:-1].strip(b" \t")
        if len(value) > MAX_FIELD_OCTETS:
            return None
        fields.append(Field(found[1].decode("ascii").lower(), value))
        at = found.end()
    once = [each.name for each in fields if each.name in _ONCE]
    return Headers(tuple(fields)) if len(set(once)) == len(once) else None


def _line_by_line(block: bytes) -> Headers:
    warnings: list[Defect] = []
    if len(block) > MAX_BLOCK_OCTETS:
        warnings.append("header-truncated")
    fields: list[Field] = []
    name: str | None = None
    lines: list[bytes] = []
    for line in _lines(block[:MAX_BLOCK_OCTETS]):
        if line[:1] in {b" ", b"\t"}:
            lines.append(line)
            continue
        _close(fields, name, lines, warnings)
        if len(fields) >= MAX_FIELDS:
            warnings.append("header-truncated")
            name, lines = None, []
            break
        name, value = _field(line)
        lines = [value]
        if name is None:
            warnings.append("header-damaged")
    _close(fields, name, lines, warnings)
    times = Counter(field.name for field in fields)
    duplicates = tuple(single for single in _SINGLE if times[single] > 1)
    if duplicates:
        warnings.append("duplicate-header")
    return Headers(tuple(fields), merged(warnings), duplicates)


def _lines(block: bytes) -> list[bytes]:
    """The lines of the block before the first empty one, without their ends."""
    lines = [line.removesuffix(b"\r") for line in block.split(b"\n")]
    return lines[: lines.index(b"")] if b"" in lines else lines


def _field(line: bytes) -> tuple[str | None, bytes]:
    name, colon, value = line.partition(b":")
    if not colon or not name or len(name) > _MAX_NAME_OCTETS or not _NAME_OCTETS.issuperset(name):
        return None, b""
    return name.decode("ascii").lower(), value


def _close(fields: list[Field], name: str | None, lines: list[bytes], warnings: list[Defect]) -> None:
    if name is None:
        return
    value = b"\r\n".join(lines).strip(b" \t")
    if len(value) > MAX_FIELD_OCTETS:
        warnings.append("header-truncated")
    fields.append(Field(name, value[: MAX_FIELD_OCTETS + 1]))
