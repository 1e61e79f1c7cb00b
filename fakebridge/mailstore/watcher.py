"""One session's place in the store: its view, and the updates it has not been told yet."""

from __future__ import annotations

from collections.abc import Callable

from fakebridge.mailstore.mailbox import Mailbox
from fakebridge.mailstore.news import News, merged
from fakebridge.mailstore.updates import Arrival, Departure, FlagChange, Update
from fakebridge.mailstore.view import View


class Watcher:
    """`session` is the session's number. `broken` is set when what it had selected has been taken away (bridge-behaviour 1.10)."""

    def __init__(self, session: int) -> None:
        self.session = session
        self.view: View | None = None
        self.broken = False
        self._waiting: list[Update] = []
        self._live: Callable[[list[News]], None] | None = None

    def select(self, mailbox: Mailbox, *, read_only: bool) -> View:
        r"""A fresh view; SELECT takes `\Recent` from whoever comes later, EXAMINE does not."""
        self._waiting = []
        self.view = View(mailbox, read_only=read_only)
        if not read_only:
            mailbox.recent.clear()
        return self.view

    def unselect(self) -> None:
        """Forget the view and all that was still to be told."""
        self.view = None
        self._waiting = []

    def push(self, update: Update) -> None:
        """An update of the store; it waits for the next flush, or is told at once while idling."""
        view = self.view
        if view is None:
            return
        if isinstance(update, FlagChange):
            if view.place_of(update.message) is None and not self._is_arriving(update):
                return
        elif update.mailbox is not view.mailbox:
            return
        elif isinstance(update, Arrival):
            update.claim.given_to(self.session)
        if self._live is not None:
            self._live(update.apply(view, self.session))
        else:
            self._waiting.append(update)

    def _is_arriving(self, update: FlagChange) -> bool:
        return any(isinstance(waiting, Arrival) and waiting.message is update.message for waiting in self._waiting)

    @property
    def holds_back_expunge(self) -> bool:
        """Whether an EXPUNGE waits to be told ([EXPUNGEISSUED])."""
        return any(isinstance(update, Departure) for update in self._waiting)

    def flush(self, *, expunge: bool) -> list[News]:
        """Apply what waits and say it. Without `expunge`, departures stay, and with them the return of a message that departed."""
        view = self.view
        if view is None:
            return []
        stay: list[Update] = []
        departed: set[int] = set()
        news: list[News] = []
        for update in self._waiting:
            if not expunge and isinstance(update, Departure):
                departed.add(update.message.number)
                stay.append(update)
            elif not expunge and isinstance(update, Arrival) and update.message.number in departed:
                departed.discard(update.message.number)
                stay.append(update)
            else:
                news += update.apply(view, self.session)
        self._waiting = stay
        return merged(news)

    def start_live(self, tell: Callable[[list[News]], None]) -> list[News]:
        """Begin IDLE: what waits is returned, what comes is told through `tell`."""
        news = self.flush(expunge=True)
        self._live = tell
        return news

    def stop_live(self) -> None:
        """End IDLE."""
        self._live = None
