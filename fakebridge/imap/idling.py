"""IDLE while it lasts: news are gathered for a moment and told together; any line from the client ends it.

Facts: bridge-behaviour 3.3, dialogue 31.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fakebridge.mailstore.news import News, merged

if TYPE_CHECKING:
    from fakebridge.imap.requests import Request
    from fakebridge.imap.session import Session


class Idling:
    """`tag` is that of the IDLE command."""

    def __init__(self, session: Session, tag: bytes) -> None:
        self._session = session
        self._tag = tag
        self._gathered: list[News] = []
        self._is_due = False
        session.write(b"+ Ready")
        session.tell(session.place.start_live(self._hear))

    def _hear(self, news: list[News]) -> None:
        self._gathered += news
        if news and not self._is_due:
            self._is_due = True
            self._session.ways.later(self._session.profile.idle_bulk_seconds, self._tell)

    def _tell(self) -> None:
        self._is_due = False
        news, self._gathered = merged(self._gathered), []
        self._session.tell(news)

    def end_with(self, request: Request) -> None:
        """A whole command has come: DONE ends well, any other one is lost and ends IDLE with a bare BAD."""
        self.stop(b"OK IDLE" if request.command.verb == "DONE" else b"BAD")

    def stop(self, answer: bytes) -> None:
        """Tell what was gathered, then the tagged line."""
        self._tell()
        self._session.place.stop_live()
        self._session.idling = None
        status, _, text = answer.decode("utf-8", "surrogateescape").partition(" ")
        self._session.answered_idle(self._tag, status, text)
