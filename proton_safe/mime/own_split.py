"""A message taken apart by ourselves, out of its own octets: for mails whose parts or whose header Bridge's reader does not find.

Boundaries are those of RFC 2046 5.1.1, blanks behind them included. Section numbers are counted as IMAP counts them, and belong to
what is found here alone: nobody may ask Bridge for them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from proton_safe.mime import headers, own_header
from proton_safe.mime.headers import Headers
from proton_safe.mime.structure import MAX_DEPTH, MAX_PARTS, OPAQUE, Part, Tree, is_sound_boundary

if TYPE_CHECKING:
    from collections.abc import Mapping

    from proton_safe.mime.defects import Defect

MAX_OCTETS: Final = 2_097_152
_MAX_LOOKED_FOR: Final = 20
_OF_BRIDGE: Final = re.compile(rb"[0-9a-f]{64}")
# A boundary parameter that lost the blank which would make its line a continuation (RFC 5322 2.2.3).
_STRAY_BOUNDARY: Final = re.compile(rb"""^boundary[ \t]*=[ \t]*"?([^"\r\n;]{1,200})""", re.IGNORECASE | re.MULTILINE)
_BLANK_LINE: Final = re.compile(rb"(?:\A|(?<=\n))\r?\n")


@dataclass(frozen=True, slots=True)
class Whole:
    """A message's header, its tree, and the octets of its leaves by section, still in their transfer encoding."""

    head: Headers
    tree: Tree
    octets: dict[str, bytes]


@dataclass(slots=True)
class _Walk:
    parts: int = 0
    octets: dict[str, bytes] = field(default_factory=dict)
    warnings: set[Defect] = field(default_factory=set)


def divides(head: Headers) -> bool:
    """Whether the header says that the message has parts, and may say between which lines."""
    if b"multipart/" not in (head.first("content-type") or b"").lower():
        return False
    own = own_header.of(head)
    stray = "header-damaged" in head.warnings
    return own.media_type.startswith("multipart/") and (stray or is_sound_boundary(own.parameters.get("boundary", b"")))


def overlooked(tree: Tree, octets: Mapping[str, bytes]) -> bool:
    """Whether a text holds a boundary line of the message that Bridge's reader took for text, for the blanks at its end."""
    lines = [
        re.compile(rb"(?:\A|\n)--" + re.escape(boundary) + rb"(?:--)?[ \t]++\r?\n")
        for boundary in _boundaries(tree)
        if not _OF_BRIDGE.fullmatch(boundary)
    ]
    return any(line.search(text) for line in lines for text in octets.values())


def bridge_made(tree: Tree) -> bool:
    """Whether all boundaries are of Bridge's making (bridge-behaviour 4.3), which never have blanks behind them."""
    return all(_OF_BRIDGE.fullmatch(boundary) for boundary in _boundaries(tree))


def _boundaries(tree: Tree) -> list[bytes]:
    """The boundaries of the first multiparts."""
    found: list[bytes] = []
    waiting = [tree.root]
    while waiting and len(found) < _MAX_LOOKED_FOR:
        part = waiting.pop()
        waiting.extend(part.children)
        if part.children and is_sound_boundary(part.parameters.get("boundary", b"")):
            found.append(part.parameters["boundary"])
    return found


def message(octets: bytes) -> Whole:
    """The message that begins with these octets; never raises. At most 20 levels and 1,000 parts."""
    walk = _Walk()
    begin, body = _header(octets)
    head = headers.split(begin)
    if not head.fields:
        body = octets  # no line of it is a field: all of it is text
    own = own_header.of(head)
    stray = None if "boundary" in own.parameters else _STRAY_BOUNDARY.search(begin)
    if stray is not None:
        own = replace(own, parameters={**own.parameters, "boundary": stray[1]})
    root = _part(own, body, "", walk, depth=0)
    return Whole(head, Tree(root, tuple(sorted(walk.warnings))), walk.octets)


def _header(octets: bytes) -> tuple[bytes, bytes]:
    end = _BLANK_LINE.search(octets)
    return (octets, b"") if end is None else (octets[: end.start()], octets[end.end() :])


def _part(own: own_header.OwnHeader, body: bytes, section: str, walk: _Walk, *, depth: int) -> Part:
    walk.parts += 1
    if own.media_type.startswith("multipart/"):
        found = _pieces(body, own.parameters.get("boundary", b""))
        if found and depth < MAX_DEPTH:
            return Part(section, own.media_type, own.parameters, children=_children(found, section, walk, depth=depth))
        walk.warnings.add("structure-truncated" if found else "bad-boundary")
    number = section or "1"
    walk.octets[number] = body
    media_type = own.media_type or ("text/plain" if own.textual and (not own.declared or not section) else OPAQUE)
    if media_type.startswith("multipart/"):
        media_type = OPAQUE if depth >= MAX_DEPTH else "text/plain"
    return Part(number, media_type, own.parameters, own.encoding, len(body), own.disposition, own.disposition_parameters, own.content_id)


def _children(pieces: list[bytes], section: str, walk: _Walk, *, depth: int) -> tuple[Part, ...]:
    children: list[Part] = []
    for at, piece in enumerate(pieces, 1):
        if walk.parts >= MAX_PARTS:
            walk.warnings.add("structure-truncated")
            break
        begin, body = _header(piece)
        own = own_header.read(begin)
        if own.warnings:
            walk.warnings.add("part-header-damaged")
        children.append(_part(own, body, f"{section}.{at}" if section else str(at), walk, depth=depth + 1))
    return tuple(children)


def _pieces(body: bytes, boundary: bytes) -> list[bytes]:
    """What stands between the boundary lines, at most a part more than are kept; nothing where no boundary can be told from text."""
    if not is_sound_boundary(boundary):
        return []
    line = re.compile(rb"(?:\A|\r?\n)--" + re.escape(boundary.rstrip(b" \t")) + rb"(--)?[ \t]*+(?=\r?\n|\Z)")
    pieces: list[bytes] = []
    begin = -1
    for found in line.finditer(body):
        if begin >= 0:
            pieces.append(body[begin : found.start()].removeprefix(b"\r").removeprefix(b"\n"))
        begin = found.end()
        if found[1] or len(pieces) > MAX_PARTS:
            return pieces
    if begin >= 0:
        pieces.append(body[begin:].removeprefix(b"\r").removeprefix(b"\n"))
    return pieces
