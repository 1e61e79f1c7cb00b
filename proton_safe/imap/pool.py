"""The connections to one account: kept open with their folder examined, lent to one call at a time, dropped on any doubt.

A call holds at most one connection and opens at most two. A read whose connection is lost is asked again on a new one; nothing else is
repeated.
"""

from __future__ import annotations

import contextlib
import threading
import weakref
from typing import TYPE_CHECKING, Final, TypeVar

from proton_safe.call import Call, CallCancelled
from proton_safe.imap import questions
from proton_safe.imap.deadline import Deadline
from proton_safe.imap.mailbox import Mailbox
from proton_safe.imap.mailboxes import INBOX, Mailboxes, MailboxName, Role, is_inbox
from proton_safe.imap.opening import Opening
from proton_safe.refusals import Code, Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from proton_safe.call import Clock
    from proton_safe.config import Config
    from proton_safe.imap.connection import Connection, Examined
    from proton_safe.imap.credentials import Credentials
    from proton_safe.imap.pins import Pins

T = TypeVar("T")

MAX_CONNECTIONS: Final = 4
IDLE_S: Final = 300.0
MAX_OPENED_BY_A_CALL: Final = 2
# Bridge answers LOGOUT at once; whoever does not must not keep the server from ending (`serving`), nor a call from beginning.
LOGOUT_S: Final = 0.5
_TICK_S: Final = 0.1
# Leaving a folder whose index is larger than this costs more than another connection.
_SMALL_INDEX: Final = 2_000


class Lease:
    """A connection while one call uses it. `fresh`: its folder was examined just now, so there can't be news."""

    def __init__(self, open_another: Callable[[Call], Connection | None], connection: Connection, *, kept: bool) -> None:
        self._open_another = open_another
        self.connection = connection
        self.kept = kept
        self.fresh = False

    @property
    def examined(self) -> Examined:
        """The folder that is open."""
        if self.connection.examined is None:
            raise Refusal(Code.CONNECTION_LOST)
        return self.connection.examined

    def replace(self, refusal: Refusal, call: Call) -> None:
        """Put a new connection in the place of a lost one, if the call may open another; else raise `refusal`, with which a read ended."""
        if refusal.code is not Code.CONNECTION_LOST:
            raise refusal
        self.connection.close()
        another = self._open_another(call)
        if another is None:
            raise refusal
        self.connection = another

    def examine(self, name: MailboxName, call: Call) -> None:
        """Open the folder, unless it is open. Raises `mailbox-not-found` when Bridge doesn't list it any more."""
        examined = self.connection.examined
        if examined is not None and examined.mailbox.raw_name == name.raw_name:
            return
        deadline = Deadline(call)
        if questions.examine(self.connection, name, deadline) is None:
            listed = questions.list_mailboxes(self.connection, deadline)
            present = any(known.raw_name == name.raw_name for known in listed.names)
            raise Refusal(Code.BRIDGE_REFUSED if present else Code.MAILBOX_NOT_FOUND)
        self.fresh = True


