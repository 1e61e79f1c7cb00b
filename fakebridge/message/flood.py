"""The parts of a multipart at the top of a message that has very many of them, as octets: a tree of them would cost gigabytes.

They are the same that ``part`` finds. Bridge has the structure of a message in its database before anybody asks.
"""

import re
from typing import Final

from fakebridge.message.part import delimiter_of, head_of

MANY: Final = 100_000


def pieces(literal: bytes, *, many: int = MANY) -> list[bytes] | None:
    """What stands between the boundary lines, in order; None for a message with fewer than ``many``, or odd ones."""
    root = head_of(literal)
    delimiter = delimiter_of(root.media_type)
    if delimiter is None or literal.count(delimiter, root.body_at) < many:
        return None
    begin = rb"(?:\r?\n|(?<=\n))" + re.escape(delimiter)
    end = re.compile(begin + rb"--(?:\r*\n|\Z)").search(literal, root.body_at)
    line = re.compile(begin + rb"\r*\n")
    # The line before the body ends in a line feed that the first boundary may need.
    region = literal[root.body_at - 1 : len(literal) if end is None else end.start()]
    first = line.search(region)
    if first is None:
        return None
    found = line.split(region[first.end() - 1 :])
    lines = len(found) + (end is not None)
    if literal.count(delimiter, root.body_at, len(literal) if end is None else end.end()) != lines:
        return None  # one of them stands inside a line
    found[0] = found[0][1:]
    if not found[-1] and end is None:
        found.pop()
    return found
