"""The IMAP listener: sockets, STARTTLS, the order of reading and answering. What is said is decided in `fakebridge.imap`."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable

from fakebridge.bridge.service import Bridge
from fakebridge.faults.altering import steps
from fakebridge.faults.exchange import Exchange, octets_of
from fakebridge.faults.kinds import FaultKind, Place
from fakebridge.faults.rule import FaultRule
from fakebridge.faults.verbs import CONNECT
from fakebridge.imap.commands.starttls import StarttlsCommand
from fakebridge.imap.reading import Reader
from fakebridge.imap.requests import ContinuationWanted, Ended, Incoming, Request, Unparsable
from fakebridge.imap.session import Session, Ways
from fakebridge.journal import Kind
from fakebridge.servers.delivering import Delivering
from fakebridge.servers.handshaking import Handshaking
from fakebridge.servers.hanging_up import hang_up
from fakebridge.tls import Certificate

CHUNK = 262_144
HIGH_WATER = 1_048_576
FLUSH_OCTETS = 65_536
FLUSH_STEPS = 1_000
FLUSH_SECONDS = 0.01
BACKLOG = 1024
"""Connections that may wait at once: a client that opens many in a row is not made to wait a second for one."""


class ImapClient:
    """One connection. The reader runs one command ahead of the executor, as Bridge's does (bridge-behaviour 1.8)."""

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        *,
        wire: asyncio.WriteTransport,
        bridge: Bridge,
        number: int,
        certificate: Certificate,
    ) -> None:
        self._reader = reader
        self._writer = writer
        # The plain transport below TLS: closing it ends the connection without waiting for the peer's goodbye, as Bridge does.
        self._wire = wire
        self._bridge = bridge
        self._certificate = certificate
        self._loop = asyncio.get_running_loop()
        self._requests: asyncio.Queue[Request | Unparsable | None] = asyncio.Queue(maxsize=1)
        self._is_open = True
        self._unsent: list[bytes] = []
        self._unsent_octets = 0
        self._sent_octets = 0
        # While a faulty command runs, its answer is gathered here.
        self._captured: list[bytes] | None = None
        self._delivering = Delivering(self._deliver, lambda: self._is_open)
        self.session = Session(bridge, number, Ways(self._emit, self._breathe, self._later))

    # Ways out

    def _emit(self, octets: bytes) -> None:
        if self._captured is not None:
            self._captured.append(octets)
            return
        self._say(octets)

    def _say(self, octets: bytes) -> None:
        self._unsent.append(octets)
        self._sent_octets += len(octets)
        self._unsent_octets += len(octets)
        if self._unsent_octets > FLUSH_OCTETS:
            self._flush()

    def _flush(self) -> None:
        """Hand what was said to the socket, many lines at a time."""
        if self._is_open and self._unsent:
            if self._writer.transport.is_closing():
                # The client is gone: what it has asked for and not heard is given up.
                self.close()
            else:
                self._writer.write(b"".join(self._unsent))
        self._unsent, self._unsent_octets = [], 0

    async def _breathe(self) -> None:
        self._flush()
        if self._is_open and self._writer.transport.get_write_buffer_size() > HIGH_WATER:
            with contextlib.suppress(ConnectionError):
                await self._writer.drain()
        await asyncio.sleep(0)

    async def _deliver(self, octets: bytes) -> None:
        self._say(octets)
        await self._breathe()

    def _later(self, seconds: float, call: Callable[[], None]) -> None:
        def due() -> None:
            call()
            self._flush()

        self._loop.call_later(seconds, due)

    def close(self) -> None:
        """Close the socket; nothing more is written."""
        if self._is_open:
            self._is_open = False
            hang_up(self._writer, self._wire)

    async def _sent(self) -> None:
        """Wait until what was written is with the system, for a while at least."""
        for _ in range(FLUSH_STEPS):
            if not self._is_open or not (self._writer.transport.get_write_buffer_size() or self._wire.get_write_buffer_size()):
                return
            await asyncio.sleep(FLUSH_SECONDS)

    # Life

    async def serve(self) -> None:
        """From the greeting to the end."""
        self._bridge.connect(self)
        self._bridge.journal.record(Kind.CONNECT, session=self.session.number, protocol="imap")
        reading: asyncio.Task[None] | None = None
        try:
            if await self._greet():
                reading = asyncio.create_task(self._read())
                await self._execute_all()
        finally:
            if reading is not None:
                reading.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await reading
            self.session.leave()
            self._bridge.disconnect(self)
            self._bridge.journal.record(Kind.CLOSE, session=self.session.number)
            self.close()

    async def _read(self) -> None:
        reader = Reader(self._bridge.profile)
        pending: deque[Incoming] = deque()
        try:
            while self._is_open:
                incoming = pending.popleft() if pending else reader.next()
                if incoming is None:
                    data = await self._reader.read(CHUNK)
                    if not data:
                        break
                    reader.receive(data)
                elif isinstance(incoming, ContinuationWanted):
                    self._ask_for_literal(incoming)
                elif isinstance(incoming, Ended):
                    break
                elif isinstance(incoming, Request) and isinstance(incoming.command, StarttlsCommand):
                    await self._start_tls(incoming)
                    # What was sent in the clear behind the command is dropped.
                    reader.forget()
                else:
                    await self._requests.put(incoming)
        except (ConnectionError, OSError):
            pass
        await self._requests.put(None)

    async def _start_tls(self, request: Request) -> None:
        tag = request.tag.decode("latin-1")
        ready = request.tag + b" OK Begin TLS negotiation now\r\n"
        if "STARTTLS" in self.session.withheld:
            self._say(request.tag + b" BAD unknown command 'starttls'\r\n")
            self._flush()
            return
        rule = self._fault(request.command.verb, tag=tag)
        if rule is not None:
            is_alive = await self._delivering.play(steps(Exchange(rule, request.tag, request.command.verb, ready)))
            if not is_alive:
                await self._sent()
                raise ConnectionAbortedError
            if rule.place is Place.INSTEAD:
                self.session.note(request)
                return
        self._bridge.journal.record(Kind.COMMAND, session=self.session.number, tag=tag, verb="STARTTLS", line="STARTTLS")
        if rule is None:
            self._say(ready)
        hostile = self._bridge.faults.hits((Place.HANDSHAKE,), request.command.verb, sent=self._sent_octets)
        for each in hostile:
            self._note(each, request.command.verb, tag)
        self._say(Handshaking.before(hostile))
        self._flush()
        await Handshaking(self._reader, self._deliver, self._sent).break_off(hostile)
        await self._writer.start_tls(self._certificate.context)
        self._bridge.journal.record(Kind.TLS, session=self.session.number, certificate=self._certificate.sha256)

    def _ask_for_literal(self, wanted: ContinuationWanted) -> None:
        """The continuation line, as a fault may want it."""
        rules = self._bridge.faults.hits((Place.CONTINUATION,), wanted.verb, sent=self._sent_octets)
        for rule in rules:
            self._note(rule, wanted.verb, "")
        lines = [octets_of(rule) for rule in rules] or [wanted.line]
        self._say(b"".join(line + b"\r\n" for line in lines if line))
        self._flush()

    async def _execute_all(self) -> None:
        while self._is_open:
            request = await self._requests.get()
            if request is None:
                return
            if isinstance(request, Unparsable):
                self.session.refuse(request)
            elif not await self._carry_out(request):
                await self._sent()
                return
            await self._breathe()
            if self.session.closing:
                await self._sent()
                return

    # Faults

    async def _greet(self) -> bool:
        """The greeting, as a fault may want it. False: the connection is over."""
        for greeting in self._bridge.faults.hits((Place.GREETING,), CONNECT):
            self._note(greeting, CONNECT, "")
            if greeting.do is FaultKind.GREETING_LATE:
                await asyncio.sleep(greeting.seconds)
            elif greeting.do is FaultKind.GREETING_ABSENT:
                return True
            elif greeting.do is FaultKind.PREAUTH:
                self.session.greet_logged_in(self._bridge.connectors[0])
                self._flush()
                return True
            elif greeting.do is FaultKind.CAPABILITY_ADDED:
                self.session.added |= {greeting.text}
            else:
                self.session.withheld |= {"STARTTLS" if greeting.do is FaultKind.STARTTLS_NOT_OFFERED else greeting.text.upper()}
        rule = self._fault(CONNECT)
        if rule is None:
            self.session.greet()
            self._flush()
            return True
        self._captured = []
        self.session.greet()
        return await self._play(rule, b"*", CONNECT)

    async def _carry_out(self, request: Request) -> bool:
        """One command, as a fault may want it. False: the connection is over."""
        rule = self._fault(request.command.verb, tag=request.tag.decode("latin-1"))
        if rule is None:
            await self.session.execute(request)
            return True
        self._flush()
        self._captured = []
        if rule.do is FaultKind.UIDVALIDITY:
            self._bridge.validity_shift += 1
        if rule.place is Place.AFTER:
            await self.session.execute(request)
        else:
            self.session.note(request)
        return await self._play(rule, request.tag, request.command.verb)

    async def _play(self, rule: FaultRule, tag: bytes, verb: str) -> bool:
        """What the fault makes of the answer that was gathered."""
        answer, self._captured = b"".join(self._captured or ()), None
        exchange = Exchange(rule, tag, verb, answer, is_open=self.session.selected() is not None)
        is_alive = await self._delivering.play(steps(exchange))
        if not is_alive:
            await self._sent()
        return is_alive

    def _fault(self, verb: str, *, tag: str = "") -> FaultRule | None:
        selected = self.session.selected()
        rule = self._bridge.faults.hit(verb, mailbox=selected.name if selected else None, sent=self._sent_octets)
        if rule is not None:
            self._note(rule, verb, tag)
        return rule

    def _note(self, rule: FaultRule, verb: str, tag: str) -> None:
        self._bridge.journal.record(Kind.FAULT, session=self.session.number, verb=verb, do=rule.do.value, tag=tag)


