"""What playing a case came to."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """The four ways in which a case ends. Trouble of the suite or of the simulated Bridge is never charged to the server."""

    PASSED = "passed"
    FAILED = "failed"
    HANG = "hang"
    HARNESS_ERROR = "harness-error"


@dataclass(frozen=True, slots=True)
class Outcome:
    """A case's verdict and what was found, each as a sentence. `family`: of the attack that the case is a form of."""

    case_id: str
    tool: str
    verdict: Verdict
    findings: tuple[str, ...] = ()
    seconds: float = 0.0
    family: str | None = None
