"""Servers that are wrong on purpose fail exactly the cases that say so, and no other."""

import sys
from collections.abc import Callable
from typing import Final

import pytest

from conformance import adapter
from conformance.answer_rules import refusal_of
from conformance.coverage import ends
from conformance.library import all_cases, case_named, situation
from conformance.model import Case
from conformance.outcome import Verdict
from conformance.player import play
from conformance.session import SLOW
from conformance.stand import Stand

_LEFT_OUT: Final = "mailbox-not-found"
_BROKEN: Final = "tests.conformance.broken"

# module and argument -> which cases say that such a server must fail
_SERVERS: Final[dict[str, Callable[[Case], bool]]] = {
    "marks_as_read": lambda case: "no-flag-change" in case.flags,
    "coerces_digits": lambda case: "digits-as-text" in case.flags,
    f"leaves_out_a_code {_LEFT_OUT}": lambda case: any(expect.refused == _LEFT_OUT for _, expect in ends(case)),
}
_MOST_FAILING: Final = 8
_MOST_PASSING: Final = 48


def _spread(cases: list[Case], *, at_most: int) -> list[Case]:
    """So many cases, evenly out of all of them: a test can't take the minutes that all cases need. `run --server` plays them all."""
    step = max(1, -(-len(cases) // at_most))
    return cases[::step]


def _sample(must_fail: Callable[[Case], bool]) -> tuple[list[Case], list[Case]]:
    """Cases that must fail, and cases that must not, all in one situation so that one process can play most of them."""
    usual = situation(case_named("mailbox_status:counts:small-world"))
    cases = [case for case in all_cases() if situation(case) == usual and SLOW not in case.flags and not case.fresh]
    failing = [case for case in cases if must_fail(case)]
    passing = [case for case in cases if not must_fail(case)]
    return _spread(failing, at_most=_MOST_FAILING), _spread(passing, at_most=_MOST_PASSING)


@pytest.mark.parametrize(
    "server", [pytest.param(server, marks=pytest.mark.xdist_group(f"broken server {server}"), id=server) for server in _SERVERS]
)
def test_a_broken_server_fails_exactly_the_cases_that_say_so(server: str) -> None:
    """A suite that has never failed anybody proves nothing; one that fails for other reasons proves less."""
    must_fail, must_pass = _sample(_SERVERS[server])
    stand = Stand(adapter.load().with_command(f"{sys.executable} -m {_BROKEN}.{server}"))
    try:
        verdicts = {case.id: play(case, stand).verdict for case in (*must_pass, *must_fail)}
    finally:
        stand.close()
    assert len(must_fail) >= 3
    assert verdicts == dict.fromkeys((case.id for case in must_pass), Verdict.PASSED) | dict.fromkeys(
        (case.id for case in must_fail), Verdict.FAILED
    )


@pytest.fixture
def buggy() -> Stand:
    """A server with a planted bug, not started yet."""
    return Stand(adapter.load().with_command(f"{sys.executable} -m {_BROKEN}.planted_bug"))


def test_a_bug_of_the_server_is_answered_with_its_own_code_and_no_secret(buggy: Stand) -> None:
    """The code `internal-error` can't be shown by a sound server. Product: constant sentence, correlation id, nothing of the exception."""
    shown = case_named("list_sender_addresses:addresses:primary-first").model_dump(by_alias=True, exclude_unset=True)
    shown["script"][0]["expect"] = {"refused": "internal-error"}
    case = Case.model_validate(shown)
    try:
        outcome = play(case, buggy)
        assert (outcome.verdict, outcome.findings) == (Verdict.PASSED, ())
        assert play(case_named("mailbox_status:counts:small-world"), buggy).verdict is Verdict.PASSED
    finally:
        buggy.close()


def test_the_correlation_id_of_a_bug_stands_in_answer_and_log(buggy: Stand) -> None:
    """Whoever reports a bug can name the line of the log that belongs to it."""
    try:
        buggy.prepare(case_named("list_sender_addresses:addresses:primary-first"))
        (number,) = buggy.client.send_calls([("list_sender_addresses", {})])
        answer = buggy.client.wait(number, within_s=30)
        refusal = refusal_of(answer, buggy.forms.refusal_key)
        assert refusal is not None
        assert refusal.code == "internal-error"
        correlation = (answer.result or {})["_meta"]["proton-safe/refusal"]["correlation"]
        # The log is written before the answer, by another thread of this process it is read a moment later.
        buggy.client.close()
        assert correlation in buggy.client.stderr
        assert buggy.bridge.password not in buggy.client.stderr
    finally:
        buggy.close()
