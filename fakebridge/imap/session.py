"""One IMAP session: its state, how a request is carried out, and what is written for it (bridge-behaviour 1, 3.2). Sans I/O.

The server gives the ways out: `emit` takes octets for the client, `breathe` lets them go and gives others their turn,
`later` calls back after a
while. One request runs at a time.
"""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from fakebridge.bridge.connector import Connector
from fakebridge.bridge.errors import ApiError, Malformed, NoSuchMailbox, Refused
from fakebridge.bridge.service import Bridge
from fakebridge.imap.answers import Bad, No, news_line, octets
from fakebridge.imap.commands.command import Done, Needs
from fakebridge.imap.idling import Idling
from fakebridge.imap.mailbox_names import InvalidName
from fakebridge.imap.requests import Request, Unparsable
from fakebridge.journal import Kind
from fakebridge.mailstore.mailbox import Mailbox
from fakebridge.mailstore.news import Expunged, News
from fakebridge.mailstore.view import View
from fakebridge.mailstore.watcher import Watcher
from fakebridge.message.section import SectionMissing

NOT_AUTHENTICATED = "session is not authenticated"
NOT_SELECTED = "session is not selected"
READ_ONLY = "the mailbox is read-only"
INCONSISTENT = b"* BYE IMAP session state is inconsistent, please re-login."
CAPABILITIES = ("ID", "IDLE", "IMAP4rev1", "MOVE", "STARTTLS", "UIDPLUS", "UNSELECT")
BEFORE_LOGIN = ("AUTH=PLAIN", "ID", "IDLE", "IMAP4rev1", "STARTTLS")
TELLS_OF_EXPUNGE = ("FETCH", "SEARCH", "STORE")


class NeverAnswered(Exception):
    """This command gets no answer at all (3.8); the session goes on."""


@dataclass(frozen=True, slots=True)
class Ways:
    """How a session reaches the outside."""

    emit: Callable[[bytes], None]
    breathe: Callable[[], Awaitable[None]]
    later: Callable[[float, Callable[[], None]], None]


