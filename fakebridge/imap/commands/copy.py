"""COPY and MOVE with their UID forms (bridge-behaviour 6.2, 6.3; dialogues 25, 27)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

from fakebridge.bridge.errors import NOT_ALLOWED
from fakebridge.bridge.layout import RECOVERED
from fakebridge.imap import grammar
from fakebridge.imap.answers import No, octets, uid_set
from fakebridge.imap.commands.command import Done
from fakebridge.imap.commands.forms import OfMessages
from fakebridge.imap.grammar import SequenceSet
from fakebridge.imap.mailbox_names import decode_mailbox
from fakebridge.imap.printing import name_text, set_text
from fakebridge.imap.scanner import Scanner
from fakebridge.imap.session import Session
from fakebridge.imap.sets import places
from fakebridge.mailstore.mailbox import Mailbox
from fakebridge.mailstore.message import Message
from fakebridge.mailstore.view import View


def _target(session: Session, name: str) -> Mailbox:
    if name.lower() == RECOVERED.lower():
        raise No(NOT_ALLOWED)
    return session.home.mailbox(name)


def _copyuid(session: Session, target: Mailbox, sources: list[int], uids: list[int]) -> str:
    return f"COPYUID {target.uid_validity + session.bridge.validity_shift} {uid_set(sources)} {uid_set(uids)}"


@dataclass(frozen=True, slots=True)
class _Transfer(OfMessages):
    """Which messages, where to."""

    numbers: SequenceSet
    name: bytes

    @classmethod
    def parse(cls, scanner: Scanner) -> Self:
        """A sequence set and a mailbox name."""
        grammar.after_command(scanner)
        numbers = grammar.sequence_set(scanner)
        grammar.space(scanner, "expected space after seqset")
        return cls(numbers, grammar.mailbox(scanner))

    def line(self) -> str:
        """As sent."""
        return f"{self.verb} {set_text(self.numbers)} {name_text(self.name)}"

    def wanted(self, view: View) -> tuple[list[Message], list[int]]:
        """The messages, each once, and their UIDs."""
        found = dict.fromkeys(places(view, self.numbers, by_uid=self.by_uid))
        return [view.messages[place] for place in found], [view.uids[place] for place in found]


@dataclass(frozen=True, slots=True)
class CopyCommand(_Transfer):
    """COPY or UID COPY."""

    plain_verb: ClassVar[str] = "COPY"

    async def run(self, session: Session) -> Done:
        """[COPYUID] unless nothing was copied. To a folder it is a move that shows at the next poll."""
        view = session.writable_view
        target = _target(session, decode_mailbox(self.name))
        messages, sources = self.wanted(view)
        if view.mailbox is session.home.recovered:
            uids = await session.bridge.appending(session.home).copy_recovered(messages, target, session=session.number)
        else:
            uids = await session.home.add(target, messages, claim=session.number) if messages else []
        return Done(code=_copyuid(session, target, sources, uids) if uids else "")


@dataclass(frozen=True, slots=True)
class MoveCommand(_Transfer):
    """MOVE or UID MOVE."""

    plain_verb: ClassVar[str] = "MOVE"

    async def run(self, session: Session) -> Done:
        """`* OK [COPYUID …]`, then EXPUNGE lines, then the tagged OK."""
        name = decode_mailbox(self.name)  # refused before a mailbox that is open for reading only is
        view = session.writable_view
        target = _target(session, name)
        messages, sources = self.wanted(view)
        if view.mailbox is session.home.recovered:
            uids = await session.bridge.appending(session.home).move_recovered(messages, target, session=session.number)
        else:
            uids = await session.home.move(view.mailbox, messages, target, session=session.number) if messages else []
        if uids:
            session.untagged("OK", octets(f"* OK [{_copyuid(session, target, sources, uids)}]"))
        session.flush(expunge=True)
        return Done()
