"""The message behind DATA, up to the lone dot."""

from __future__ import annotations

import asyncio


async def read_data(reader: asyncio.StreamReader) -> bytes | None:
    """The message with its dots taken back; None if a line was longer than the reader's limit. IncompleteReadError: the client is gone."""
    lines: list[bytes] = []
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
        lines.append(line[1:] if line.startswith(b".") else line)
        begins = True