class Session:
    """`number` counts the sessions of the process. `closing` is set when the socket is to be closed after what has been written.

    `withheld`, `added`: capabilities that a fault keeps out of the lists, or puts there.
    """

    def __init__(self, bridge: Bridge, number: int, ways: Ways) -> None:
        self.bridge = bridge
        self.number = number
        self.ways = ways
        self.profile = bridge.profile
        self.random = random.Random(f"{bridge.seed}/{number}")  # noqa: S311 - orders and figures of a simulation, no secrets
        self.connector: Connector | None = None
        self.watcher: Watcher | None = None
        self.user = ""
        self.closing = False
        self.idling: Idling | None = None
        self.tag = b""
        self.withheld: frozenset[str] = frozenset()
        self.added: frozenset[str] = frozenset()
        self._errors = 0
        self._after: list[bytes] = []
        self._counts: dict[str, int] = {}
        self._octets = 0
        self._started = 0.0
        self._is_running = False

    # Writing

    def write(self, line: bytes) -> None:
        """One line, with the literals it may hold; CRLF is added."""
        self._octets += len(line) + 2
        self.ways.emit(line + b"\r\n")

    def untagged(self, kind: str, line: bytes) -> None:
        """An untagged line, counted under `kind` in the journal."""
        self._counts[kind] = self._counts.get(kind, 0) + 1
        self.write(line)

    def write_after(self, line: bytes) -> None:
        """A line that follows the tagged one."""
        self._after.append(line)

    def tell(self, news: list[News]) -> None:
        """Untagged lines about the selected mailbox."""
        for item in news:
            self.untagged(type(item).__name__.upper(), news_line(item))

    async def breathe(self) -> None:
        """Let the written octets go, and others have their turn."""
        await self.ways.breathe()

    # State

    @property
    def capabilities(self) -> tuple[str, ...]:
        """All of them, sorted."""
        names = set(CAPABILITIES)
        if self.profile.auth_plain:
            names.add("AUTH=PLAIN")
        if self.profile.quota:
            names.add("QUOTA")
        if not self.profile.idle:
            names.discard("IDLE")
        return tuple(sorted((names - self.withheld) | self.added))

    def greet(self) -> None:
        """The greeting."""
        name = f"{self.profile.application_name} {self.profile.version}"
        self.write(octets(f"* OK [CAPABILITY {' '.join(self.capabilities)}] {name} - gluon session ID {self.number}"))

    def greet_logged_in(self, connector: Connector) -> None:
        """The greeting of a server that wants no login; Bridge never says it."""
        self.log_in(connector.account.addresses.primary.address, connector)
        self.write(octets(f"* PREAUTH [CAPABILITY {' '.join(self.capabilities)}] {self.profile.application_name}"))

    def log_in(self, user: str, connector: Connector) -> None:
        """LOGIN and AUTHENTICATE have found the account."""
        self.user = user
        self.connector = connector
        self.watcher = connector.store.watch(self.number)

    def leave(self) -> None:
        """The session is over."""
        if self.connector is not None:
            self.connector.store.leave(self.number)

    @property
    def home(self) -> Connector:
        """The connector; No before login."""
        if self.connector is None:
            raise No(NOT_AUTHENTICATED)
        return self.connector

    @property
    def place(self) -> Watcher:
        """The session's place in the store; No before login."""
        if self.watcher is None:
            raise No(NOT_AUTHENTICATED)
        return self.watcher

    @property
    def view(self) -> View:
        """The selected mailbox as the client knows it; No if nothing is selected."""
        view = self.place.view
        if view is None:
            raise No(NOT_SELECTED)
        return view

    @property
    def writable_view(self) -> View:
        """The same, unless it was opened with EXAMINE."""
        if self.view.read_only:
            raise No(READ_ONLY)
        return self.view

    def selected(self) -> Mailbox | None:
        """The selected mailbox, or None."""
        return self.watcher.view.mailbox if self.watcher is not None and self.watcher.view is not None else None

    def flush(self, *, expunge: bool) -> None:
        """Tell what waits."""
        self.tell(self.place.flush(expunge=expunge))

    def flush_without_expunges(self) -> None:
        """CLOSE: the view is brought up to date, EXPUNGE lines are left out."""
        self.tell([item for item in self.place.flush(expunge=True) if not isinstance(item, Expunged)])

    # Carrying out

    def refuse(self, bad: Unparsable) -> None:
        """A syntax error; the twentieth in a row is the last answer (1.7)."""
        if self.idling is not None:
            self.idling.stop(b"NO " + octets(bad.text))
            return
        self.write(bad.tag + b" BAD " + octets(bad.text))
        self.bridge.journal.record(Kind.ANSWER, session=self.number, tag=bad.tag.decode("latin-1"), status="BAD", text=bad.text)
        self._errors += 1
        if self._errors >= self.profile.max_errors:
            self.closing = True

    def note(self, request: Request) -> None:
        """The client has said this: into the journal, whether it is carried out or not."""
        selected = self.selected()
        self.bridge.journal.record(
            Kind.COMMAND,
            session=self.number,
            tag=request.tag.decode("latin-1"),
            verb=request.command.verb,
            line=request.line,
            mailbox=selected.name if selected else None,
        )

    async def execute(self, request: Request) -> None:
        """One request, from its untagged lines to its tagged one."""
        self._errors = 0
        self._counts, self._octets = {}, 0
        self._started = self.bridge.clock.stopwatch()
        self.tag = request.tag
        self.note(request)
        if self.watcher is not None and self.watcher.broken:
            self.write(INCONSISTENT)
            self.closing = True
            self._answered(request.tag, "BYE", "")
            return
        if self.idling is not None:
            self.idling.end_with(request)
            return
        await self._run(request)

    def _keep_alive(self, tag: bytes) -> None:
        """`* OK Still working` as long as this command runs, in builds that do so."""
        seconds = self.profile.still_working_seconds
        if seconds <= 0:
            return

        def still() -> None:
            if self.tag == tag and self._is_running:
                self.untagged("OK", b"* OK Still working")
                self.ways.later(seconds, still)

        self.ways.later(seconds, still)

    async def _run(self, request: Request) -> None:
        self._is_running = True
        self._keep_alive(request.tag)
        try:
            await self._carry_out(request)
        finally:
            self._is_running = False

    async def _carry_out(self, request: Request) -> None:
        command = request.command
        needs_mailbox = command.needs is Needs.SELECTED
        status, text, code = "OK", "", ""
        try:
            if command.needs is not Needs.ANY:
                self.place  # noqa: B018 - raises the refusal
            if needs_mailbox:
                self.view  # noqa: B018 - raises the refusal
            done = await command.run(self)
            text, code = self._done_text(done), done.code
        except NeverAnswered:
            self._answered(request.tag, "NONE", "")
            return
        except Bad as refusal:
            status, text = "BAD", str(refusal)
        except Malformed as refusal:
            status, text = "BAD", str(refusal)
        except No as refusal:
            status, text, code = "NO", str(refusal), refusal.code
        except SectionMissing as refusal:
            status, text = "NO", refusal.text
        except NoSuchMailbox as refusal:
            status, text = "NO", str(refusal)
            code = "TRYCREATE" if command.verb.removeprefix("UID ") in ("APPEND", "COPY", "MOVE") else ""
        except (Refused, ApiError, InvalidName) as refusal:
            status, text = "NO", str(refusal)
        if needs_mailbox and self.watcher is not None and self.watcher.view is not None:
            if status == "OK" and command.verb.removeprefix("UID ") in TELLS_OF_EXPUNGE and self.watcher.holds_back_expunge:
                code = "EXPUNGEISSUED"
            self.flush(expunge=False)
        self._finish(request.tag, status, text, code)

    def _done_text(self, done: Done) -> str:
        if done.text is not None:
            return done.text
        if self.bridge.clock.is_fixed:
            return f"command completed in {self.random.randint(50, 9999)} microsec."
        return f"command completed in {max(1, int((self.bridge.clock.stopwatch() - self._started) * 1e6))} microsec."

    def _finish(self, tag: bytes, status: str, text: str, code: str) -> None:
        parts = [tag, status.encode()]
        if code:
            parts.append(b"[" + code.encode() + b"]")
        if text:
            parts.append(octets(text))
        if self.idling is None:
            self.write(b" ".join(parts))
            for line in self._after:
                self.write(line)
            self._after = []
            self._answered(tag, status, text, code)

    def _answered(self, tag: bytes, status: str, text: str, code: str = "") -> None:
        if text.startswith("command completed in"):
            text = "command completed"
        self.bridge.journal.record(
            Kind.ANSWER,
            session=self.number,
            tag=tag.decode("latin-1"),
            status=status,
            code=code,
            text=text,
            untagged=dict(self._counts),
            octets=self._octets,
        )

    def answered_idle(self, tag: bytes, status: str, text: str) -> None:
        """IDLE has ended: its tagged line."""
        self._finish(tag, status, text, "")
