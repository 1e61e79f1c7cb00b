"""FETCH and UID FETCH (bridge-behaviour 3.5; dialogues 13 to 16, 19, 39, 40)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

from fakebridge.imap import grammar
from fakebridge.imap.commands.command import Done
from fakebridge.imap.commands.forms import OfMessages
from fakebridge.imap.fetch_items import FetchItem, Item, Section, needs_literal, read_items, render, sets_seen
from fakebridge.imap.grammar import SequenceSet
from fakebridge.imap.printing import list_text, set_text
from fakebridge.imap.scanner import Scanner
from fakebridge.imap.session import Session
from fakebridge.imap.sets import places
from fakebridge.mailstore import flags as flagset
from fakebridge.mailstore.updates import FlagAction
from fakebridge.mailstore.view import View
from fakebridge.profile import ResponseOrder

PARALLEL_FROM = 5
"""More than four messages, or more than one with a body section, are fetched in parallel: their order is nobody's."""
REACH = 3.0
"""How far an answer may run ahead of its neighbours."""
BREATHE_EVERY = 50
SEEN = frozenset((flagset.SEEN,))


@dataclass(frozen=True, slots=True)
class FetchCommand(OfMessages):
    """Which messages, and which items of each."""

    numbers: SequenceSet
    items: tuple[FetchItem, ...]
    plain_verb: ClassVar[str] = "FETCH"

    @classmethod
    def parse(cls, scanner: Scanner) -> Self:
        """FETCH."""
        grammar.after_command(scanner)
        numbers = grammar.sequence_set(scanner)
        grammar.space(scanner, "expected space after sequence set")
        return cls(numbers, read_items(scanner))

    def line(self) -> str:
        """As sent."""
        names = (item.text() if isinstance(item, Section) else item.value for item in self.items)
        return f"{self.verb} {set_text(self.numbers)} {list_text(names)}"

    async def run(self, session: Session) -> Done:
        """One line a message. A message that cannot be served ends the command with NO; those before it have been sent."""
        view = session.view
        wanted = places(view, self.numbers, by_uid=self.by_uid)
        marks = any(sets_seen(item) for item in self.items) and not view.read_only
        reads = any(needs_literal(item) for item in self.items)
        marked: list[int] = []
        for count, place in enumerate(self._ordered(session, wanted, reads=reads), start=1):
            session.untagged("FETCH", self._line(view, place, marks=marks, reads=reads, marked=marked))
            if reads or count % BREATHE_EVERY == 0:
                await session.breathe()
        if marked:
            await session.home.change_flags(
                view.mailbox,
                [view.messages[place] for place in marked],
                FlagAction.ADD,
                SEEN,
                by=session.number,
                tell_uid=self.by_uid,
                silent=False,
            )
        return Done()

    @staticmethod
    def _ordered(session: Session, wanted: list[int], *, reads: bool) -> list[int]:
        is_parallel = len(wanted) >= PARALLEL_FROM or (reads and len(wanted) > 1)
        if not is_parallel or session.profile.response_order is ResponseOrder.STRICT:
            return wanted
        ranked = sorted((index + session.random.random() * REACH, place) for index, place in enumerate(wanted))
        return [place for _, place in ranked]

    def _line(self, view: View, place: int, *, marks: bool, reads: bool, marked: list[int]) -> bytes:
        literal = view.messages[place].literal() if reads else b""
        parts = [None if item is Item.FLAGS else render(item, view, place, literal) for item in self.items]
        is_new = marks and not flagset.has(view.stored_flags(place), flagset.SEEN)
        if is_new:
            # FLAGS is worked out last, wherever it stands: it tells of the mark that this very FETCH leaves (inferred).
            view.set_flags(place, flagset.add(view.stored_flags(place), SEEN))
            marked.append(place)
        flags = render(Item.FLAGS, view, place, literal)
        shown = [flags if part is None else part for part in parts]
        if self.by_uid and Item.UID not in self.items:
            shown.append(b"UID %d" % view.uids[place])
        if is_new:
            shown.append(flags)
        return b"* %d FETCH (" % (place + 1) + b" ".join(shown) + b")"
