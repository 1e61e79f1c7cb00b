"""An IMAP BODYSTRUCTURE (RFC 3501 7.4.2) as a tree of parts with the section numbers under which they are fetched.

Input are the nested tuples of the IMAP grammar: octets for strings and atoms, None for NIL, tuples for lists. A message inside the
message is one part and is not entered, so its own parts have no place in any numbering (bridge-behaviour 3.5 numbers them in a way
of its own).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from proton_safe.mime import charsets, parameters
from proton_safe.mime.parameters import MAX_PARAMETERS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from proton_safe.mime.defects import Defect

MAX_DEPTH: Final = 20
MAX_PARTS: Final = 1_000
MAX_TYPE_CHARS: Final = 127
MAX_PART_OCTETS: Final = 2**40
# RFC 2046 5.1.1 allows 70 characters; mail programs read longer ones all the same.
MAX_BOUNDARY_OCTETS: Final = 70
MAX_BOUNDARY_READ: Final = 200
OPAQUE: Final = "application/octet-stream"
WHOLE_TEXT: Final = "TEXT"
_CONTROLS: Final = bytes(range(32)) + b"\x7f"
_MESSAGES: Final = frozenset({"rfc822", "global"})


@dataclass(frozen=True, slots=True)
class Part:
    """One part. `section` is its IMAP number, '' for a multipart message as a whole; `size` counts encoded octets.

    `unreadable`: the server couldn't read its type. `withheld`: its own header contradicts the structure, so its octets are not shown.
    `undivided`: a multipart whose parts nobody found, shown as the text that it holds. `sized` is False where the structure doesn't say
    how long it is, and `size` is a guess.
    """

    section: str
    media_type: str
    parameters: Mapping[str, bytes] = field(default_factory=dict)
    encoding: str = ""
    size: int = 0
    disposition: str = ""
    disposition_parameters: Mapping[str, bytes] = field(default_factory=dict)
    content_id: str = ""
    children: tuple[Part, ...] = ()
    unreadable: bool = False
    withheld: bool = False
    sized: bool = True
    undivided: bool = False

    @property
    def text(self) -> bool:
        """Whether it is plain text or HTML."""
        return self.media_type in {"text/plain", "text/html"}

    @property
    def multipart(self) -> bool:
        """Whether it holds other parts and no octets of its own."""
        return self.media_type.startswith("multipart/")

    @property
    def silent(self) -> bool:
        """Whether the structure says what servers say of a part whose type they couldn't read: plain text, and nothing else."""
        return self.media_type == "text/plain" and not (self.parameters or self.disposition or self.undivided)

    @property
    def filename(self) -> str:
        """The sender's file name, decoded; '' if there is none. RFC 2183 before RFC 2045: the disposition's name wins."""
        return next(iter(self.filenames), "")

    @property
    def filenames(self) -> tuple[str, ...]:
        """Every file name that the part gives itself, decoded, the one that counts first; each once."""
        return tuple(dict.fromkeys(self.named))

    @property
    def named(self) -> tuple[str, ...]:
        """Its file names in all places where they may stand, in the order in which they count."""
        return (
            *parameters.values(self.disposition_parameters, "filename"),
            *parameters.values(self.parameters, "name"),
            *parameters.values(self.parameters, "filename"),
        )

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
        return Part(section or "1", OPAQUE, unreadable=True)
    if isinstance(structure[0], tuple):
        return _multipart(structure, section, walk, depth=depth)
    return _leaf(structure, section, walk)


def _multipart(structure: tuple[object, ...], section: str, walk: _Walk, *, depth: int) -> Part:
    if depth >= MAX_DEPTH:
        walk.warnings.add("structure-truncated")
        return Part(section or "1", OPAQUE, sized=False, undivided=True)
    count = next((at for at, item in enumerate(structure) if not isinstance(item, tuple)), len(structure))
    children: list[Part] = []
    for at, child in enumerate(structure[:count], 1):
        if walk.parts >= MAX_PARTS:
            walk.warnings.add("structure-truncated")
            break
        children.append(_part(child, f"{section}.{at}" if section else str(at), walk, depth=depth + 1))
    if count == len(structure):
        walk.warnings.add("structure-truncated")  # the answer was too long and was cut inside this list
    subtype = _word(_at(structure, count)) or "mixed"
    kinds = _parameters(_at(structure, count + 1))
    size = sum(leaf.size for leaf in Tree(Part(section, "", children=tuple(children))).leaves())
    if subtype in _MESSAGES:
        # Bridge gives a message inside the message in the shape of a multipart when it holds several parts: it stays one part.
        disposition, details = _disposition(_at(structure, count + 2))
        return Part(section or "1", f"message/{subtype}", kinds, "", size, disposition, details, sized=False)
    if count < len(structure) and not _divides(kinds, walk):
        # Without a boundary that can be told from text there are no parts: it is shown as it stands (RFC 2046 5.1.1).
        return Part(section or WHOLE_TEXT, "text/plain", size=max(size, 1), sized=False, undivided=True)
    if subtype == "digest":
        children = [_message_of_digest(child) for child in children]
    return Part(section, f"multipart/{subtype}"[:MAX_TYPE_CHARS], kinds, children=tuple(children))


def _message_of_digest(part: Part) -> Part:
    """RFC 2046 5.1.5: what says nothing of its type inside a digest is a message; servers may call it text, as they do elsewhere."""
    silent = part.media_type == "text/plain" and not part.parameters and not part.disposition
    return replace(part, media_type="message/rfc822") if silent else part


def _leaf(structure: tuple[object, ...], section: str, walk: _Walk) -> Part:
    main, subtype = _word(_at(structure, 0)), _word(_at(structure, 1))
    unreadable = False
    if not main or not subtype or _length(_at(structure, 0)) + _length(_at(structure, 1)) >= MAX_TYPE_CHARS:
        # RFC 2045 5.2: a message whose type can't be read is text; a part of one may be anything.
        walk.warnings.add("part-header-damaged")
        unreadable = True
        main, subtype = ("application", "octet-stream") if section else ("text", "plain")
    media_type = f"{main}/{subtype}"[:MAX_TYPE_CHARS]
    undivided = media_type.startswith("multipart/")
    if undivided:
        # A multipart whose parts the server could not find: what it holds is shown as text (RFC 2046 5.1.1).
        walk.warnings.add("bad-boundary")
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
        unreadable=unreadable,
        undivided=undivided,
    )


def is_sound_boundary(boundary: bytes) -> bool:
    """Whether lines with this boundary can be told from text: it isn't blank, holds no control characters, and has an end."""
    shown = boundary.strip(b" \t")
    return 0 < len(shown) <= MAX_BOUNDARY_READ and shown.translate(None, _CONTROLS) == shown


def _divides(kinds: Mapping[str, bytes], walk: _Walk) -> bool:
    """Whether there is a boundary that can be told from text."""
    boundary = kinds.get("boundary", b"")
    sound = is_sound_boundary(boundary)
    if not sound or len(boundary) > MAX_BOUNDARY_OCTETS:
        walk.warnings.add("bad-boundary")
    return sound


def _disposition(value: object) -> tuple[str, Mapping[str, bytes]]:
    if not isinstance(value, tuple):
        return "", {}
    return _word(_at(value, 0)), _parameters(_at(value, 1))


def _at(items: tuple[object, ...], index: int) -> object:
    return items[index] if index < len(items) else None


def _text(value: object) -> str:
    return charsets.guess(value[:MAX_TYPE_CHARS]) if isinstance(value, bytes) else ""


def _length(value: object) -> int:
    return len(value) if isinstance(value, bytes) else 0


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
