"""The message behind DATA, up to the lone dot."""

from __future__ import annotations

import asyncio

MESSAGE_LIMIT_OCTETS = 67_108_864
"""What goes beyond is not kept. Bridge has no such limit; memory has."""


async def read_data(reader: asyncio.StreamReader) -> bytes | None:
    """The message with its dots taken back; None if a line or all of it was too long. IncompleteReadError: the client is gone."""
    lines: list[bytes] = []
    octets = 0
    whole = begins = True
    while True:
        try:
            line = await reader.readuntil(b"\n")
        except asyncio.LimitOverrunError as too_long:
            whole = begins = False
            await reader.readexactly(too_long.consumed)
            continue
        if begins and line in {b".\r\n", b".\n"}:
            return b"".join(lines) if whole else None
        begins = True
        octets += len(line)
        if octets > MESSAGE_LIMIT_OCTETS:
            whole = False
            lines.clear()
        if whole:
            lines.append(line[1:] if line.startswith(b".") else line)


async def read_chunk(reader: asyncio.StreamReader, size: int, *, before: int) -> bytes | None:
    """So many octets behind BDAT, when `before` were there already; None if it is too much, and nothing was read."""
    return None if before + size > MESSAGE_LIMIT_OCTETS else await reader.readexactly(size)
