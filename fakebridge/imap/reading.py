"""From the octets of a session to its requests (sans I/O): whole commands, syntax errors, continuations, the end.

A command's octets are looked at again only when another line or the rest of a literal has come, so a long literal
costs nothing while it arrives.
"""

from __future__ import annotations

from collections.abc import Callable

from fakebridge.imap.commands.catalog import COMMANDS
from fakebridge.imap.commands.done import DoneCommand
from fakebridge.imap.requests import ContinuationWanted, Ended, Incoming, Request, Unparsable
from fakebridge.imap.scanner import BadSyntax, Hangup, NeedMore, Scanner, is_letter, is_tag_char
from fakebridge.profile import Profile

TLS_HEADERS = tuple(bytes.fromhex(header) for header in ("160301", "160302", "160303", "160304", "160000"))
COMMAND_LIMIT_OCTETS = 67_108_864
"""A command of more octets, literals and all, ends the session without a word. Bridge has no such limit; memory has."""
VERB_WITHIN_OCTETS = 256
"""Tags are short; the name of a command stands within so many octets."""


class Reader:
    """Feed it with `receive`; ask `next` until it says None."""

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._data = bytearray()
        self._previous = 0
        self._wanted = 0
        self._looked_at = -1
        self._announced = 0
        self._ended = False

    def receive(self, data: bytes) -> None:
        """More octets."""
        self._data += data

    def forget(self) -> None:
        """Drop what has come and belongs to no finished command."""
        self._data.clear()

    def next(self) -> Incoming | None:
        """The next thing that the octets so far give, or None."""
        if self._ended:
            return None
        if len(self._data) > COMMAND_LIMIT_OCTETS:
            self.forget()
            self._ended = True
            return Ended()
        if not self._is_worth_a_look():
            return None
        scanner = Scanner(
            self._data,
            start=0,
            previous=self._previous,
            literal_limit=self._profile.literal_limit_octets,
            count_literals=self._profile.literal_octets_counted,
        )
        parsing = _Parsing(scanner, self._profile)
        try:
            result: Request | BadSyntax | NeedMore | Hangup = parsing.command()
        except (NeedMore, BadSyntax, Hangup) as stop:
            result = stop
        if len(scanner.announced) > self._announced:
            # A literal is asked for whether its octets are here already or not; then the command is looked at again.
            self._announced += 1
            return ContinuationWanted(b"+" if scanner.bare_continuation else b"+ Ready", self._verb())
        return self._outcome(parsing, scanner, result)

    def _verb(self) -> str:
        """What the unfinished command is: the word behind its tag, two for the UID forms."""
        words = bytes(self._data[:VERB_WITHIN_OCTETS]).decode("latin-1").upper().split()
        return " ".join(words[1:3] if words[1:2] == ["UID"] else words[1:2])

    def _is_worth_a_look(self) -> bool:
        if len(self._data) < self._wanted:
            return False
        return self._data.find(b"\n", max(self._looked_at, self._wanted - 2, 0)) >= 0

    def _outcome(self, parsing: _Parsing, scanner: Scanner, result: Request | BadSyntax | NeedMore | Hangup) -> Incoming | None:
        if isinstance(result, Request):
            return self._finish(scanner, result, scanner.at + 1)
        if isinstance(result, NeedMore):
            self._wanted = result.total
            self._looked_at = len(self._data)
            return None
        if isinstance(result, Hangup):
            self._ended = True
            return Ended()
        return self._refuse(parsing, scanner, result)

    def _refuse(self, parsing: _Parsing, scanner: Scanner, error: BadSyntax) -> Incoming | None:
        if self._data.startswith(TLS_HEADERS):
            self._ended = True
            return Ended()
        # The octet that was not accepted is gone; what follows it is dropped up to the end of a line.
        end = self._data.find(b"\n", error.at + 1)
        if end < 0:
            self._looked_at = len(self._data)
            return None
        return self._finish(scanner, Unparsable(parsing.tag_for_errors, str(error)), end + 1)

    def _finish(self, scanner: Scanner, result: Incoming, end: int) -> Incoming:
        self._previous = scanner.offset
        del self._data[:end]
        self._wanted = self._announced = 0
        self._looked_at = -1
        return result


OPTIONAL: dict[str, Callable[[Profile], bool]] = {
    "authenticate": lambda profile: profile.auth_plain,
    "idle": lambda profile: profile.idle,
    "getquota": lambda profile: profile.quota,
    "getquotaroot": lambda profile: profile.quota,
}
"""Commands that not every Bridge has (bridge-behaviour 0.3)."""


class _Parsing:
    """One attempt at a command."""

    def __init__(self, scanner: Scanner, profile: Profile) -> None:
        self._scanner = scanner
        self._profile = profile
        self.tag_for_errors = b""

    def command(self) -> Request:
        scanner = self._scanner
        scanner.expect_if(is_tag_char, "Invalid tag char detected")
        first = scanner.at - 1
        rest = scanner.run(is_tag_char)
        tag = scanner.slice(first, 1) + rest.value
        if tag.lower() == b"done":
            # The only command without a tag.
            scanner.end_of_command()
            return Request(b"", DoneCommand(), "DONE")
        self.tag_for_errors = tag
        scanner.expect(b" ", "Expected space after tag")
        offset = scanner.offset
        name = scanner.run(is_letter).value.decode().lower()
        known = COMMANDS.get(name)
        if known is None or not self._is_on(name):
            raise scanner.fail_at(offset, f"unknown command '{name}'")
        command = known(scanner)
        # From here on an error has no tag (dialogue 06).
        self.tag_for_errors = b""
        scanner.end_of_command()
        return Request(tag, command, command.line())

    def _is_on(self, name: str) -> bool:
        wanted = OPTIONAL.get(name)
        return wanted is None or wanted(self._profile)
