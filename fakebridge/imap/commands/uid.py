"""UID: the word in front of six commands (bridge-behaviour 1.7)."""

from __future__ import annotations

from collections.abc import Callable

from fakebridge.imap import grammar
from fakebridge.imap.commands.command import Command
from fakebridge.imap.commands.copy import CopyCommand, MoveCommand
from fakebridge.imap.commands.expunge import ExpungeCommand
from fakebridge.imap.commands.fetch import FetchCommand
from fakebridge.imap.commands.search import SearchCommand
from fakebridge.imap.commands.store import StoreCommand
from fakebridge.imap.scanner import Scanner

FORMS: dict[str, Callable[[Scanner], Command]] = {
    "copy": CopyCommand.parse_uid,
    "expunge": ExpungeCommand.parse_uid,
    "fetch": FetchCommand.parse_uid,
    "move": MoveCommand.parse_uid,
    "search": SearchCommand.parse_uid,
    "store": StoreCommand.parse_uid,
}


def parse_uid(scanner: Scanner) -> Command:
    """The command behind UID."""
    grammar.after_command(scanner)
    offset = scanner.previous
    name = scanner.word().lower()
    if name not in FORMS:
        raise scanner.fail_at(offset, f"unknown uid command '{name}'")
    return FORMS[name](scanner)
