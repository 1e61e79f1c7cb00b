"""Whether a ZIP file is an Office Open XML document, from its directory alone: nothing is inflated (PKWARE APPNOTE 4.3).

The directory must account for the whole file: entries that overlap, a directory elsewhere, or octets before or behind are how
one file shows different contents to different readers.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NoReturn

from proton_safe.refusals import Code, Refusal

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_ENTRIES: Final = 2_000

_END: Final = struct.Struct("<4s4H2LH")
_ENTRY: Final = struct.Struct("<4s6H3L5H2L")
_LOCAL_OCTETS: Final = 30
_MAX_COMMENT_OCTETS: Final = 65_535
_ENCRYPTED: Final = 0x0001
_IN_ZIP64: Final = 0xFFFF
_METHODS: Final = frozenset({0, 8})
_CONTENT_TYPES: Final = b"[Content_Types].xml"
_MACROS: Final = b"vbaproject.bin"


@dataclass(frozen=True, slots=True)
class _Entry:
    name: bytes
    flags: int
    method: int
    compressed: int
    offset: int


def check_office_container(octets: bytes, folder: bytes) -> None:
    """Raise unless this is an OOXML container whose document lies in `folder` (`word/`, `xl/`, `ppt/`).

    `attachment-type-mismatch`: no such container, encrypted entries, macros. `attachment-too-complex`: more than 2,000 entries,
    ZIP64, or entries that overlap.
    """
    if not octets.startswith(b"PK\x03\x04"):
        _mismatch()
    entries = tuple(_entries(octets))
    names = [entry.name for entry in entries]
    if _CONTENT_TYPES not in names or not any(name.startswith(folder) for name in names):
        _mismatch()
    if any(entry.flags & _ENCRYPTED or entry.method not in _METHODS or entry.name.lower().endswith(_MACROS) for entry in entries):
        _mismatch()
    _check_extent(entries)


def _entries(octets: bytes) -> Iterator[_Entry]:
    end = _end_record(octets)
    _, disk, directory_disk, here, count, size, offset, _ = _END.unpack_from(octets, end)
    if _IN_ZIP64 in {here, count} or count > MAX_ENTRIES:
        raise Refusal(Code.ATTACHMENT_TOO_COMPLEX)
    if disk or directory_disk or here != count or offset + size != end:
        _mismatch()
    place = offset
    for _ in range(count):
        if place + _ENTRY.size > end:
            _mismatch()
        signature, _, _, flags, method, _, _, _, compressed, _, name, extra, comment, _, _, _, local = _ENTRY.unpack_from(octets, place)
        if signature != b"PK\x01\x02":
            _mismatch()
        place += _ENTRY.size
        yield _Entry(octets[place : place + name], flags, method, compressed, local)
        place += name + extra + comment
    if place != end:
        _mismatch()


def _end_record(octets: bytes) -> int:
    """Where the end record begins; it and its comment must close the file."""
    place = len(octets)
    earliest = max(len(octets) - _END.size - _MAX_COMMENT_OCTETS, 0)
    while (place := octets.rfind(b"PK\x05\x06", earliest, place)) >= 0:
        if place + _END.size <= len(octets) and place + _END.size + int.from_bytes(octets[place + 20 : place + 22], "little") == len(
            octets
        ):
            return place
    return _mismatch()


def _check_extent(entries: tuple[_Entry, ...]) -> None:
    free_from = 0
    for entry in sorted(entries, key=lambda entry: entry.offset):
        if entry.offset < free_from:
            raise Refusal(Code.ATTACHMENT_TOO_COMPLEX)
        free_from = entry.offset + _LOCAL_OCTETS + len(entry.name) + entry.compressed


def _mismatch() -> NoReturn:
    raise Refusal(Code.ATTACHMENT_TYPE_MISMATCH)