class Pool:
    """Up to four connections of one account. Thread-safe."""

    def __init__(self, config: Config, pins: Pins, credentials: Credentials, clock: Clock) -> None:
        self._opening = Opening(config, pins, credentials, clock)
        self._clock = clock
        self._changed = threading.Condition()
        self._idle: list[Connection] = []
        self._open = 0
        self._closed = False
        self._listed: Mailboxes | None = None
        self._opened: weakref.WeakKeyDictionary[Call, int] = weakref.WeakKeyDictionary()
        self._sweeper: threading.Timer | None = None

    @contextlib.contextmanager
    def examine(self, folder: str, call: Call) -> Iterator[Mailbox]:
        """The folder that the caller names, open for reading. Raises `mailbox-not-found` and the connection codes."""
        name = self.resolve(folder, call)
        with self._lease(call, name.raw_name) as lease:
            try:
                lease.examine(name, call)
            except Refusal as refusal:
                lease.replace(refusal, call)
                lease.examine(name, call)
            yield Mailbox(lease, name, call)

    @contextlib.contextmanager
    def connection(self, call: Call) -> Iterator[Connection]:
        """A connection that answered just now, for what must not be asked twice. Raises the connection codes."""
        with self._lease(call, None) as lease:
            if lease.kept:
                try:
                    questions.noop(lease.connection, Deadline(call))
                except Refusal as refusal:
                    lease.replace(refusal, call)
            yield lease.connection

    def ask(self, question: Callable[[Connection, Deadline], T], call: Call) -> T:
        """The answer to a question that changes nothing; asked again on a new connection, once, when the connection is lost."""
        with self._lease(call, None) as lease:
            try:
                return question(lease.connection, Deadline(call))
            except Refusal as refusal:
                lease.replace(refusal, call)
                return question(lease.connection, Deadline(call))

    def mailboxes(self, call: Call) -> Mailboxes:
        """All mailboxes, asked now."""
        listed = self.ask(questions.list_mailboxes, call)
        self._listed = listed
        return listed

    def resolve(self, folder: str, call: Call) -> MailboxName:
        """The mailbox that a caller means, out of the last LIST or one more. Raises `mailbox-not-found`."""
        if is_inbox(folder):
            return INBOX
        listed = self._listed
        known = listed.find(folder) if listed is not None else None
        known = known or self.mailboxes(call).find(folder)
        if known is None or not known.selectable:
            raise Refusal(Code.MAILBOX_NOT_FOUND)  # a name that only groups others holds no mail
        return known

    def drafts(self, call: Call) -> MailboxName:
        r"""The mailbox with the attribute `\Drafts`, whatever its name. Raises `drafts-unavailable`."""
        listed = self._listed
        known = listed.by_role(Role.DRAFTS) if listed is not None else None
        known = known or self.mailboxes(call).by_role(Role.DRAFTS)
        if known is None:
            raise Refusal(Code.DRAFTS_UNAVAILABLE)
        return known

    def close(self) -> None:
        """Log out and close what is idle; what is in use is closed when it comes back. May be called more than once."""
        with self._changed:
            self._closed = True
            if self._sweeper is not None:
                self._sweeper.cancel()
            idle, self._idle = self._idle, []
            self._open -= len(idle)
            self._changed.notify_all()
        self._say_goodbye(idle)

    @contextlib.contextmanager
    def _lease(self, call: Call, raw_name: str | None) -> Iterator[Lease]:
        """Lend a connection, one with this folder open if there is one."""
        connection = self._take(call, raw_name)
        try:
            lease = Lease(self._open_another, connection or self._first(call), kept=connection is not None)
        except BaseException:
            self._give_up()
            raise
        try:
            yield lease
        finally:
            self._give_back(lease.connection)

    def _first(self, call: Call) -> Connection:
        connection = self._open_another(call)
        if connection is None:
            raise Refusal(Code.CONNECTION_LOST)
        return connection

    def _open_another(self, call: Call) -> Connection | None:
        """A new connection; None when this call has opened two already, so that a peer which always hangs up is soon left alone."""
        with self._changed:
            opened = self._opened.get(call, 0)
            if opened == MAX_OPENED_BY_A_CALL:
                return None
            self._opened[call] = opened + 1
        return self._opening.open(call)

    def _take(self, call: Call, raw_name: str | None) -> Connection | None:
        """An idle connection that seems alive, or None: the caller may open one. Waits while all are in use."""
        while True:
            call.check()
            with self._changed:
                if self._closed:
                    raise Refusal(Code.CONNECTION_LOST)
                stale = self._stale()
                connection = self._choice(raw_name)
                if connection is None and self._open < MAX_CONNECTIONS:
                    self._open += 1
                    allowed = True
                else:
                    allowed = connection is not None
                    if not allowed and not stale:
                        self._changed.wait(min(_TICK_S, call.remaining()))
            self._say_goodbye(stale)
            if connection is not None and not connection.quiet():
                connection.close()
                connection = None  # its place is ours
                self._drop_dead()
            if allowed:
                return connection

    def _drop_dead(self) -> None:
        """When one connection has died the others may have too, as when Bridge was started anew; a call has no opens for each of them."""
        with self._changed:
            dead = [each for each in self._idle if not each.quiet()]
            self._idle = [each for each in self._idle if each not in dead]
            self._open -= len(dead)
            self._changed.notify_all()
        for each in dead:
            each.close()

    def _stale(self) -> list[Connection]:
        """Connections that nobody used for five minutes; taken out of the pool."""
        oldest = self._clock.monotonic() - IDLE_S
        stale = [connection for connection in self._idle if connection.used_at < oldest]
        self._idle = [connection for connection in self._idle if connection.used_at >= oldest]
        self._open -= len(stale)
        return stale

    def _choice(self, raw_name: str | None) -> Connection | None:
        """Which idle connection to use, out of the pool; None: better a new one, or none is there."""
        same = [connection for connection in self._idle if _folder(connection) == raw_name and raw_name is not None]
        free = [connection for connection in self._idle if raw_name is None or _index_size(connection) <= _SMALL_INDEX]
        last = self._idle if self._open >= MAX_CONNECTIONS else []
        candidates = same or free or last
        if not candidates:
            return None
        chosen = candidates[0] if candidates is last else candidates[-1]
        self._idle.remove(chosen)
        return chosen

    def _give_back(self, connection: Connection) -> None:
        connection.used_at = self._clock.monotonic()
        with self._changed:
            keep = connection.usable and not self._closed
            if keep:
                self._idle.append(connection)
                self._sweep_later()
            else:
                self._open -= 1
            self._changed.notify()
        if not keep:
            connection.close()

    def _sweep_later(self) -> None:
        """See to it that what stays idle is closed though nobody calls."""
        if self._sweeper is None and self._idle and not self._closed:
            oldest = min(connection.used_at for connection in self._idle)
            self._sweeper = threading.Timer(max(0.0, oldest + IDLE_S - self._clock.monotonic()) + _TICK_S, self._sweep)
            self._sweeper.name, self._sweeper.daemon = "idle-connections", True
            self._sweeper.start()

    def _sweep(self) -> None:
        with self._changed:
            self._sweeper = None
            stale = self._stale()
            self._sweep_later()
            self._changed.notify_all()
        self._say_goodbye(stale)

    def _give_up(self) -> None:
        with self._changed:
            self._open -= 1
            self._changed.notify()

    def _say_goodbye(self, leaving: Sequence[Connection]) -> None:
        """Log out of all of them, then wait for all of them together, then close."""
        deadline = Deadline(Call(self._clock, seconds=LOGOUT_S))
        left = [connection for connection in leaving if connection.usable]
        for goodbye in (questions.logout, questions.hang_up):
            for connection in left:
                with contextlib.suppress(Refusal, CallCancelled):
                    goodbye(connection, deadline)
        for connection in leaving:
            connection.close()


def _folder(connection: Connection) -> str | None:
    return connection.examined.mailbox.raw_name if connection.examined is not None else None


def _index_size(connection: Connection) -> int:
    examined = connection.examined
    return examined.exists if examined is not None and examined.index is not None else 0
