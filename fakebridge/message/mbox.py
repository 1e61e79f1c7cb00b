"""Removal of mbox ``From `` lines from a body, which costs text (bridge-behaviour 4.1; dialogue 43)."""

from typing import Final

_MARKS: Final = (b"From ", b">From ")


class MboxError(Exception):
    """The last line is such a line and does not end: the message cannot be built."""


def strip_mbox_lines(body: bytes) -> bytes:
    """The body without lines that begin with ``From `` or ``>From `` before its first empty line; cost is linear.

    Raises:
        MboxError: such a line has no line end.
    """
    if not any(mark in body for mark in _MARKS):
        return body
    lines = body.split(b"\n")
    lines = [line + b"\n" for line in lines[:-1]] + [lines[-1]]
    empty_lf = [number for number, line in enumerate(lines) if line == b"\n"]
    kept: list[bytes] = []
    size = 0
    for number, line in enumerate(lines):
        if kept and _ends_head(line, kept[-1], lf_follows=bool(empty_lf) and empty_lf[-1] > number):
            return b"".join(kept) + b"".join(lines[number:])
        if line.startswith(_MARKS) and size != 1:
            if not line.endswith(b"\n"):
                raise MboxError("cannot find end of mbox line")
            continue
        kept.append(line)
        size += len(line)
    return b"".join(kept)


def _ends_head(line: bytes, before: bytes, *, lf_follows: bool) -> bool:
    """Whether an empty line ends the head: one of bare LF, or one of CRLF if none of bare LF comes later."""
    if line == b"\n":
        return True
    return line == b"\r\n" and before.endswith(b"\r\n") and not lf_follows
