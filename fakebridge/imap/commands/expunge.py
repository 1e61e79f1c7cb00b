"""EXPUNGE and UID EXPUNGE (bridge-behaviour 6.5; dialogues 24, 28, 29)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from fakebridge.imap import grammar
from fakebridge.imap.commands.command import Done, Needs
from fakebridge.imap.grammar import SequenceSet
from fakebridge.imap.printing import set_text
from fakebridge.imap.scanner import Scanner
from fakebridge.imap.session import Session
from fakebridge.imap.sets import places_by_uid


@dataclass(frozen=True, slots=True)
class ExpungeCommand:
    r"""`uids` is None for the plain form, which takes all that carry `\Deleted`."""

    uids: SequenceSet | None
    needs: ClassVar[Needs] = Needs.SELECTED

    @classmethod
    def parse(cls, scanner: Scanner) -> ExpungeCommand:  # noqa: ARG003 - nothing to read
        """No arguments."""
        return cls(None)

    @classmethod
    def parse_uid(cls, scanner: Scanner) -> ExpungeCommand:
        """A set of UIDs."""
        grammar.after_command(scanner)
        return cls(grammar.sequence_set(scanner))

    @property
    def verb(self) -> str:
        """With or without UID."""
        return "EXPUNGE" if self.uids is None else "UID EXPUNGE"

    def line(self) -> str:
        """As sent."""
        return self.verb if self.uids is None else f"{self.verb} {set_text(self.uids)}"

    async def run(self, session: Session) -> Done:
        """EXPUNGE lines in ascending order, numbers as they shift."""
        view = session.writable_view
        places = view.marked_deleted()
        if self.uids is not None:
            wanted = set(places_by_uid(view, self.uids))
            places = [place for place in places if place in wanted]
        await session.home.expunge(view.mailbox, [view.messages[place] for place in places])
        session.flush(expunge=True)
        return Done("EXPUNGE")