class ImapServer:
    """The listener on 127.0.0.1. Sessions are counted from 1, and anew after a restart."""

    def __init__(self, bridge: Callable[[], Bridge], certificate: Callable[[], Certificate]) -> None:
        self._bridge = bridge
        self._certificate = certificate
        self._server: asyncio.Server | None = None
        self._sessions = 0
        self._serving: set[asyncio.Task[None]] = set()

    async def start(self, port: int) -> int:
        """Begin to listen; the port."""
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", port, limit=CHUNK, backlog=BACKLOG)
        return int(self._server.sockets[0].getsockname()[1])

    def count_anew(self) -> None:
        """A restarted Bridge counts its sessions from 1."""
        self._sessions = 0

    def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        serving = asyncio.get_running_loop().create_task(self._serve(reader, writer))
        self._serving.add(serving)
        serving.add_done_callback(self._serving.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        limit = self._bridge().profile.session_limit
        if limit and len(self._serving) > limit:
            writer.close()
            return
        self._sessions += 1
        number, certificate, wire = self._sessions, self._certificate(), writer.transport
        with contextlib.suppress(ConnectionError, OSError):
            if self._bridge().profile.implicit_tls_imap:
                await writer.start_tls(certificate.context)
            client = ImapClient(reader, writer, wire=wire, bridge=self._bridge(), number=number, certificate=certificate)
            await client.serve()
        wire.close()

    async def stop(self) -> None:
        """Listen no more, and let the sessions whose sockets are closed come to their end."""
        if self._server is not None:
            self._server.close()
            self._server = None
        if self._serving:
            _, late = await asyncio.wait(self._serving, timeout=1.0)
            for serving in late:
                serving.cancel()
            await asyncio.gather(*late, return_exceptions=True)
