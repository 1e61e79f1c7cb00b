"""SEARCH and UID SEARCH (bridge-behaviour 3.8; dialogues 16 to 18, 40): every message of the mailbox is looked at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

from fakebridge.imap import grammar
from fakebridge.imap.answers import No
from fakebridge.imap.commands.command import Done
from fakebridge.imap.commands.forms import OfMessages
from fakebridge.imap.printing import name_text
from fakebridge.imap.scanner import Scanner, Text, is_letter
from fakebridge.imap.search_keys import Key, read_key, read_key_after
from fakebridge.imap.searching import AS_BRIDGE, DECODED, Decoder, Program
from fakebridge.imap.session import NeverAnswered, Session
from fakebridge.message.charset import Unimplemented, UnknownCharset, search_decoder

BREATHE_EVERY = 50
"""Messages that are read before others have their turn."""
BREATHE_EVERY_CHEAP = 5_000


@dataclass(frozen=True, slots=True)
class SearchCommand(OfMessages):
    """Keys that must all match. `charset` is empty without CHARSET."""

    charset: bytes
    keys: tuple[Key, ...]
    plain_verb: ClassVar[str] = "SEARCH"

    @classmethod
    def parse(cls, scanner: Scanner) -> Self:
        """SEARCH. A first key that begins with C and is not CC is taken for CHARSET."""
        grammar.after_command(scanner)
        charset, keys = b"", []
        if not scanner.is_at_class(is_letter):
            keys.append(read_key(scanner))
        else:
            offset = scanner.offset
            first = bytes((scanner.take(),))
            if first.lower() != b"c":
                keys.append(read_key_after(scanner, Text(first + scanner.word().value, offset)))
            elif scanner.is_at(b"c") or scanner.is_at(b"C"):
                scanner.take()
                keys.append(read_key_after(scanner, Text(b"cc", offset)))
            else:
                scanner.spell(b"HARSET")
                grammar.space(scanner, "expected space after charset")
                charset = scanner.astring().value
        while scanner.accept(b" "):
            keys.append(read_key(scanner))
        if not keys:
            raise scanner.fail("no search keys specified")
        return cls(charset, tuple(keys))

    def line(self) -> str:
        """As understood."""
        charset = f" CHARSET {name_text(self.charset)}" if self.charset else ""
        return f"{self.verb}{charset} " + " ".join(key.text() for key in self.keys)

    async def run(self, session: Session) -> Done:
        """One line with ascending numbers."""
        view = session.view
        looking = DECODED if session.profile.decodes_searches else AS_BRIDGE
        program = Program(self.keys, view, self._decoder(), this_year=session.bridge.clock.moment().year, looking=looking)
        found: list[int] = []
        pause = BREATHE_EVERY_CHEAP if program.is_cheap else BREATHE_EVERY
        for count, place in enumerate(program.candidates, start=1):
            if program.matches(place):
                found.append(place)
            if count % pause == 0:
                await session.breathe()
        numbers = [view.uids[place] if self.by_uid else place + 1 for place in found]
        session.untagged("SEARCH", b"* SEARCH" + b"".join(b" %d" % number for number in numbers))
        return Done()

    def _decoder(self) -> Decoder | None:
        if not self.charset:
            return None
        try:
            return search_decoder(self.charset.decode("utf-8", "replace"))
        except UnknownCharset:
            raise No("", code="BADCHARSET") from None
        except Unimplemented:
            raise NeverAnswered from None
