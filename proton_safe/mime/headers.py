"""A header block as a bounded list of fields (RFC 5322 2.2), split once and never guessed at again."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, get_args

from proton_safe.mime.defects import MAX_FIELD_OCTETS, merged

if TYPE_CHECKING:
    from proton_safe.mime.defects import Defect

MAX_BLOCK_OCTETS: Final = 262_144
MAX_FIELDS: Final = 1_000
_NAME_OCTETS: Final = frozenset(range(33, 127)) - {ord(":")}
_MAX_NAME_OCTETS: Final = 200
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

    def first(self, name: str) -> bytes | None:
        """The value of the first field of this name (lower case); None if there is none."""
        return next((field.value for field in self.fields if field.name == name), None)

    def every(self, name: str) -> tuple[bytes, ...]:
        """The values of all fields of this name (lower case), in order."""
        return tuple(field.value for field in self.fields if field.name == name)


def split(block: bytes) -> Headers:
    """The fields of a header block, up to the first empty line, 256 KiB, or 1,000 fields.

    Lines end with CR LF or LF; a bare CR is no line end, so it can't begin a field. A line that is neither a field nor a
    continuation is left out with its continuations. Of repeated single fields the first one counts.
    """
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
