"""COPY and MOVE with their UID forms (bridge-behaviour 6.2, 6.3; dialogues 25, 27)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from fakebridge.bridge.errors import NOT_ALLOWED
from fakebridge.bridge.layout import RECOVERED
from fakebridge.imap import grammar
from fakebridge.imap.answers import No, octets, uid_set
from fakebridge.imap.commands.command import Done, Needs
from fakebridge.imap.grammar import SequenceSet
from fakebridge.imap.mailbox_names import decode_mailbox
from fakebridge.imap.printing import name_text, set_text
from fakebridge.imap.scanner import Scanner
from fakebridge.imap.session import Session
from fakebridge.imap.sets import places
from fakebridge.mailstore.mailbox import Mailbox


def _arguments(scanner: Scanner) -> tuple[SequenceSet, bytes]:
    grammar.after_command(scanner)
    numbers = grammar.sequence_set(scanner)
    grammar.space(scanner, "expected space after seqset")
    return numbers, grammar.mailbox(scanner)


def _target(session: Session, name: bytes) -> Mailbox:
    decoded = decode_mailbox(name)
    if decoded.lower() == RECOVERED.lower():
        raise No(NOT_ALLOWED)
    return session.home.mailbox(decoded)


def _copyuid(session: Session, target: Mailbox, sources: list[int], uids: list[int]) -> str:
    return f"COPYUID {target.uid_validity + session.bridge.validity_shift} {uid_set(sources)} {uid_set(uids)}"


@dataclass(frozen=True, slots=True)
class CopyCommand:
    """Which messages, where to."""

    numbers: SequenceSet
    name: bytes
    by_uid: bool = False
    needs: ClassVar[Needs] = Needs.SELECTED

    @classmethod
    def parse(cls, scanner: Scanner) -> CopyCommand:
        """COPY."""
        return cls(*_arguments(scanner))

    @classmethod
    def parse_uid(cls, scanner: Scanner) -> CopyCommand:
        """UID COPY."""
        return cls(*_arguments(scanner), by_uid=True)

    @property
    def verb(self) -> str:
        """With or without UID."""
        return "UID COPY" if self.by_uid else "COPY"

    def line(self) -> str:
        """As sent."""
        return f"{self.verb} {set_text(self.numbers)} {name_text(self.name)}"

    async def run(self, session: Session) -> Done:
        """[COPYUID] unless nothing was copied. To a folder it is a move that shows at the next poll."""
        view = session.writable_view
        target = _target(session, self.name)
        wanted = dict.fromkeys(places(view, self.numbers, by_uid=self.by_uid))
        messages = [view.messages[place] for place in wanted]
        sources = [view.uids[place] for place in wanted]
        if view.mailbox is session.home.recovered:
            uids = await session.bridge.appending(session.home).copy_recovered(messages, target, session=session.number)
        else:
            uids = await session.home.add(target, messages, claim=session.number) if messages else []
        return Done(code=_copyuid(session, target, sources, uids) if uids else "")


@dataclass(frozen=True, slots=True)
class MoveCommand:
    """Which messages, where to."""

    numbers: SequenceSet
    name: bytes
    by_uid: bool = False
    needs: ClassVar[Needs] = Needs.SELECTED

    @classmethod
    def parse(cls, scanner: Scanner) -> MoveCommand:
        """MOVE."""
        return cls(*_arguments(scanner))

    @classmethod
    def parse_uid(cls, scanner: Scanner) -> MoveCommand:
        """UID MOVE."""
        return cls(*_arguments(scanner), by_uid=True)

    @property
    def verb(self) -> str:
        """With or without UID."""
        return "UID MOVE" if self.by_uid else "MOVE"

    def line(self) -> str:
        """As sent."""
        return f"{self.verb} {set_text(self.numbers)} {name_text(self.name)}"

    async def run(self, session: Session) -> Done:
        """`* OK [COPYUID …]`, then EXPUNGE lines, then the tagged OK."""
        name = decode_mailbox(self.name)
        view = session.writable_view
        if name.lower() == RECOVERED.lower():
            raise No(NOT_ALLOWED)
        target = session.home.mailbox(name)
        wanted = dict.fromkeys(places(view, self.numbers, by_uid=self.by_uid))
        messages = [view.messages[place] for place in wanted]
        sources = [view.uids[place] for place in wanted]
        if view.mailbox is session.home.recovered:
            uids = await session.bridge.appending(session.home).move_recovered(messages, target, session=session.number)
        else:
            uids = await session.home.move(view.mailbox, messages, target, session=session.number) if messages else []
        if uids:
            session.untagged("OK", octets(f"* OK [{_copyuid(session, target, sources, uids)}]"))
        session.flush(expunge=True)
        return Done()
