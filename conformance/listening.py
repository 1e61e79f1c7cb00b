"""A port on 127.0.0.1 that nobody has any business with, and whether somebody came all the same."""

from __future__ import annotations

import socket


class Listener:
    """Listens from its making until `close`."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0), backlog=8)
        self._socket.setblocking(False)  # noqa: FBT003 - the standard library's signature

    @property
    def port(self) -> int:
        """The port's number."""
        return int(self._socket.getsockname()[1])

    def visited(self) -> bool:
        """Whether a connection waits here that was not asked about before."""
        try:
            self._socket.accept()[0].close()
        except BlockingIOError:
            return False
        return True

    def close(self) -> None:
        """Free the port."""
        self._socket.close()
