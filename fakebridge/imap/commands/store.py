"""STORE and UID STORE (bridge-behaviour 6.4; dialogues 12, 25, 28, 30)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

from fakebridge.imap import grammar
from fakebridge.imap.commands.command import Done
from fakebridge.imap.commands.forms import OfMessages
from fakebridge.imap.grammar import SequenceSet
from fakebridge.imap.printing import list_text, set_text
from fakebridge.imap.scanner import Scanner
from fakebridge.imap.session import Session
from fakebridge.imap.sets import places
from fakebridge.mailstore import flags as flagset
from fakebridge.mailstore.updates import FlagAction
from fakebridge.profile import ResponseOrder


@dataclass(frozen=True, slots=True)
class StoreCommand(OfMessages):
    """Which messages, what happens to which flags."""

    numbers: SequenceSet
    action: FlagAction
    silent: bool
    flags: tuple[str, ...]
    plain_verb: ClassVar[str] = "STORE"

    @classmethod
    def parse(cls, scanner: Scanner) -> Self:
        """STORE; the parentheses may be left out."""
        grammar.after_command(scanner)
        numbers = grammar.sequence_set(scanner)
        grammar.space(scanner, "expected space after sequence set")
        action = FlagAction.SET
        if scanner.accept(b"+"):
            action = FlagAction.ADD
        elif scanner.accept(b"-"):
            action = FlagAction.REMOVE
        scanner.spell(b"FLAGS")
        silent = scanner.accept(b".")
        if silent:
            scanner.spell(b"SILENT")
        grammar.space(scanner, "expected space after FLAGS")
        if scanner.is_at(b"("):
            return cls(numbers, action, silent, grammar.flag_list(scanner))
        flags = [grammar.flag(scanner)]
        while scanner.accept(b" "):
            flags.append(grammar.flag(scanner))
        return cls(numbers, action, silent, tuple(flags))

    def line(self) -> str:
        """As sent."""
        silent = ".SILENT" if self.silent else ""
        return f"{self.verb} {set_text(self.numbers)} {self.action.value}{silent} {list_text(self.flags)}"

    async def run(self, session: Session) -> Done:
        """FETCH lines for what changed, in no order at all unless the profile wants one."""
        view = session.writable_view
        messages = [view.messages[place] for place in places(view, self.numbers, by_uid=self.by_uid)]
        messages = list(dict.fromkeys(messages))
        if session.profile.response_order is ResponseOrder.RANDOM:
            session.random.shuffle(messages)
        await session.home.change_flags(
            view.mailbox,
            messages,
            self.action,
            flagset.make(self.flags),
            by=session.number,
            tell_uid=self.by_uid,
            silent=self.silent,
        )
        session.flush(expunge=False)
        return Done()
