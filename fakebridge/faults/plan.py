"""The fault plan: rules as data, counted as commands come: drop, stall, no, garbage, uidvalidity, certificate.

The mail store never knows of faults; servers and sessions ask the plan before they carry a command out.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class FaultKind(StrEnum):
    """What a rule does."""

    DROP = "drop"
    STALL = "stall"
    NO = "no"
    GARBAGE = "garbage"
    ANSWER = "answer"
    UIDVALIDITY = "uidvalidity"
    CERTIFICATE = "certificate"


class FaultError(Exception):
    """A rule that cannot be used; `str()` names the field."""


@dataclass(frozen=True, slots=True)
class FaultRule:
    """`on` is a verb ("UID FETCH", "LOGIN") or "*".

    The `nth` match is the first that is hit; `times` is how many are, None for all that follow.
    """

    on: str
    do: FaultKind
    nth: int = 1
    mailbox: str | None = None
    text: str = "fault"
    times: int | None = 1

    @classmethod
    def from_json(cls, data: object) -> FaultRule:
        """A rule from its JSON form. FaultError: a field is unknown or of the wrong kind."""
        known = {"on", "do", "nth", "mailbox", "text", "times"}
        if not isinstance(data, dict):
            raise FaultError("a fault rule is an object")
        if not set(data) <= known:
            raise FaultError(f"a fault rule has the fields {', '.join(sorted(known))}")
        if not isinstance(data.get("on"), str) and data.get("do") != FaultKind.CERTIFICATE.value:
            raise FaultError("on: a command is wanted")
        if data.get("do") not in [kind.value for kind in FaultKind]:
            raise FaultError(f"do: one of {', '.join(kind.value for kind in FaultKind)} is wanted")
        nth, times, mailbox, text = data.get("nth", 1), data.get("times", 1), data.get("mailbox"), data.get("text", "fault")
        if not isinstance(nth, int) or nth < 1:
            raise FaultError("nth: a number from 1 is wanted")
        if times is not None and (not isinstance(times, int) or times < 1):
            raise FaultError("times: a number from 1 or null is wanted")
        if (mailbox is not None and not isinstance(mailbox, str)) or not isinstance(text, str):
            raise FaultError("mailbox and text: texts are wanted")
        return cls(str(data.get("on", "*")).upper(), FaultKind(data["do"]), nth, mailbox, text, times)


@dataclass(slots=True)
class _Counted:
    rule: FaultRule
    seen: int = 0

    def hits(self, verb: str, mailbox: str | None) -> bool:
        rule = self.rule
        if rule.on not in ("*", verb) or (rule.mailbox is not None and rule.mailbox != mailbox):
            return False
        self.seen += 1
        return self.seen >= rule.nth and (rule.times is None or self.seen < rule.nth + rule.times)


@dataclass(slots=True)
class FaultPlan:
    """All rules with what each has seen so far."""

    _rules: list[_Counted] = field(default_factory=list)

    def add(self, rule: FaultRule) -> None:
        """One more rule; it counts from now on."""
        self._rules.append(_Counted(rule))

    def clear(self) -> None:
        """No rules any more."""
        self._rules = []

    def hit(self, verb: str, mailbox: str | None) -> FaultRule | None:
        """The first rule that this command meets, or None. Every rule counts it."""
        hits = [counted.rule for counted in self._rules if counted.hits(verb, mailbox)]
        return hits[0] if hits else None
