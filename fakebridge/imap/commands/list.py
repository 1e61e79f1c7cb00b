"""LIST and LSUB (bridge-behaviour 2.1, 2.5; dialogues 09, 10)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from fakebridge.imap import grammar
from fakebridge.imap.answers import attributes, octets, quoted
from fakebridge.imap.commands.command import Done, Needs
from fakebridge.imap.listing import Listed, listed
from fakebridge.imap.mailbox_names import decode_mailbox, encode
from fakebridge.imap.printing import name_text
from fakebridge.imap.scanner import Scanner, is_atom_char
from fakebridge.imap.session import Session
from fakebridge.profile import ResponseOrder


@dataclass(frozen=True, slots=True)
class ListCommand:
    """LIST or LSUB with its two arguments as sent."""

    verb: str
    reference: bytes
    pattern: bytes
    needs: ClassVar[Needs] = Needs.LOGIN

    @classmethod
    def parse(cls, scanner: Scanner) -> ListCommand:
        """LIST."""
        return cls("LIST", *_arguments(scanner))

    @classmethod
    def parse_lsub(cls, scanner: Scanner) -> ListCommand:
        """LSUB."""
        return cls("LSUB", *_arguments(scanner))

    def line(self) -> str:
        """As sent."""
        return f"{self.verb} {name_text(self.reference)} {name_text(self.pattern)}"

    async def run(self, session: Session) -> Done:
        """Matching mailboxes, in no order at all unless the profile wants one."""
        pattern = decode_mailbox(self.pattern)
        reference = self.reference.decode("utf-8", "surrogateescape")
        found = listed(session.home.store, reference, pattern, only_subscribed=self.verb == "LSUB")
        if session.profile.response_order is ResponseOrder.RANDOM:
            session.random.shuffle(found)
        for one in found:
            session.untagged(self.verb, _line(self.verb, one))
        return Done(self.verb)


def _arguments(scanner: Scanner) -> tuple[bytes, bytes]:
    grammar.after_command(scanner)
    reference = grammar.mailbox(scanner)
    grammar.space(scanner, "expected space after mailbox")
    if scanner.is_at_class(_is_list_char):
        return reference, scanner.run(_is_list_char).value
    return reference, scanner.string().value


def _is_list_char(octet: int) -> bool:
    return is_atom_char(octet) or octet == 0x5D


def _line(verb: str, one: Listed) -> bytes:
    return octets(f"* {verb} {attributes(one.attributes)} ") + b'"/" ' + quoted(encode(one.name))
