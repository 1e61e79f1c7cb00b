"""Text as it grows from a document: white space as a browser would show it, blocks on lines of their own, cells kept apart."""

from __future__ import annotations

import re
from typing import Final

CELL_MARK: Final = " | "
MAX_QUOTE_DEPTH: Final = 10
_SPACES: Final = re.compile(r"[ \t\n\f\r]+")
_BLANK: Final = " \t\n\f\r"


class TextFlow:
    """Collects words and breaks; `text` gives what came of them. Costs are linear in what is added."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._line_open = False
        self._breaks = 0
        self._space = False
        self._cell = False
        self._quotes = 0

    @property
    def pieces(self) -> int:
        """How many pieces were written so far; a mark for `since`."""
        return len(self._pieces)

    def since(self, mark: int, *, at_most: int) -> str:
        """What was written since the mark, its white space as blanks, at most so many characters."""
        found = ""
        for piece in self._pieces[mark:]:
            if len(found) > at_most:
                break
            found += piece
        return _SPACES.sub(" ", found).strip()[:at_most]

    def add(self, text: str) -> None:
        """Running text: runs of white space are one blank."""
        words = _SPACES.sub(" ", text)
        if not words:
            return
        if words == " ":
            self._space = True
            return
        if words[0] == " ":
            self._space = True
        self._open()
        self._pieces.append(words.strip(_BLANK))
        self._space = words[-1] == " "

    def add_preformatted(self, text: str) -> None:
        """Text whose white space stands as it is."""
        lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        for at, line in enumerate(lines):
            if at:
                self.line_break()
            if line:
                self._open()
                self._pieces.append(line)

    def line_break(self) -> None:
        """A forced line break (`<br>`); two in a row leave one empty line, more leave no more."""
        self._breaks = min(self._breaks + 1, 2)
        self._space = self._cell = False

    def block(self, *, spaced: bool) -> None:
        """A block begins or ends: a new line, with an empty one before it when `spaced`."""
        self._breaks = max(self._breaks, 2 if spaced else 1)
        self._space = False

    def cell(self) -> None:
        """A table cell begins: apart from the last one, on the same line if that is still open."""
        self._cell = True

    def row(self) -> None:
        """A table row begins."""
        self.block(spaced=False)
        self._cell = False

    def quote(self, change: int) -> None:
        """A quoted block begins (+1) or ends (-1)."""
        self.block(spaced=False)
        self._quotes += change

    def text(self) -> str:
        """All of it, without blanks at its ends."""
        return "".join(self._pieces).strip()

    def _open(self) -> None:
        """Write the breaks, marks or the blank that the next word needs before it."""
        prefix = "> " * min(self._quotes, MAX_QUOTE_DEPTH)
        if self._breaks or not self._pieces:
            if self._pieces:
                self._pieces.append("\n" * self._breaks)
            if prefix:
                self._pieces.append(prefix)
        elif self._cell:
            self._pieces.append(CELL_MARK)
        elif self._space:
            self._pieces.append(" ")
        self._breaks = 0
        self._space = self._cell = False
