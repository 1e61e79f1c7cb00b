"""An IMAP BODYSTRUCTURE (RFC 3501 7.4.2) as a tree of parts with the section numbers under which they are fetched.

Input are the nested tuples of the IMAP grammar: octets for strings and atoms, None for NIL, tuples for lists. A message inside the
message is one part and is not entered, so its own parts have no place in any numbering (bridge-behaviour 3.5 numbers them in a way
of its own).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from proton_safe.mime import charsets, parameters

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from proton_safe.mime.defects import Defect

MAX_DEPTH: Final = 20
MAX_PARTS: Final = 1_000
MAX_PARAMETERS: Final = 100
MAX_TYPE_CHARS: Final = 127
MAX_PART_OCTETS: Final = 2**40
_MESSAGES: Final = frozenset({"rfc822", "global"})


@dataclass(frozen=True, slots=True)
class Part:
    """One part. `section` is its IMAP number, '' for a multipart message as a whole; `size` counts encoded octets."""

    section: str
    media_type: str
    parameters: Mapping[str, bytes] = field(default_factory=dict)
    encoding: str = ""
    size: int = 0
    disposition: str = ""
    disposition_parameters: Mapping[str, bytes] = field(default_factory=dict)
    content_id: str = ""
    children: tuple[Part, ...] = ()

    @property
    def multipart(self) -> bool:
        """Whether it holds other parts and no octets of its own."""
        return self.media_type.startswith("multipart/")

    @property
    def filename(self) -> str:
        """The sender's file name, decoded; '' if there is none."""
        return parameters.value(self.disposition_parameters, "filename") or parameters.value(self.parameters, "name") or self._bare_filename

    @property
    def _bare_filename(self) -> str:
        return parameters.value(self.parameters, "filename")

    @property
    def charset(self) -> str:
        """The declared charset label; '' if there is none."""
        return parameters.value(self.parameters, "charset")


@dataclass(frozen=True, slots=True)
class Tree:
    """The parts of a message and what was wrong with their description."""

    root: Part
    warnings: tuple[Defect, ...] = ()

    def leaves(self) -> Iterator[Part]:
        """The parts that hold octets, in the order of the message."""
        waiting = [self.root]
        while waiting:
            part = waiting.pop()
            if part.children:
                waiting.extend(reversed(part.children))
            elif not part.multipart:
                yield part


@dataclass(slots=True)
class _Walk:
    parts: int = 0
    warnings: set[Defect] = field(default_factory=set)


def tree(structure: object) -> Tree:
    """The tree of a BODYSTRUCTURE; never raises. At most 20 levels and 1,000 parts; what lies deeper is one opaque part."""
    walk = _Walk()
    root = _part(structure, "", walk, depth=0)
    return Tree(root, tuple(sorted(walk.warnings)))


def _part(structure: object, section: str, walk: _Walk, *, depth: int) -> Part:
    walk.parts += 1
    if not isinstance(structure, tuple) or not structure:
        walk.warnings.add("structure-mismatch")
        return Part(section or "1", "application/octet-stream")
    if isinstance(structure[0], tuple):
        return _multipart(structure, section, walk, depth=depth)
    return _leaf(structure, section, walk)


def _multipart(structure: tuple[object, ...], section: str, walk: _Walk, *, depth: int) -> Part:
    if depth >= MAX_DEPTH:
        walk.warnings.add("structure-truncated")
        return Part(section, "application/octet-stream")
    count = next((at for at, item in enumerate(structure) if not isinstance(item, tuple)), len(structure))
    children: list[Part] = []
    for at, child in enumerate(structure[:count], 1):
        if walk.parts >= MAX_PARTS:
            walk.warnings.add("structure-truncated")
            break
        children.append(_part(child, f"{section}.{at}" if section else str(at), walk, depth=depth + 1))
    subtype = _word(_at(structure, count)) or "mixed"
    kinds = _parameters(_at(structure, count + 1))
    if subtype in _MESSAGES:
        # Bridge gives a message inside the message in the shape of a multipart when it holds several parts: it stays one part.
        disposition, details = _disposition(_at(structure, count + 2))
        size = sum(leaf.size for leaf in Tree(Part(section, "", children=tuple(children))).leaves())
        return Part(section or "1", f"message/{subtype}", kinds, "", size, disposition, details)
    return Part(section, f"multipart/{subtype}"[:MAX_TYPE_CHARS], kinds, children=tuple(children))


def _leaf(structure: tuple[object, ...], section: str, walk: _Walk) -> Part:
    main, subtype = _word(_at(structure, 0)), _word(_at(structure, 1))
    if not main or not subtype:
        # RFC 2045 5.2: a message whose type can't be read is text; a part of one may be anything.
        walk.warnings.add("structure-mismatch")
        main, subtype = ("application", "octet-stream") if section else ("text", "plain")
    media_type = f"{main}/{subtype}"[:MAX_TYPE_CHARS]
    if media_type.startswith("multipart/"):
        # A multipart whose parts the server could not find: what it holds is shown as text (RFC 2046 5.1.1).
        walk.warnings.add("structure-mismatch")
        media_type = "text/plain"
    after_size = 7
    if main == "text":
        after_size = 8
    elif media_type == "message/rfc822" and isinstance(_at(structure, 8), tuple):
        after_size = 10
    disposition, details = _disposition(_at(structure, after_size + 1))
    return Part(
        section or "1",
        media_type,
        _parameters(_at(structure, 2)),
        _word(_at(structure, 5)),
        _number(_at(structure, 6), walk),
        disposition,
        details,
        _text(_at(structure, 3)).strip("<> \t"),
    )


def _disposition(value: object) -> tuple[str, Mapping[str, bytes]]:
    if not isinstance(value, tuple):
        return "", {}
    return _word(_at(value, 0)), _parameters(_at(value, 1))


def _at(items: tuple[object, ...], index: int) -> object:
    return items[index] if index < len(items) else None


def _text(value: object) -> str:
    return charsets.guess(value[:MAX_TYPE_CHARS]) if isinstance(value, bytes) else ""


def _word(value: object) -> str:
    return _text(value).strip().lower()


def _number(value: object, walk: _Walk) -> int:
    digits = str(value) if isinstance(value, int) else _text(value)
    if digits.isascii() and digits.isdigit() and len(digits) <= 13:
        return min(int(digits), MAX_PART_OCTETS)
    walk.warnings.add("structure-mismatch")
    return 0


def _parameters(value: object) -> Mapping[str, bytes]:
    if not isinstance(value, tuple) or not value:
        return {}
    pairs = zip(value[::2], value[1::2], strict=False)
    known = ((_word(name), octets) for name, octets in pairs)
    return dict([(name, octets) for name, octets in known if name and isinstance(octets, bytes)][:MAX_PARAMETERS])
