"""APPEND (bridge-behaviour 5.1; dialogues 20 to 26, 33, 43). What becomes of the message is decided in `fakebridge.bridge.appending`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from fakebridge.bridge.errors import NOT_ALLOWED
from fakebridge.bridge.layout import RECOVERED
from fakebridge.imap import grammar
from fakebridge.imap.answers import No
from fakebridge.imap.commands.command import Done, Needs
from fakebridge.imap.mailbox_names import decode_mailbox
from fakebridge.imap.printing import list_text, name_text
from fakebridge.imap.scanner import Scanner
from fakebridge.imap.session import Session
from fakebridge.mailstore import flags as flagset


@dataclass(frozen=True, slots=True)
class AppendCommand:
    """Where to, the flags wanted, the message; the date wanted in seconds since 1970 UTC, None if there was none."""

    name: bytes
    flags: tuple[str, ...]
    literal: bytes = field(repr=False)
    date: int | None = None
    needs: ClassVar[Needs] = Needs.LOGIN
    verb: ClassVar[str] = "APPEND"

    @classmethod
    def parse(cls, scanner: Scanner) -> AppendCommand:
        """A mailbox name, flags and a date if wanted, a literal."""
        grammar.after_command(scanner)
        name = grammar.mailbox(scanner)
        grammar.space(scanner, "expected space after mailbox")
        flags: tuple[str, ...] = ()
        if scanner.is_at(b"("):
            flags = grammar.flag_list(scanner)
            grammar.space(scanner, "expected space after flag list")
        date = None
        if not scanner.is_at(b"{"):
            date = grammar.date_time(scanner)
            grammar.space(scanner, "expected space after flag list")
        return cls(name, flags, scanner.literal().value, date)

    def line(self) -> str:
        """As sent, the message as its length."""
        flags = f" {list_text(self.flags)}" if self.flags else ""
        return f"APPEND {name_text(self.name)}{flags} {{{len(self.literal)}}}"

    async def run(self, session: Session) -> Done:
        """[APPENDUID]; in the selected mailbox the news come first, EXPUNGE too, EXAMINE or not."""
        name = decode_mailbox(self.name)
        if name.lower() == RECOVERED.lower():
            raise No(NOT_ALLOWED)
        mailbox = session.home.mailbox(name)
        is_selected = session.selected() is mailbox
        uid = await session.bridge.appending(session.home).append(
            mailbox, self.literal, flagset.make(self.flags), date=self.date, session=session.number, is_selected=is_selected
        )
        if is_selected:
            session.flush(expunge=True)
        return Done("APPEND", f"APPENDUID {mailbox.uid_validity + session.bridge.validity_shift} {uid}")
