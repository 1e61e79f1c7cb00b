"""A part of the 3,000 mails of `make differential`: every value is read as it was put in."""

from __future__ import annotations

import pytest

from tests.differential.check import Compared, compare, told
from tests.differential.kinds import KINDS
from tests.differential.languages import CHARSETS
from tests.differential.ordinary import STRUCTURES, ordinary

# Spread over all charsets and structures: no divisor of either count.
STEP = 11
COUNT = 3_000
NUMBERS = (*range(0, COUNT, STEP), 1_458)
"""The last one has a file name whose sections end inside a character, which is rare."""


@pytest.fixture(scope="module")
def compared() -> Compared:
    """All of them, read once."""
    return compare(NUMBERS)


def test_what_is_read_is_what_was_put_in(compared: Compared) -> None:
    """Subject, addresses, date, identifier, text and file names; no warning and no flag on any of them."""
    assert list(told(compared.ours)) == []
    assert list(told(compared.unexplained)) == []
    assert compared.mails == len(NUMBERS)
    assert compared.values > compared.mails * 12


def test_every_kind_of_difference_is_met(compared: Compared) -> None:
    """An explanation that explains nothing would hide the next difference."""
    mails = [ordinary(number) for number in NUMBERS]
    assert {mail.charset for mail in mails} == set(CHARSETS)
    assert {mail.structure for mail in mails} == set(STRUCTURES)
    assert sorted({kind for kind, _ in compared.kinds}) == sorted(kind.name for kind in KINDS)
