"""Without Bridge's time: polls, news, restarts, outages (bridge-behaviour 1.10, 2.4, 3.2, 3.3, 8.2)."""

from __future__ import annotations

from fakebridge.bridge import elsewhere, polling
from fakebridge.bridge.service import Bridge
from fakebridge.control import Control
from fakebridge.imap import idling
from fakebridge.imap.session import Session
from fakebridge.mailstore import watcher
from fakebridge.mailstore.updates import RecentClaim
from fakebridge.mailstore.watcher import Watcher
from fakebridge.servers.imap import ImapClient
from tests.fidelity.departing import Passed, around, departure, put


@departure("expunge-held-back")
def expunge_is_told_at_once() -> None:
    """EXPUNGE may come with any command."""
    around(Watcher, "flush", lambda original, self, **_: original(self, expunge=True))


@departure("expunge-told-at-flush-points")
def expunge_waits_for_noop() -> None:
    """Only NOOP and IDLE tell it."""

    def flush(original: Passed, self: Session, *, expunge: bool) -> None:
        original(self, expunge=expunge and self.tag.startswith((b"n", b"idle")))

    around(Session, "flush", flush)


@departure("nothing-between-commands")
def news_come_at_once() -> None:
    """A session is told as soon as something happens."""

    def push(original: Passed, self: Watcher, update: Passed) -> None:
        original(self, update)
        session = SESSIONS.get(self.session)
        if session is not None and session.idling is None:
            session.flush(expunge=True)
            session.ways.later(0, lambda: None)

    def log_in(original: Passed, self: Session, *arguments: Passed) -> None:
        original(self, *arguments)
        SESSIONS[self.number] = self

    around(Watcher, "push", push)
    around(Session, "log_in", log_in)


SESSIONS: dict[int, Session] = {}


@departure("news-are-merged")
def news_stay_single() -> None:
    """Every change has its own line."""
    put(watcher, "merged", list)


@departure("recent-claim")
def recent_for_all() -> None:
    """All sessions see a new message as recent."""
    put(RecentClaim, "given_to", lambda *_: True)


@departure("idle-tells-and-ends")
def idle_is_silent() -> None:
    """IDLE tells nothing until it ends."""
    put(idling.Idling, "_hear", lambda *_: None)


@departure("idle-ended-by-any-command")
def idle_goes_on() -> None:
    """Another command in IDLE is simply ended with OK."""
    put(idling.Idling, "end_with", lambda self, _: self.stop(b"OK IDLE"))


@departure("poll")
def changes_show_at_once() -> None:
    """What happens elsewhere needs no poll."""

    def deliver(original: Passed, self: Control, data: Passed) -> Passed:
        answer = original(self, data)
        self._process.bridge.poll()
        return answer

    around(Control, "_deliver", deliver)


@departure("events-tell-flags-and-places")
def events_are_about_new_mail_only() -> None:
    """Known messages never change."""

    def apply(original: Passed, self: Passed, connector: Passed, message: str, **named: Passed) -> None:
        if message not in connector.store.messages:
            original(self, connector, message, **named)

    around(polling.Poller, "_apply_message", apply)


@departure("appenduid-survives-the-poll")
def drafts_are_built_again() -> None:
    """The poll makes a new message of every draft."""

    def apply(original: Passed, self: Passed, connector: Passed, message: str, **named: Passed) -> None:
        local = connector.store.messages.get(message)
        if local is not None and "\\Draft" in local.flags:
            connector.store.forget_message(local)
        original(self, connector, message, **named)

    around(polling.Poller, "_apply_message", apply)


@departure("edited-draft-gets-another-uid")
def edited_drafts_keep_their_uid() -> None:
    """Other octets, same UID."""

    def edit(original: Passed, account: Passed, text: str) -> Passed:
        before = {message.id: message.content for message in account.messages.values()}
        count = original(account, text)
        for message in account.messages.values():
            message.content = before[message.id]
        return count

    around(elsewhere, "edit_drafts", edit)


@departure("restart-keeps")
def restart_is_a_repair() -> None:
    """A restart reads the account again."""
    around(Bridge, "restart", lambda _, self: self.repair())


@departure("repair-counts-anew")
def repair_is_a_restart() -> None:
    """A repair keeps everything."""
    around(Bridge, "repair", lambda _, self: self.restart())


@departure("mode-switch-counts-anew")
def mode_switch_keeps() -> None:
    """A mode switch closes nothing."""
    around(Bridge, "switch_mode", lambda _, __, **___: None)


@departure("closed-without-bye")
def bye_first() -> None:
    """Sockets are closed with a BYE."""

    def close(original: Passed, self: ImapClient) -> None:
        self._emit(b"* BYE closing\r\n")
        self._flush()
        original(self)

    around(ImapClient, "close", close)


@departure("logged-out-like-a-wrong-password")
def log_out_keeps_sessions() -> None:
    """A logged-out account still answers."""
    around(Bridge, "log_out", lambda _, __: None)


@departure("first-sync-newest-first")
def first_sync_oldest_first() -> None:
    """The oldest message gets UID 1."""

    def fill(original: Passed, self: Bridge, connector: Passed, **named: Passed) -> None:
        messages = self.account.messages
        self.account.messages = dict(reversed(messages.items()))
        original(self, connector, **named)
        self.account.messages = messages

    around(Bridge, "_fill", fill)


@departure("offline-hangs-then-fails")
def offline_fails_at_once() -> None:
    """Nothing hangs."""

    async def gate(_: Bridge) -> None:
        return

    put(Bridge, "_gate", gate)


@departure("offline-reads-go-on")
def offline_stops_reading() -> None:
    """Nothing is answered while the account is away."""

    async def run(original: Passed, self: Session, request: Passed) -> None:
        if self.connector is not None and not self.connector.account.online:
            self.closing = True
            return
        await original(self, request)

    around(Session, "_run", run)
