"""Closing a socket the way a Go program does: at once and in both directions, so that what the peer still sends is answered with a reset.

asyncio would wait for the peer's TLS goodbye and close a little later; a client that goes on writing could not tell
that the session is over.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket


def hang_up(writer: asyncio.StreamWriter, wire: asyncio.WriteTransport) -> None:
    """Say goodbye on TLS, end the connection below it (`wire` is the transport that TLS runs on), and free the socket."""
    end = writer.get_extra_info("socket")
    if end is None:
        wire.close()
        return
    with contextlib.suppress(OSError):
        # Goodbye and end of stream travel together: nobody can write between them.
        if hasattr(socket, "TCP_CORK"):
            end.setsockopt(socket.IPPROTO_TCP, socket.TCP_CORK, 1)
    writer.close()
    with contextlib.suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    wire.close()
