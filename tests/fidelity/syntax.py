"""Without Bridge's reading of commands (bridge-behaviour 1.7, 1.8)."""

from __future__ import annotations

from fakebridge.imap import reading
from fakebridge.imap.requests import Unparsable
from fakebridge.imap.scanner import BadSyntax, Hangup, Scanner
from fakebridge.imap.session import Session
from tests.fidelity.departing import Passed, around, departure, put


@departure("error-offsets")
def offsets_count_from_zero() -> None:
    """Positions count from 0."""
    around(BadSyntax, "__init__", lambda original, self, offset, text, at: original(self, offset - 1, text, at))


@departure("error-without-a-tag")
def errors_keep_their_tag() -> None:
    """Trailing junk is answered with the tag."""

    def refuse(original: Passed, self: Passed, parsing: Passed, scanner: Passed, error: Passed) -> Passed:
        result = original(self, parsing, scanner, error)
        if isinstance(result, Unparsable) and not result.tag:
            return Unparsable(b"a5", result.text)
        return result

    around(reading.Reader, "_refuse", refuse)


@departure("empty-line-offset")
def empty_lines_count_anew() -> None:
    """An empty line is an error at 0."""

    def finish(original: Passed, self: Passed, *arguments: Passed) -> Passed:
        result = original(self, *arguments)
        self._previous = 0
        return result

    around(reading.Reader, "_finish", finish)


@departure("open-quote-swallows-lines")
def quotes_end_with_the_line() -> None:
    """A quoted string ends with its line."""

    def quoted(original: Passed, self: Scanner) -> Passed:
        line = self._data.find(b"\r\n", self.at)
        if line >= 0 and self._data.count(b'"', self.at, line) < 2:
            raise self.fail("Expected '\"' for quoted end")
        return original(self)

    around(Scanner, "quoted", quoted)


@departure("bare-lf-costs-a-line")
def bare_lf_ends_a_line() -> None:
    """A bare LF is as good as CRLF."""
    around(reading.Reader, "receive", lambda original, self, data: original(self, data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")))


@departure("twenty-errors")
def errors_never_end() -> None:
    """Errors are not counted."""

    def refuse(original: Passed, self: Session, bad: Unparsable) -> None:
        original(self, bad)
        self.closing = False

    around(Session, "refuse", refuse)


@departure("literal-limits")
def literals_are_refused_with_bad() -> None:
    """A bad literal size is a syntax error."""

    def literal(original: Passed, self: Scanner) -> Passed:
        try:
            return original(self)
        except Hangup:
            raise self.fail("invalid literal size") from None

    around(Scanner, "literal", literal)


@departure("no-literal-plus")
def literal_plus_is_known() -> None:
    """LITERAL+ is understood."""

    def receive(original: Passed, self: Passed, data: bytes) -> None:
        original(self, data.replace(b"+}\r\n", b"}\r\n"))

    around(reading.Reader, "receive", receive)


@departure("literals-anywhere")
def only_append_has_literals() -> None:
    """A mailbox name cannot be a literal."""
    put(Scanner, "is_at_string", lambda self: self.current() == 0x22)


@departure("pipelining")
def no_pipelining() -> None:
    """What comes behind a command in one packet is lost."""

    def receive(original: Passed, self: Passed, data: bytes) -> None:
        original(self, data[: data.find(b"\n") + 1])

    around(reading.Reader, "receive", receive)
