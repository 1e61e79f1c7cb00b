"""The fault plan: which rule meets which moment. Rules are counted as commands and connections come.

The mail store never knows of faults; servers ask the plan.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from fakebridge.faults.kinds import FaultKind, Place
from fakebridge.faults.rule import FaultRule

COMMAND = (Place.INSTEAD, Place.AFTER)
"""The places of what befalls a command."""


@dataclass(slots=True)
class _Counted:
    rule: FaultRule
    seen: int = 0

    def hits(self, verb: str, mailbox: str | None, sent: int) -> bool:
        rule = self.rule
        if not _is_meant(rule, verb) or (rule.mailbox is not None and rule.mailbox != mailbox) or sent < rule.after_octets:
            return False
        self.seen += 1
        return self.seen >= rule.nth and (rule.times is None or self.seen < rule.nth + rule.times)


def _is_meant(rule: FaultRule, verb: str) -> bool:
    if rule.on == "*":
        # Any IMAP command; a greeting is none.
        return verb != "CONNECT" and not verb.startswith("SMTP ")
    return rule.on == verb or (rule.do is FaultKind.LOGIN_REFUSED and verb == "AUTHENTICATE" and rule.on == "LOGIN")


@dataclass(slots=True)
class FaultPlan:
    """All rules with what each has seen so far."""

    _rules: list[_Counted] = field(default_factory=list)

    def add(self, rules: Iterable[FaultRule]) -> None:
        """More rules; they count from now on."""
        self._rules += [_Counted(rule) for rule in rules]

    def clear(self) -> None:
        """No rules any more."""
        self._rules = []

    def hits(self, places: tuple[Place, ...], verb: str, *, mailbox: str | None = None, sent: int = 0) -> list[FaultRule]:
        """All rules that this moment meets, in their order. Every rule of these places counts it. `sent`: octets on the connection."""
        return [counted.rule for counted in self._rules if counted.rule.place in places and counted.hits(verb, mailbox, sent)]

    def hit(self, verb: str, *, mailbox: str | None = None, sent: int = 0) -> FaultRule | None:
        """The first rule that this command meets, or None."""
        hits = self.hits(COMMAND, verb, mailbox=mailbox, sent=sent)
        return hits[0] if hits else None
