"""A short run of the wire's fuzzer in each protocol version; `make fuzz-wire` plays 200,000 frames."""

from __future__ import annotations

import pytest

from tests.server.eras import VERSIONS
from tests.server.wire_fuzz import run


@pytest.mark.parametrize("version", VERSIONS)
def test_random_and_mutated_frames_break_nothing(version: str) -> None:
    """No crash, no hang, no growth, and whatever follows is served."""
    report = run(1_500, seed=20_260_728, version=version)
    assert report.frames == 1_500
    assert report.answers > 300
