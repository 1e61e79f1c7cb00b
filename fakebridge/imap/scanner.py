"""Reading a command octet by octet, with the positions that Bridge's error texts name (bridge-behaviour 1.7).

Sans I/O: the scanner works on the octets received so far. When they end too early it raises `NeedMore`, and the whole command is read again
later; nothing has happened in between. Positions count from 1. `previous` is the position of the last accepted octet:
the one that `expected …`
texts carry. At the start of a command it is still where the command before ended.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

CR = 0x0D
LF = 0x0A
Test = Callable[[int], bool]


class NeedMore(Exception):
    """The octets end inside the command; `total` is how many are needed before reading again makes sense (0: one more line)."""

    def __init__(self, total: int = 0) -> None:
        super().__init__(total)
        self.total = total


class BadSyntax(Exception):
    """A syntax error: `str()` is the text of the BAD answer. `at` is where the octet stands that was not accepted."""

    def __init__(self, offset: int, text: str, at: int) -> None:
        super().__init__(f"[Error offset={offset}]: {text}")
        self.at = at


WRAP = 1 << 63
MOST_NESTED = 200
"""A command with deeper lists ends the session without a word. Bridge goes deeper than any client; here the interpreter has an end."""


class Hangup(Exception):
    """The session ends here without a word (bridge-behaviour 1.8)."""


@dataclass(frozen=True, slots=True)
class Text:
    """Octets that were read, and the position that names them in errors."""

    value: bytes
    offset: int

    def lower(self) -> str:
        """As text in lower case; octets above 0x7f as they are in UTF-8."""
        return self.value.decode("utf-8", "surrogateescape").lower()


class Scanner:
    """`data[start:]` is the command. `literals` are the ends of literal announcements whose continuation has been sent already."""

    def __init__(self, data: bytes | bytearray, *, start: int, previous: int, literal_limit: int, count_literals: bool) -> None:
        self._data = data
        self._at = start
        self._shift = 1 - start
        self.previous = previous
        self._literal_limit = literal_limit
        self._depth = 0
        self._count_literals = count_literals
        self.announced: list[int] = []
        self.bare_continuation = False

    # One octet

    @property
    def at(self) -> int:
        """Index of the current octet in the received data."""
        return self._at

    @property
    def offset(self) -> int:
        """Position of the current octet."""
        return self._at + self._shift

    def current(self) -> int:
        """The current octet, not yet accepted."""
        if self._at >= len(self._data):
            raise NeedMore
        return self._data[self._at]

    def take(self) -> int:
        """Accept the current octet."""
        octet = self.current()
        self.previous = self.offset
        self._at += 1
        return octet

    def fail(self, text: str) -> BadSyntax:
        """An error that names the last accepted octet."""
        return BadSyntax(self.previous, text, self._at)

    def fail_at(self, offset: int, text: str) -> BadSyntax:
        """An error that names another position."""
        return BadSyntax(offset, text, self._at)

    def slice(self, begin: int, length: int) -> bytes:
        """Octets of the received data, by index."""
        return bytes(self._data[begin : begin + length])

    # Several octets

    def expect(self, octet: bytes, text: str) -> None:
        """Accept this very octet."""
        if self.current() != octet[0]:
            raise self.fail(text)
        self.take()

    def expect_if(self, test: Test, text: str) -> int:
        """Accept an octet of a class."""
        if not test(self.current()):
            raise self.fail(text)
        return self.take()

    def accept(self, octet: bytes) -> bool:
        """Accept this octet if it is the current one."""
        if self.current() != octet[0]:
            return False
        self.take()
        return True

    def is_at(self, octet: bytes) -> bool:
        """Whether this is the current octet."""
        return self.current() == octet[0]

    def is_at_class(self, test: Test) -> bool:
        """Whether the current octet is of a class."""
        return test(self.current())

    def run(self, test: Test) -> Text:
        """Accept octets of a class as far as they go; none is fine."""
        begin, offset = self._at, self.offset
        while test(self.current()):
            self.take()
        return Text(bytes(self._data[begin : self._at]), offset)

    def word(self) -> Text:
        """Accept letters as far as they go."""
        return self.run(is_letter)

    def spell(self, letters: bytes) -> None:
        """Accept a fixed word in any letter case; the error names the octet that was wanted, in hex."""
        for letter in letters:
            if chr(self.current()).lower() != chr(letter).lower():
                raise self.fail(f"expected byte value {letter:x}")
            self.take()

    # Numbers

    def number(self, digits: int = 0) -> int:
        """Accept digits: all there are, or at most so many. The value wraps as a signed one of 64 bits, as Go's `int` does (inferred)."""
        value = self.expect_if(is_digit, "expected valid digit for number") - 0x30
        count = 1
        while (not digits or count < digits) and is_digit(self.current()):
            value = (value * 10 + self.take() - 0x30 + WRAP) % (2 * WRAP) - WRAP
            count += 1
        return value

    def positive(self) -> int:
        """A number that is not 0."""
        value = self.number()
        if value <= 0:
            raise self.fail("expected non zero number")
        return value

    def nest(self) -> None:
        """One level deeper in a list. Hangup: too deep. Whoever nests ends with `unnest`."""
        self._depth += 1
        if self._depth > MOST_NESTED:
            raise Hangup

    def unnest(self) -> None:
        """Back again."""
        self._depth -= 1

    # Strings

    def quoted(self) -> Text:
        """A quoted string. CR and LF may be inside: a string that is not closed goes on over the lines (1.7)."""
        self.expect(b'"', "Expected '\"' for quoted start")
        offset = self.offset
        value = bytearray()
        while True:
            octet = self.current()
            if octet == 0x22:
                self.take()
                return Text(bytes(value), offset)
            self.take()
            if octet == 0x5C:
                octet = self.expect_if(lambda special: special in b'"\\', "Expected '\\' or '\"' after '\\' in quoted")
            value.append(octet)

    def literal(self) -> Text:
        """A synchronising literal; its announcement is noted so that the connection can send the continuation."""
        start = self.offset
        self.expect(b"{", "expected '{' for literal start")
        size = self.number()
        if size <= 0 or size >= self._literal_limit:
            raise Hangup
        self.expect(b"}", "expected '}' for literal end")
        self.expect(b"\r", "expected CR")
        if self.current() != LF:
            raise self.fail("expected LF after CR")
        self.take()
        self.announced.append(self._at)
        end = self._at + size
        if len(self._data) < end + 1:
            # The octet behind the literal is wanted too: without it nothing can be decided.
            raise NeedMore(end + 1)
        value = bytes(self._data[self._at : end])
        # Accepting the literal leaves its first octet as the last accepted one.
        self.previous = self.offset
        self._at = end
        if not self._count_literals:
            self._shift -= size - 1
        return Text(value, start)

    def announce_bare(self) -> None:
        """The client waits for a continuation line here, and Bridge sends one without a text."""
        self.announced.append(self._at)
        self.bare_continuation = True

    def string(self) -> Text:
        """A quoted string or a literal."""
        if self.is_at(b'"'):
            return self.quoted()
        if self.is_at(b"{"):
            return self.literal()
        raise self.fail("unexpected character, expected start of quote or literal")

    def is_at_string(self) -> bool:
        """Whether a quoted string or a literal begins here."""
        return self.current() in b'"{'

    def astring(self) -> Text:
        """A string, or octets up to the next special; none is fine too."""
        return self.string() if self.is_at_string() else self.run(is_astring_char)

    def atom(self) -> Text:
        """At least one atom octet."""
        if not is_atom_char(self.current()):
            raise self.fail("Invalid character detected in atom")
        return self.run(is_atom_char)

    def end_of_command(self) -> None:
        """CRLF. The LF is not accepted: it is where the next command's errors begin to count."""
        self.expect(b"\r", "expected CR")
        if self.current() != LF:
            raise self.fail("expected LF after CR")


def is_letter(octet: int) -> bool:
    """A to Z in any case."""
    return 0x41 <= octet <= 0x5A or 0x61 <= octet <= 0x7A


def is_digit(octet: int) -> bool:
    """0 to 9."""
    return 0x30 <= octet <= 0x39


def is_atom_char(octet: int) -> bool:
    """What Bridge takes as part of an atom: NUL, DEL, braces, wildcards and 8-bit octets among them."""
    return (octet > 0x1F or octet == 0) and octet not in b' ()["\\]'


def is_astring_char(octet: int) -> bool:
    """An atom octet or a closing bracket."""
    return is_atom_char(octet) or octet == 0x5D


def is_tag_char(octet: int) -> bool:
    """An astring octet other than the plus sign."""
    return is_astring_char(octet) and octet != 0x2B
