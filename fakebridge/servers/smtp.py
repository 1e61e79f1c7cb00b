"""The SMTP listener: sockets and TLS. What is said is decided in `fakebridge.smtp`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from fakebridge.bridge.service import Bridge
from fakebridge.smtp.sending import Sending
from fakebridge.smtp.session import SmtpSession
from fakebridge.tls import Certificate


class SmtpServer:
    """The listener on 127.0.0.1. All sessions of one Bridge share its memory of failures."""

    def __init__(self, bridge: Callable[[], Bridge], certificate: Callable[[], Certificate]) -> None:
        self._bridge = bridge
        self._certificate = certificate
        self._server: asyncio.Server | None = None
        self._sending: tuple[Bridge, Sending] | None = None
        self._sessions = 0

    async def start(self, port: int) -> int:
        """Begin to listen; the port."""
        implicit = self._bridge().profile.implicit_tls_smtp
        context = self._certificate().context if implicit else None
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: self._accept(implicit=implicit), "127.0.0.1", port, ssl=context)
        return int(self._server.sockets[0].getsockname()[1])

    def _accept(self, *, implicit: bool) -> SmtpSession:
        bridge = self._bridge()
        if self._sending is None or self._sending[0] is not bridge:
            self._sending = (bridge, Sending(bridge.outgoing))
        self._sessions += 1
        session = SmtpSession(
            bridge.outgoing,
            self._sending[1],
            tls_context=self._certificate().context,
            number=self._sessions,
            implicit_tls=implicit,
            on_close=bridge.disconnect,
        )
        bridge.connect(session)
        return session

    def count_anew(self) -> None:
        """A restarted Bridge counts its sessions from 1 and has forgotten earlier failures."""
        self._sessions = 0
        self._sending = None

    async def stop(self) -> None:
        """Listen no more."""
        if self._server is not None:
            self._server.close()
            self._server = None
