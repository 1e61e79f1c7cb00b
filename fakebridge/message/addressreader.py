"""The reader underneath the address parser: one octet at a time, with the offsets that Bridge's error texts carry.

An offset counts octets read so far, from 1; going back does not take anything off. An error names the last octet that was accepted.
Also the lexical pieces of RFC 5322: white space and comments, atoms, quoted strings, encoded words, domain literals.
"""

from collections.abc import Container
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from fakebridge.message.qword import WordError, decode_word

_END: Final = -1
_WSP: Final = frozenset(b" \t")
_FWS_START: Final = frozenset(b" \t\r")
_CFWS_START: Final = frozenset(b" \t\r(")
_CONTROLS: Final = frozenset(range(1, 32))
_EVERY: Final = frozenset(range(256))
_WIDE: Final = frozenset(range(128, 256))
_LETTERS: Final = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
_ATEXT: Final = _LETTERS | _WIDE | frozenset(b"0123456789!#$%&'*+-/=?^_`{|}~")
_QTEXT: Final = _EVERY - frozenset(b'\r\n\t" \\')
_CTEXT: Final = _EVERY - frozenset(b"()\r\n\t \\")
_DTEXT: Final = _EVERY - _CONTROLS - frozenset(b"[]\\")
# After a backslash anything may stand but the end.
_ENCODED_TOKEN: Final = _EVERY - _CONTROLS - frozenset(b' ()<>@,;:"/[]?.=')
_ENCODED_TEXT: Final = _EVERY - _CONTROLS - _WIDE - frozenset(b" ?")


class AddressError(Exception):
    """No address list; ``str()`` gives ``[Error offset=N]: text`` as Bridge does."""

    def __init__(self, offset: int, text: str) -> None:
        super().__init__(f"[Error offset={offset}]: {text}")
        self.offset = offset
        self.text = text


class Kind(Enum):
    """How a word of a phrase goes together with its neighbours."""

    PLAIN = auto()
    UNSPACED = auto()
    ENCODED = auto()


@dataclass(frozen=True, slots=True)
class Word:
    """A decoded word."""

    text: str
    kind: Kind


State = tuple[int, int, int, int, int]


