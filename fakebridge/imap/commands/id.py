"""ID (bridge-behaviour 1.5; dialogue 01): the same answer whatever the client says of itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from fakebridge.imap import grammar
from fakebridge.imap.answers import octets, quoted
from fakebridge.imap.commands.command import Done, Needs
from fakebridge.imap.printing import list_text, name_text
from fakebridge.imap.scanner import Scanner, is_letter
from fakebridge.imap.session import Session


@dataclass(frozen=True, slots=True)
class IdCommand:
    """The client's pairs; none for NIL."""

    pairs: tuple[tuple[bytes, bytes], ...]
    needs: ClassVar[Needs] = Needs.ANY
    verb: ClassVar[str] = "ID"

    @classmethod
    def parse(cls, scanner: Scanner) -> IdCommand:
        """NIL or a list of pairs."""
        grammar.after_command(scanner)
        if scanner.is_at_class(is_letter):
            scanner.spell(b"NIL")
            return cls(())
        scanner.expect(b"(", "expected ( for id values start")
        pairs = []
        while scanner.is_at_string():
            key = scanner.string().value
            grammar.space(scanner, "expected space after ID key")
            value = b""
            if scanner.is_at_string():
                value = scanner.string().value
            else:
                scanner.spell(b"NIL")
            pairs.append((key, value))
            if not scanner.is_at(b")"):
                grammar.space(scanner, "expected space after ID value")
        scanner.expect(b")", "expected ) for id values end")
        return cls(tuple(pairs))

    def line(self) -> str:
        """As sent."""
        return "ID " + (list_text(name_text(part) for pair in self.pairs for part in pair) if self.pairs else "NIL")

    async def run(self, session: Session) -> Done:
        """Pairs without a value are left out."""
        profile = session.profile
        values = (
            ("name", profile.application_name),
            ("version", profile.version),
            ("os", "linux"),
            ("vendor", "TODO"),
            ("support-url", "TODO"),
        )
        pairs = [octets(f'"{key}" ') + quoted(value) for key, value in values if value]
        session.untagged("ID", b"* ID (" + b" ".join(pairs) + b")")
        return Done("ID")
