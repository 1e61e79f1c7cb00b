"""A header under construction: the order in which Bridge's writer puts fields, and how it folds them.

Fields taken over as they are stay where they are, spelling included; every "set" removes the field and puts it on top with its name
in canonical spelling, folded at 76 columns (bridge-behaviour 4.2; dialogues 14, 20, 21).
"""

import re
from dataclasses import dataclass
from typing import Final

from fakebridge.message import mediatype, qword

_NAME: Final = re.compile(r"[!#$%&'*+\-.0-9A-Z^_`a-z|~]+")
_SOFT: Final = 76
_HARD: Final = 998


@dataclass(frozen=True, slots=True)
class _Entry:
    key: str
    value: str
    raw: str | None


def canonical(name: str) -> str:
    """``message-ID`` → ``Message-Id``; a name with odd characters stays as it is."""
    if not _NAME.fullmatch(name):
        return name
    return "-".join(part[:1].upper() + part[1:].lower() for part in name.split("-"))


class HeaderBlock:
    """Fields from top to bottom."""

    def __init__(self) -> None:
        self._entries: list[_Entry] = []

    def keep(self, name: str, value: str) -> None:
        """Append a field that is written exactly as given, never folded."""
        self.keep_raw(canonical(name.strip(" \t")), value.strip(" \t"), f"{name}: {value}\r\n")

    def keep_raw(self, key: str, value: str, raw: str | None) -> None:
        """Append a field by its canonical name and value; ``raw`` is written, line end included, None folds it anew."""
        self._entries.append(_Entry(key, value, raw))

    def has(self, name: str) -> bool:
        """Whether there is such a field."""
        key = canonical(name)
        return any(entry.key == key for entry in self._entries)

    def get(self, name: str) -> str:
        """Value of the topmost such field, empty if there is none."""
        values = self.values(name)
        return values[0] if values else ""

    def values(self, name: str) -> list[str]:
        """Values of all such fields, from the top."""
        key = canonical(name)
        return [entry.value for entry in self._entries if entry.key == key]

    def set(self, name: str, value: str) -> None:
        """Replace all such fields by one on top."""
        key = canonical(name)
        self.drop(name)
        self._entries.insert(0, _Entry(key, value, None))

    def set_changed(self, name: str, value: str) -> None:
        """As ``set``, but leave a field that has this value already where it is."""
        if not self.has(name) or self.get(name) != value:
            self.set(name, value)

    def set_typed(self, name: str, kind: str, params: dict[str, str]) -> None:
        """Set a Content-Type or Content-Disposition."""
        self.set(name, mediatype.write(kind, {key: qword.encode(value) for key, value in params.items()}))

    def drop(self, name: str) -> None:
        """Remove all such fields."""
        key = canonical(name)
        self._entries = [entry for entry in self._entries if entry.key != key]

    def octets(self) -> bytes:
        """The block as written, with the empty line that ends it."""
        lines = [entry.raw if entry.raw is not None else fold(entry.key, entry.value) for entry in self._entries]
        return ("".join(lines) + "\r\n").encode("utf-8", "surrogateescape")


def fold(name: str, value: str) -> str:
    """``name: value`` with CRLF, folded before blanks so that lines hold 76 octets at most; longer words up to 998.

    Widths count octets, as the writer does.
    """
    out = f"{name}: "
    rest = value.encode("utf-8", "surrogateescape").decode("latin-1")
    if not rest:
        return out + "\r\n"
    taken = len(out.encode("utf-8", "surrogateescape"))
    folded = ""
    while rest:
        line, after, clean = _fold_once(rest, _SOFT - taken) if taken < _SOFT else (rest, rest, False)
        if not clean:
            line, after, _ = _fold_once(rest, _HARD - taken)
        folded, rest, taken = folded + line, after, 0
    return out + folded.encode("latin-1").decode("utf-8", "surrogateescape")


def _fold_once(text: str, width: int) -> tuple[str, str, bool]:
    """The next line with its line end, the rest, and whether the value survives unchanged."""
    if len(text) <= width:
        return (text if text.endswith("\n") else text + "\r\n"), "", True
    at = max(text.rfind(blank, 0, width + 1) for blank in " \t\n")
    if at == 0:
        at = width
    elif at < 0:
        at = width - 1
    match text[at]:
        case " " | "\t":
            return text[:at] + ("" if text[at - 1] == "\n" else "\r\n"), text[at:], True
        case "\n":
            return text[:at], text[at:], True
        case _:
            return text[:at] + "\r\n ", text[at:], False
