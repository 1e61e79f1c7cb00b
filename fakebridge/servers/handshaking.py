"""What a fault makes of the TLS handshake that a client was promised: silence, an alert, clear text, an old version, an end."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable

from fakebridge.faults.exchange import octets_of
from fakebridge.faults.kinds import FaultKind
from fakebridge.faults.rule import FaultRule

CHUNK = 65_536
HANDSHAKE_FAILURE = bytes.fromhex("15 03 03 00 02 02 28")
"""A TLS alert, fatal (RFC 8446, 6)."""
_RENEGOTIATION_INFO = bytes.fromhex("00 05 ff 01 00 01 00")
"""RFC 5746, 3.6: so that the version alone is what a client minds."""
_SERVER_HELLO_BODY = bytes.fromhex("03 01") + bytes(32) + bytes.fromhex("00 00 2f 00") + _RENEGOTIATION_INFO
_SERVER_HELLO = bytes.fromhex("02 00 00") + bytes([len(_SERVER_HELLO_BODY)]) + _SERVER_HELLO_BODY
OLD_SERVER_HELLO = bytes.fromhex("16 03 01 00") + bytes([len(_SERVER_HELLO)]) + _SERVER_HELLO
"""What a server of TLS 1.0 says to a client, whatever that offers (RFC 2246, 7.4.1.3)."""


class Handshaking:
    """`deliver` writes octets at once, in the clear; `sent` waits until the client has them."""

    def __init__(
        self, reader: asyncio.StreamReader, deliver: Callable[[bytes], Awaitable[None]], sent: Callable[[], Awaitable[None]]
    ) -> None:
        self._reader = reader
        self._deliver = deliver
        self._sent = sent

    @staticmethod
    def before(rules: Iterable[FaultRule]) -> bytes:
        """What is said in the clear behind the OK, in the same packet."""
        return b"".join(_lines(rule) for rule in rules if rule.do is FaultKind.OCTETS_BEFORE_TLS)

    async def break_off(self, rules: Iterable[FaultRule]) -> None:
        """Instead of a handshake. Raises ConnectionAbortedError when the connection is over; returns when there may be one."""
        for rule in rules:
            if rule.do in _BROKEN_OFF:
                await self._instead(rule)
                raise ConnectionAbortedError

    async def _instead(self, rule: FaultRule) -> None:
        if rule.do is FaultKind.TLS_CLOSED:
            return
        await self._reader.read(CHUNK)
        if rule.do is FaultKind.TLS_REFUSED:
            await self._deliver(HANDSHAKE_FAILURE)
        elif rule.do is FaultKind.TLS_IN_THE_CLEAR:
            await self._deliver(_lines(rule))
        else:
            if rule.do is FaultKind.TLS_OLD:
                await self._deliver(OLD_SERVER_HELLO)
            while await self._reader.read(CHUNK):
                pass
        await self._sent()


_BROKEN_OFF = frozenset({FaultKind.TLS_STALL, FaultKind.TLS_REFUSED, FaultKind.TLS_CLOSED, FaultKind.TLS_IN_THE_CLEAR, FaultKind.TLS_OLD})


def _lines(rule: FaultRule) -> bytes:
    return b"".join(line + b"\r\n" for line in octets_of(rule).split(b"\n"))