class Reader:
    """Octets with one octet in view (``current``; -1 at the end) and the one before it (``previous``)."""

    def __init__(self, octets: bytes) -> None:
        self._octets = octets
        self._position = 0
        self._count = 0
        self.current = _END
        self.previous = _END
        self._current_offset = 0
        self._previous_offset = 0
        self._advance()

    def ended(self) -> bool:
        """Whether everything was read."""
        return self.current == _END

    def save(self) -> State:
        """The place, to come back to."""
        return self._position, self.current, self._current_offset, self.previous, self._previous_offset

    def restore(self, state: State) -> None:
        """Back to a saved place; octets are counted on."""
        self._position, self.current, self._current_offset, self.previous, self._previous_offset = state

    def _advance(self) -> None:
        self.previous, self._previous_offset = self.current, self._current_offset
        if self._position < len(self._octets):
            self.current = self._octets[self._position]
            self._position += 1
            self._count += 1
        else:
            self.current = _END
        self._current_offset = self._count

    def error(self, text: str) -> AddressError:
        """An error at the last accepted octet."""
        return AddressError(self._previous_offset, text)

    def matches(self, wanted: Container[int]) -> bool:
        """Take the octet in view if it is one of these."""
        if self.current == _END or self.current not in wanted:
            return False
        self._advance()
        return True

    def consume(self, wanted: Container[int], text: str) -> None:
        """Take the octet in view, which must be one of these.

        Raises:
            AddressError: it is not.
        """
        if not self.matches(wanted):
            raise self.error(text)

    @property
    def offset(self) -> int:
        """Offset of the octet in view, for errors that name it."""
        return self._current_offset

    def take(self, wanted: Container[int]) -> bytes:
        """All octets from here on that are among these."""
        out = bytearray()
        while self.matches(wanted):
            out.append(self.previous)
        return bytes(out)

    def try_fws(self) -> bool:
        """Folding white space, if there is any."""
        if self.current not in _FWS_START:
            return False
        self.take(_WSP)
        while self.current == 0x0D:
            self.consume(b"\r", "expected CR")
            self.consume(b"\n", "expected LF after CR")
            self.consume(_WSP, "expected WSP after CRLF")
            self.take(_WSP)
        return True

    def try_cfws(self) -> bool:
        """White space and comments, if there are any."""
        if self.current not in _CFWS_START:
            return False
        self.cfws()
        return True

    def cfws(self) -> None:
        """White space and comments, at least one of them.

        Raises:
            AddressError: there is none, or a comment does not end.
        """
        blank = self.try_fws()
        if self.current != ord("("):
            if not blank:
                raise self.error("expected FWS or comment for CFWS")
            return
        while self.current == ord("("):
            self._comment()
            self.try_fws()

    def _comment(self) -> None:
        """A comment with all comments in it; depth is counted, not recursed into."""
        self.consume(b"(", "expected ( for comment start")
        depth = 1
        while depth:
            self.try_fws()
            if self.matches(_CTEXT):
                continue
            if self.current == ord("\\"):
                self._pair()
            elif self.matches(b"("):
                depth += 1
            else:
                self.consume(b")", "expected ) for comment end")
                depth -= 1

    def _pair(self) -> int:
        self.consume(b"\\", "expected \\ for quoted pair start")
        self.consume(_EVERY, "unexpected character for quoted pair")
        return self.previous

    def begins_word(self) -> bool:
        """Whether a word begins here."""
        return self.current in _ATEXT or self.current == ord('"')

    def word(self) -> Word:
        """An encoded word, a quoted string or an atom.

        Raises:
            AddressError: none of them, or a broken one.
        """
        self.try_cfws()
        if self.current == ord("="):
            return self._encoded()
        if self.current == ord('"'):
            return self._quoted()
        return self.atom()

    def atom(self) -> Word:
        """An atom with the white space around it."""
        self.try_cfws()
        self.consume(_ATEXT, "expected atext char for atom")
        octets = bytes((self.previous,)) + self.take(_ATEXT)
        self.try_cfws()
        return Word(_text(octets), Kind.PLAIN)

    def _quoted(self) -> Word:
        out = bytearray()
        self.consume(b'"', 'expected " for quoted string start')
        while True:
            if self.try_fws():
                out += b" "
            if self.matches(_QTEXT):
                out.append(self.previous)
            elif self.current == ord("\\"):
                out.append(self._pair())
            else:
                break
        self.consume(b'"', 'expected " for quoted string end')
        self.try_cfws()
        return Word(_text(bytes(out)), Kind.PLAIN)

    def _encoded(self) -> Word:
        start = self._current_offset
        self._expect(b"=?")
        charset = self.take(_ENCODED_TOKEN)
        self.consume(b"?", "expected '?' after encoding charset")
        self.consume(_LETTERS, "expected char after '?'")
        encoding = chr(self.previous).upper()
        if encoding not in "QB":
            raise self.error("encoding should either be 'Q' or 'B'")
        self.consume(b"?", "expected '?' after encoding byte")
        content = self.take(_ENCODED_TEXT)
        self._expect(b"?=")
        self.try_cfws()
        try:
            return Word(decode_word(f"=?{_text(charset)}?{encoding}?{_text(content)}?="), Kind.ENCODED)
        except WordError as broken:
            raise AddressError(start, f"failed to decode encoded atom: {broken.text}") from None

    def _expect(self, octets: bytes) -> None:
        for octet in octets:
            self.consume((octet,), f"expected byte value {octet:x}")

    def dot_atom(self) -> str:
        """Atoms with dots between them, a closing dot allowed.

        Raises:
            AddressError: no atom, or two dots side by side.
        """
        self.try_cfws()
        self.consume(_ATEXT, "expected atext char for dot-atom-text")
        out = bytes((self.previous,)) + self.take(_ATEXT)
        while self.matches(b"."):
            out += b"."
            if self.current == ord("."):
                raise self.error("invalid token after '.'")
            out += self.take(_ATEXT)
            if out.endswith(b"."):
                break
        self.try_cfws()
        return _text(out)

    def domain_literal(self) -> str:
        """``[…]``, its opening bracket taken already; white space inside is dropped.

        Raises:
            AddressError: no closing bracket.
        """
        out = bytearray(b"[")
        self.try_fws()
        while self.matches(_DTEXT):
            out.append(self.previous)
            self.try_fws()
        self.consume(b"]", "expecetd ] for domain-literal end")
        self.try_cfws()
        return _text(bytes(out) + b"]")


def _text(octets: bytes) -> str:
    return octets.decode("utf-8", "surrogateescape")
