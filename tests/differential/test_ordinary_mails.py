"""A part of the 3,000 mails of `make differential`: every value is read as it was put in."""

from __future__ import annotations

from tests.differential.check import compare, told
from tests.differential.kinds import KINDS
from tests.differential.languages import CHARSETS
from tests.differential.ordinary import STRUCTURES, ordinary

# Spread over all charsets and structures: no divisor of either count.
STEP = 11
COUNT = 3_000


def test_what_is_read_is_what_was_put_in() -> None:
    """Subject, addresses, date, identifier, text and file names; no warning and no flag on any of them."""
    compared = compare(range(0, COUNT, STEP))
    assert list(told(compared.ours)) == []
    assert list(told(compared.unexplained)) == []
    assert compared.mails == len(range(0, COUNT, STEP))
    assert compared.values > compared.mails * 12


def test_every_kind_of_difference_is_met() -> None:
    """An explanation that explains nothing would hide the next difference."""
    mails = [ordinary(number) for number in range(0, COUNT, STEP)]
    assert {mail.charset for mail in mails} == set(CHARSETS)
    assert {mail.structure for mail in mails} == set(STRUCTURES)
    assert len({kind.name for kind in KINDS}) == len(KINDS)
