"""The cases are sound, and together they cover what the server publishes."""

import pytest

from conformance import adapter, coverage, lint, published
from conformance.library import all_cases

pytestmark = pytest.mark.xdist_group("coverage of the cases")


@pytest.fixture(scope="module")
def facts() -> published.Published:
    """What the server says about itself, through its command line."""
    return published.fetch(adapter.load())


def test_the_files_of_cases_are_sound() -> None:
    """House rule: closed schema, unique sorted ids, a reason and a source, fresh generated files."""
    assert list(lint.findings()) == []


def test_the_server_publishes_the_figures_of_the_seed(facts: published.Published) -> None:
    """Names, inputs, bounds, defaults and annotations are those of the founding documents."""
    assert list(published.differences(facts)) == []


def test_every_tool_bound_type_and_refusal_has_a_case(facts: published.Published) -> None:
    """A bound, a refusal or a result without a case is a promise that nobody checks."""
    assert list(coverage.uncovered(all_cases(), facts.tools, facts.described)) == []
