"""Faults of the SMTP side: what a rule does to a connection or a command, as values that the session obeys."""

from __future__ import annotations

from dataclasses import dataclass

from fakebridge.faults.kinds import FaultKind, Place
from fakebridge.faults.rule import FaultRule
from fakebridge.faults.verbs import SMTP_CONNECT
from fakebridge.journal import Kind
from fakebridge.smtp.submission import Submission


@dataclass(frozen=True, slots=True)
class Greeting:
    """How a connection begins: after how long, whether with a greeting, whether STARTTLS is there."""

    seconds: float = 0.0
    is_said: bool = True
    has_starttls: bool = True


class SmtpFaults:
    """The plan, asked for one session, every hit written down."""

    def __init__(self, submission: Submission, number: int) -> None:
        self._submission = submission
        self._number = number

    def greeting(self) -> Greeting:
        """For a new connection."""
        rules = self._submission.faults.hits((Place.GREETING,), SMTP_CONNECT)
        for rule in rules:
            self._note(rule, SMTP_CONNECT)
        kinds = {rule.do for rule in rules}
        return Greeting(
            seconds=max((rule.seconds for rule in rules), default=0.0),
            is_said=FaultKind.GREETING_ABSENT not in kinds,
            has_starttls=FaultKind.STARTTLS_NOT_OFFERED not in kinds,
        )

    def command(self, verb: str) -> FaultRule | None:
        """The rule that this command meets; ``on`` is then ``SMTP`` and the verb."""
        rule = self._submission.faults.hit(f"SMTP {verb}")
        if rule is not None:
            self._note(rule, f"SMTP {verb}")
        return rule

    def _note(self, rule: FaultRule, verb: str) -> None:
        self._submission.journal.record(Kind.FAULT, session=self._number, verb=verb, do=rule.do.value)


def reply(rule: FaultRule) -> str | None:
    """What is said in place of a command's answer; None: nothing."""
    if rule.do is FaultKind.NO:
        return f"554 5.0.0 Error: {rule.text}"
    if rule.do is FaultKind.BAD:
        return f"500 5.5.2 {rule.text}"
    return rule.text if rule.do is FaultKind.GARBAGE else None
