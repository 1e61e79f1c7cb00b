"""Address lists as the account server of the recordings reads them on import: RFC 5322 without Bridge's liberties.

Nothing of this is evidence about Bridge. A list that cannot be read becomes one name without an address; a comment behind a bare
address is its name; dots are part of words in names.
"""

from typing import Final

from fakebridge.message.addresses import Address
from fakebridge.message.qword import WordError, decode_header_plain

_BLANKS: Final = " \t"
_SPECIALS: Final = frozenset('()[];@\\,<>":')


class _Unreadable(Exception):
    """No address list."""


def addresses_of(value: str) -> tuple[Address, ...]:
    """The addresses of a list; the whole value as a name if it cannot be read, nothing for an empty value."""
    if not value:
        return ()
    try:
        return tuple(_Text(value).everyone())
    except _Unreadable:
        return (Address(value, ""),)


def address_of(value: str) -> Address | None:
    """The one address of a value; the whole value as a name if there is not exactly one, None for an empty value."""
    found = addresses_of(value)
    if len(found) == 1:
        return found[0]
    return Address(value, "") if value else None


class _Text:
    """A value and how far it was read."""

    def __init__(self, value: str) -> None:
        self._value = value
        self._at = 0

    def _peek(self) -> str:
        return self._value[self._at : self._at + 1]

    def _take(self, char: str) -> bool:
        if self._peek() != char:
            return False
        self._at += 1
        return True

    def _skip_blanks(self) -> None:
        while self._peek() and self._peek() in _BLANKS:
            self._at += 1

    def _skip_comments(self) -> None:
        self._skip_blanks()
        while self._peek() == "(":
            self._comment()
            self._skip_blanks()

    def _comment(self) -> str:
        """A comment with all comments in it."""
        start, depth = self._at + 1, 0
        while self._peek():
            char = self._peek()
            self._at += 2 if char == "\\" else 1
            depth += (char == "(") - (char == ")")
            if depth == 0:
                return self._value[start : self._at - 1]
        raise _Unreadable

    def everyone(self) -> list[Address]:
        """All addresses, up to the end."""
        found: list[Address] = []
        self._skip_commas()
        while self._peek():
            found += self._address()
            self._skip_comments()
            if self._peek() and self._peek() != ",":
                raise _Unreadable
            self._skip_commas()
        if not found and ":" not in self._value:
            raise _Unreadable
        return found

    def _skip_commas(self) -> None:
        self._skip_blanks()
        while self._take(","):
            self._skip_blanks()

    def _address(self) -> list[Address]:
        """A mailbox, or the members of a group."""
        self._skip_blanks()
        start = self._at
        try:
            address = self._spec()
        except _Unreadable:
            self._at = start
        else:
            self._skip_blanks()
            return [Address(_decoded(self._comment()) if self._peek() == "(" else "", address)]
        name = "" if self._peek() == "<" else self._phrase()
        self._skip_blanks()
        if self._take(":"):
            return self._members()
        if not self._take("<"):
            raise _Unreadable
        address = self._spec()
        if not self._take(">"):
            raise _Unreadable
        return [Address(name, address)]

    def _members(self) -> list[Address]:
        members: list[Address] = []
        self._skip_blanks()
        while not self._take(";"):
            members += self._address()
            self._skip_comments()
            if self._peek() not in {",", ";"}:
                raise _Unreadable
            self._skip_commas()
        return members

    def _spec(self) -> str:
        local = self._quoted() if self._peek() == '"' else self._atom(strict=True)
        if not local or not self._take("@"):
            raise _Unreadable
        self._skip_blanks()
        if self._peek() != "[":
            return f"{local}@{self._atom(strict=True)}"
        end = self._value.find("]", self._at)
        if end < 0:
            raise _Unreadable
        literal, self._at = self._value[self._at : end + 1], end + 1
        return f"{local}@{literal}"

    def _atom(self, *, strict: bool) -> str:
        start = self._at
        while (char := self._peek()) and char not in _SPECIALS and ("!" <= char <= "~" or char >= "\x80"):
            self._at += 1
        atom = self._value[start : self._at]
        if not atom or (strict and (atom.startswith(".") or atom.endswith(".") or ".." in atom)):
            raise _Unreadable
        return atom

    def _quoted(self) -> str:
        self._at += 1
        out: list[str] = []
        while not self._take('"'):
            if self._peek() == "\\":
                self._at += 1
            if not self._peek():
                raise _Unreadable
            out.append(self._peek())
            self._at += 1
        return "".join(out)

    def _phrase(self) -> str:
        """Words of a name; two encoded words side by side are one."""
        words: list[str] = []
        before_encoded = False
        while True:
            if words:
                self._skip_comments()
            self._skip_blanks()
            quoted = self._peek() == '"'
            try:
                word = self._quoted() if quoted else self._atom(strict=False)
            except _Unreadable:
                if not words:
                    raise
                return " ".join(words)
            encoded = not quoted and word.startswith("=?") and _decoded(word) != word
            word = word if quoted else _decoded(word)
            if encoded and before_encoded:
                words[-1] += word
            else:
                words.append(word)
            before_encoded = encoded


def _decoded(word: str) -> str:
    try:
        return decode_header_plain(word)
    except WordError:
        return word
