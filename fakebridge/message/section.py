"""The octets of a BODY[…] section, and the two errors of part numbers.

Facts: bridge-behaviour 3.5; dialogues 15, 40. Below a leaf, part 1 is the leaf itself and whatever follows it is ignored; in a
multipart with n children part n+1 is an ``invalid part index``, anything beyond that does not exist.
"""

from collections.abc import Sequence
from enum import Enum

from fakebridge.message import header
from fakebridge.message.part import Part, head_of, parse


class SectionKind(Enum):
    """What of a part is asked for."""

    WHOLE = ""
    MIME = "MIME"
    HEADER = "HEADER"
    TEXT = "TEXT"
    FIELDS = "HEADER.FIELDS"
    FIELDS_NOT = "HEADER.FIELDS.NOT"


class SectionMissing(Exception):
    """There is no such part; ``text`` stands behind ``tag NO``."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


def section(literal: bytes, path: Sequence[int], kind: SectionKind, fields: Sequence[bytes] = ()) -> bytes:
    """Octets of ``BODY[path.kind (fields)]``; an empty path with WHOLE is the literal itself.

    Raises:
        SectionMissing: the path leads nowhere.
    """
    if not path and kind is SectionKind.WHOLE:
        return literal
    root = _follow(parse(literal), path) if path else head_of(literal)
    match kind:
        case SectionKind.WHOLE:
            return root.body
        case SectionKind.MIME:
            return root.header
        case SectionKind.HEADER:
            return root.embedded().header
        case SectionKind.TEXT:
            return root.embedded().body
        case SectionKind.FIELDS:
            return header.select(root.embedded().header, fields, keep=True)
        case SectionKind.FIELDS_NOT:
            return header.select(root.embedded().header, fields, keep=False)


def _follow(root: Part, path: Sequence[int]) -> Part:
    for number in path:
        count = len(root.children)
        if number < 1 or number > count + 1:
            raise SectionMissing("no such parts exists")
        if count == 0:
            return root
        if number > count:
            raise SectionMissing("invalid part index")
        root = root.children[number - 1]
    return root
