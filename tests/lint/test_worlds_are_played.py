"""Every world of fixtures is played in a case."""

from __future__ import annotations

from conformance.library import all_cases
from fixtures.mail.library import ON_DEMAND, WORLDS

FOR_PEOPLE = {"demo"}
"""The sample mailbox, which is there to be looked at."""


def test_every_world_is_played_in_a_case() -> None:
    """A world that no case plays in shows nothing."""
    assert {*WORLDS, *ON_DEMAND} - {case.world for case in all_cases()} == FOR_PEOPLE
