"""Text as it grows from a document: white space as a browser would show it, blocks on lines of their own, cells kept apart."""

from __future__ import annotations

import re
from typing import Final

CELL_MARK: Final = " | "
MAX_QUOTE_DEPTH: Final = 10
MAX_INDENT: Final = 10
MAX_EMPTY_CELLS: Final = 50
MAX_KEPT_BLANKS: Final = 200
MAX_CHARS: Final = 2_097_152
_SPACES: Final = re.compile(r"[ \t\n\f\r]+")
_BLANK: Final = " \t\n\f\r"
# What fills lines without being seen: blanks of fixed width, joiners, the soft hyphen and the like.
_FILLER: Final = _BLANK + "\xa0\xad\u034f\u115f\u1160\u2000-\u200f\u2028\u2029\u202f\u205f\u2060-\u2064\u3000\u3164\ufeff"
_FILLERS: Final = re.compile(f"[{_FILLER}]*")
_FLOOD: Final = re.compile(f"[{_FILLER}]{{16,}}+")


class TextFlow:
    """Collects words and breaks; `text` gives what came of them, at most 2,097,152 characters. Costs are linear in what is added.

    Runs of empty lines are one empty line, long runs of filling characters one blank, so that no flood pushes text out of sight.
    """

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._notes: list[int] = []
        self._chars = 0
        self._breaks = 0
        self._space = False
        self._cells = 0
        self._quotes = 0
        self._indent = 0
        self._marker = ""
        # Whether the open table row stands on one line so far, and whether anything of it was written.
        self._row_flat = False
        self._row_begun = False

    @property
    def pieces(self) -> int:
        """How many pieces were written so far; a mark for `since`."""
        return len(self._pieces)

    @property
    def full(self) -> bool:
        """Whether something was left out because there was too much."""
        return self._chars > MAX_CHARS

    def since(self, mark: int, *, at_most: int) -> str:
        """What was written since the mark, its white space as blanks, at most so many characters."""
        found: list[str] = []
        length = 0
        for at in range(mark, len(self._pieces)):
            if length > at_most:
                break
            found.append(self._pieces[at])
            length += len(self._pieces[at])
        return _SPACES.sub(" ", "".join(found)).strip()[:at_most]

    def add(self, text: str) -> None:
        """Running text: runs of white space are one blank."""
        words = _FLOOD.sub(" ", _SPACES.sub(" ", text))
        if not words:
            return
        if _FILLERS.fullmatch(words):
            self._space = True
            return
        if words[0] == " ":
            self._space = True
        self._write(words.strip(_BLANK))
        self._space = words[-1] == " "

    def add_preformatted(self, text: str) -> None:
        """Text whose white space stands as it is."""
        lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        for at, line in enumerate(lines):
            if at:
                self.line_break()
            if line and not _FILLERS.fullmatch(line):
                self._write(_FLOOD.sub(lambda run: run[0] if len(run[0]) <= MAX_KEPT_BLANKS else " ", line))
            elif line:
                self._space = True

    def note(self, text: str) -> None:
        """A remark of ours (a target, a picture's text): part of `text`, not of `bare`."""
        self._write(text)
        if not self.full:
            self._notes.append(len(self._pieces) - 1)

    def mark(self, text: str) -> None:
        """A list item's number or dash, written before the item's first words; '' when the item has ended."""
        self._marker = f"{text} " if text else ""

    def space(self) -> None:
        """A blank before what comes next on the line."""
        self._space = True

    def line_break(self) -> None:
        """A forced line break (`<br>`); two in a row leave one empty line, more leave no more."""
        if self._breaks < 2:
            self._breaks += 1
        self._space = False
        self._cells = 0

    def block(self, *, spaced: bool) -> None:
        """A block begins or ends: a new line, with an empty one before it when `spaced`. Not at the beginning of a cell."""
        if self._cells and self._row_flat:
            return
        self._breaks = 2 if spaced else self._breaks or 1
        self._space = False

    def cell(self, *, kept: bool) -> None:
        """A table cell begins: apart from the last one, on the same line if that is still open. `kept`: also if the last one is empty.

        Paragraphs inside the cells do not part a row whose cells so far stand on one line.
        """
        if self._row_flat and self._row_begun:
            self._breaks = 0
        self._cells = min(self._cells + 1, MAX_EMPTY_CELLS) if kept else 1

    def row(self) -> None:
        """A table row begins: right below the one before it if that stands on one line, whatever its cells ended with."""
        self._cells = 0
        if self._row_flat and self._row_begun:
            self._breaks = 0
        self.block(spaced=False)
        self._row_flat, self._row_begun = True, False

    def begin_table(self) -> None:
        """A table begins: on a line of its own also inside a cell."""
        self._cells = 0
        self._row_flat = False
        self.block(spaced=True)

    def end_table(self) -> None:
        """A table ends; what follows does not go on in its last row."""
        self._row_flat = False

    def quote(self, change: int) -> None:
        """A quoted block begins (+1) or ends (-1)."""
        self.block(spaced=False)
        self._quotes += change

    def indent(self, change: int) -> None:
        """A list inside a list begins (+1) or ends (-1)."""
        self._indent += change

    def text(self) -> str:
        """All of it, without blanks at its ends."""
        return "".join(self._pieces).strip()

    def bare(self) -> str:
        """What the document itself says, without our remarks."""
        notes = set(self._notes)
        return "".join(piece for at, piece in enumerate(self._pieces) if at not in notes).strip()

    def _write(self, words: str) -> None:
        """Write the breaks, marks or the blank that the next words need before them, and the words."""
        if self._chars > MAX_CHARS:
            return
        before = ""
        if self._breaks or not self._pieces:
            before = "\n" * self._breaks if self._pieces else ""
            self._row_flat = self._row_flat and not self._row_begun
            before += "> " * min(self._quotes, MAX_QUOTE_DEPTH) + "  " * min(self._indent, MAX_INDENT)
            before += CELL_MARK.lstrip() * (self._cells - 1)
        elif self._cells:
            before = CELL_MARK * self._cells
        elif self._space:
            before = " "
        before += self._marker
        if before:
            self._pieces.append(before)
        self._pieces.append(words)
        self._chars += len(before) + len(words)
        self._breaks = self._cells = 0
        self._space = False
        self._marker = ""
        self._row_begun = True
