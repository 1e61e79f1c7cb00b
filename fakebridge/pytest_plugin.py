"""The pytest plugin: a fakebridge for each test, another one on demand, and the end of the journal under a test that failed.

Loaded by pytest wherever the package is installed: it must import nothing but the standard library, pytest and `fakebridge.testing`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pytest

from fakebridge.testing import FakeBridge, NotStarted, Refused, World, small_world, start

SHOWN: Final = 20
"""How many entries of the journal a failed test shows."""
SHOWN_WIDTH: Final = 200

Factory = Callable[..., FakeBridge]

_BRIDGES = pytest.StashKey[list[FakeBridge]]()


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker known."""
    config.addinivalue_line(
        "markers", "fakebridge(world=..., faults=...): the world and the faults that the `fakebridge` fixture begins with"
    )


@pytest.fixture
def fakebridge_world() -> World | Path:
    """The world that `fakebridge` serves; override it in a module, a class or a conftest."""
    return small_world()


@pytest.fixture
def fakebridge_faults() -> Sequence[Mapping[str, object]]:
    """The faults that `fakebridge` begins with; override it as above."""
    return ()


class _Kept:
    """One process for all tests of a worker, started when it is first needed and again if a test has ended it."""

    def __init__(self) -> None:
        self._bridge: FakeBridge | None = None

    def with_world(self, world: World | Path) -> FakeBridge:
        if self._bridge is not None and self._bridge.is_running:
            self._bridge.reset(world)
            return self._bridge
        self.close()
        self._bridge = _started(world)
        return self._bridge

    def close(self) -> None:
        if self._bridge is not None:
            self._bridge.close()
            self._bridge = None


def _started(world: World | Path | None, **options: Any) -> FakeBridge:  # noqa: ANN401 - what `start` takes
    try:
        return start(world, **options)
    except (NotStarted, Refused) as error:
        said = str(error)
    # Outside the handler, so that the reason stands alone.
    pytest.fail(f"fakebridge did not start: {said}", pytrace=False)


@pytest.fixture(scope="session")
def _fakebridge_process() -> Iterator[_Kept]:
    kept = _Kept()
    yield kept
    kept.close()


@pytest.fixture
def fakebridge(
    request: pytest.FixtureRequest,
    _fakebridge_process: _Kept,
    fakebridge_world: World | Path,
    fakebridge_faults: Sequence[Mapping[str, object]],
) -> FakeBridge:
    """A fakebridge with a fresh world, journal and no sessions. `@pytest.mark.fakebridge(world=…, faults=[…])` changes it for one test."""
    marker = request.node.get_closest_marker("fakebridge")
    wanted: dict[str, Any] = {"world": fakebridge_world, "faults": fakebridge_faults, **(marker.kwargs if marker else {})}
    try:
        bridge = _fakebridge_process.with_world(wanted["world"])
        bridge.faults(wanted["faults"])
        request.node.stash.setdefault(_BRIDGES, []).append(bridge)
        return bridge
    except Refused as error:
        said = str(error)
    pytest.fail(f"fakebridge: {said}", pytrace=False)


@pytest.fixture
def fakebridge_factory(request: pytest.FixtureRequest) -> Iterator[Factory]:
    """Starts more of them, each in a process of its own; takes what `fakebridge.testing.start` takes. They end with the test."""
    made: list[FakeBridge] = request.node.stash.setdefault(_BRIDGES, [])
    own: list[FakeBridge] = []

    def make(world: World | Path | None = None, **options: Any) -> FakeBridge:  # noqa: ANN401 - what `start` takes
        bridge = _started(world, **options)
        made.append(bridge)
        own.append(bridge)
        return bridge

    yield make
    for bridge in own:
        bridge.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """The end of each journal under a test that failed."""
    report = yield
    if report.when == "call" and report.failed:
        for bridge in item.stash.get(_BRIDGES, []):
            report.sections.append(_section(bridge))
    return report


def _section(bridge: FakeBridge) -> tuple[str, str]:
    try:
        entries = bridge.journal()
    except (Refused, NotStarted) as error:
        return "fakebridge journal", str(error)
    shown = [json.dumps(entry)[:SHOWN_WIDTH] for entry in entries[-SHOWN:]]
    return f"fakebridge journal, port {bridge.imap_port}, the last {len(shown)} of {len(entries)} entries", "\n".join(shown)
