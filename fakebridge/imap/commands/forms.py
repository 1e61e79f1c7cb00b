"""The forms that several commands share: no arguments, one mailbox, and a twin behind UID."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

from fakebridge.imap import grammar
from fakebridge.imap.commands.command import Needs
from fakebridge.imap.printing import name_text
from fakebridge.imap.scanner import Scanner


@dataclass(frozen=True, slots=True)
class WithoutArguments:
    """A command that is nothing but its name."""

    verb: ClassVar[str]

    @classmethod
    def parse(cls, scanner: Scanner) -> Self:  # noqa: ARG003 - nothing to read
        """No arguments."""
        return cls()

    def line(self) -> str:
        """As sent."""
        return self.verb


@dataclass(frozen=True, slots=True)
class OneMailbox:
    """A command whose only argument is a mailbox."""

    name: bytes
    needs: ClassVar[Needs] = Needs.LOGIN
    verb: ClassVar[str]

    @classmethod
    def parse(cls, scanner: Scanner) -> Self:
        """A mailbox name."""
        grammar.after_command(scanner)
        return cls(grammar.mailbox(scanner))

    def line(self) -> str:
        """As sent."""
        return f"{self.verb} {name_text(self.name)}"


@dataclass(frozen=True, slots=True)
class OfMessages(ABC):
    """A command about messages of the selected mailbox, with a twin behind UID that has the same arguments."""

    by_uid: bool = field(default=False, kw_only=True)
    needs: ClassVar[Needs] = Needs.SELECTED
    plain_verb: ClassVar[str]

    @classmethod
    @abstractmethod
    def parse(cls, scanner: Scanner) -> Self:
        """The form without UID."""

    @classmethod
    def parse_uid(cls, scanner: Scanner) -> Self:
        """The form with UID."""
        return replace(cls.parse(scanner), by_uid=True)

    @property
    def verb(self) -> str:
        """With or without UID."""
        return f"UID {self.plain_verb}" if self.by_uid else self.plain_verb
