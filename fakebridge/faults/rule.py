"""One rule: when it applies and what it does, checked field by field. Errors name the field, never a value."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fakebridge.faults.kinds import MEANINGS, FaultKind, Place
from fakebridge.faults.verbs import CONNECT, IMAP_VERBS, SMTP_CONNECT, STARTTLS, VERBS

WHEN: Final = ("on", "nth", "times", "mailbox", "after_octets")
WHAT: Final = ("text", "octets", "count", "seconds", "item")
CERTIFICATES: Final = ("other-key", "expired", "localhost", "signed", "short-key")
"""What the text of a rule about the certificate may be."""
MOST: Final = 1 << 40
"""No figure of a rule may be larger."""


class FaultError(Exception):
    """A rule that cannot be used; `str()` names the field."""


@dataclass(frozen=True, slots=True)
class FaultRule:
    """A rule. `on` is a verb ("UID FETCH", "LOGIN", "SMTP DATA", "CONNECT") or "*".

    The `nth` match is the first that is hit; `times` is how many are, None for all that follow. `mailbox`: only while it is open.
    `after_octets`: only on a connection to which so many octets have been sent already. What the other fields mean depends on `do`.
    """

    on: str
    do: FaultKind
    nth: int = 1
    mailbox: str | None = None
    text: str = ""
    times: int | None = 1
    octets: int = 0
    count: int = 0
    seconds: float = 0.0
    item: str | None = None
    after_octets: int = 0

    @property
    def place(self) -> Place:
        """When it acts."""
        return MEANINGS[self.do].place

    @classmethod
    def from_json(cls, data: object, *, where: str = "") -> FaultRule:
        """A rule from its JSON form; `where` stands before field names in errors. FaultError: a field is unknown or of the wrong kind."""
        return _Reader(data, where).rule()


def rules_from_json(data: object, *, where: str = "rules") -> tuple[FaultRule, ...]:
    """A list of rules, or an object with `faults` (and perhaps `about`). FaultError: nothing of it can be used."""
    if isinstance(data, dict):
        if not set(data) <= {"about", "faults", "$schema"}:
            raise FaultError("a file of faults is a list of rules, or an object with about and faults")
        data, where = data.get("faults"), "faults"
    if not isinstance(data, list):
        raise FaultError(f"{where}: a list is wanted")
    return tuple(FaultRule.from_json(rule, where=f"{where}[{index}]") for index, rule in enumerate(data))


def load(path: Path) -> tuple[FaultRule, ...]:
    """The rules of a file. FaultError: it cannot be read, or not used."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise FaultError(f"the file of faults cannot be read: not JSON: {error}") from error
    except (OSError, ValueError) as error:
        raise FaultError(f"the file of faults cannot be read: {type(error).__name__}") from error
    return rules_from_json(data)


class _Reader:
    """One rule on its way from JSON."""

    def __init__(self, data: object, where: str) -> None:
        if not isinstance(data, dict):
            raise FaultError(f"{where or 'rule'}: an object is wanted")
        self._data: dict[str, object] = data
        self._where = f"{where}." if where else ""

    def rule(self) -> FaultRule:
        data = self._data
        known = {"do", "about", *WHEN, *WHAT}
        if unknown := set(data) - known:
            raise self._wrong("", f"{len(unknown)} unknown field(s); a rule has {', '.join(sorted(known))}")
        kinds = {kind.value: kind for kind in FaultKind}
        kind = kinds.get(str(data.get("do")))
        if kind is None:
            raise self._wrong("do", f"one of {', '.join(kinds)} is wanted")
        meaning = MEANINGS[kind]
        for name in WHAT:
            # `text` was free in every rule of the first version and says nothing wrong where it is not read.
            if name in data and name not in meaning.fields and name != "text":
                raise self._wrong(name, f"not read by {kind.value}, which reads {', '.join(meaning.fields) or 'none of these'}")
        item = self._text("item", None)
        text = self._text("text", meaning.text) or ""
        if kind is FaultKind.CERTIFICATE and text not in CERTIFICATES:
            raise self._wrong("text", f"one of {', '.join(CERTIFICATES)} is wanted")
        return FaultRule(
            on=self._on(kind),
            do=kind,
            nth=self._number("nth", 1, least=1),
            mailbox=self._text("mailbox", None),
            text=text,
            times=None if data.get("times", 1) is None else self._number("times", 1, least=1),
            octets=self._number("octets", meaning.octets or 0),
            count=self._number("count", meaning.count or 0),
            seconds=self._seconds(meaning.seconds or 0.0),
            item=item.upper() if item else None,
            after_octets=self._number("after_octets", 0),
        )

    def _on(self, kind: FaultKind) -> str:
        meaning = MEANINGS[kind]
        value = self._data.get("on", meaning.on)
        if not isinstance(value, str):
            raise self._wrong("on", "a command is wanted")
        verb = value.upper()
        if verb not in VERBS:
            raise self._wrong("on", f"not a command; wanted is one of {', '.join(VERBS)}")
        if verb.startswith("SMTP ") and not meaning.smtp:
            raise self._wrong("do", f"{kind.value} is of IMAP only")
        allowed = {
            Place.GREETING: (CONNECT, SMTP_CONNECT) if meaning.smtp else (CONNECT,),
            Place.CERTIFICATE: (CONNECT,),
            Place.HANDSHAKE: (STARTTLS,),
            Place.CONTINUATION: IMAP_VERBS,
        }.get(meaning.place, VERBS)
        if verb not in allowed:
            raise self._wrong("on", f"{kind.value} goes with {' or '.join(allowed) if len(allowed) < len(IMAP_VERBS) else 'a command'}")
        return verb

    def _number(self, name: str, default: int, *, least: int = 0) -> int:
        value = self._data.get(name, default)
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= MOST:
            raise self._wrong(name, f"a whole number from {least} is wanted")
        return value

    def _seconds(self, default: float) -> float:
        value = self._data.get("seconds", default)
        if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= 86_400:
            raise self._wrong("seconds", "a number from 0 to 86400 is wanted")
        return float(value)

    def _text(self, name: str, default: str | None) -> str | None:
        value = self._data.get(name, default)
        if value is not None and not isinstance(value, str):
            raise self._wrong(name, "a text is wanted")
        return value

    def _wrong(self, name: str, what: str) -> FaultError:
        path = f"{self._where}{name}".rstrip(".") or "rule"
        return FaultError(f"{path}: {what}")
