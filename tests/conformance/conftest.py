"""One stand (simulated Bridge and server) for each worker of a test run."""

from collections.abc import Iterator

import pytest

from conformance import adapter
from conformance.stand import Stand


@pytest.fixture(scope="session")
def stand() -> Iterator[Stand]:
    """Where this worker plays its cases."""
    stand = Stand(adapter.load())
    yield stand
    stand.close()
