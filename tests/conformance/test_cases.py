"""Every case of the suite as one test, in groups that share a server process."""

import pytest

from conformance.library import all_cases
from conformance.model import Case
from conformance.outcome import Verdict
from conformance.player import play
from conformance.session import chunks
from conformance.stand import Stand

_PARAMETERS = [
    pytest.param(case, id=case.id, marks=pytest.mark.xdist_group(f"cases {number}"))
    for number, chunk in enumerate(chunks(all_cases()))
    for case in chunk
]


@pytest.mark.case
@pytest.mark.parametrize("case", _PARAMETERS)
def test_the_server_does_what_the_case_says(case: Case, stand: Stand) -> None:
    """The case's own `source` says where its duty comes from; `python -m conformance explain ID` tells the rest."""
    outcome = play(case, stand)
    assert outcome.verdict is Verdict.PASSED, "\n".join([outcome.verdict.value, *outcome.findings, f"reason: {case.reason}"])
