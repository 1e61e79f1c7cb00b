"""Puts a server together out of its settings and runs it to its end."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from proton_safe.engine import Engine
from proton_safe.extract.extractor import Extractor
from proton_safe.imap.credentials import Credentials
from proton_safe.imap.pins import Pins
from proton_safe.imap.pool import Pool
from proton_safe.protocol.dispatch import Dispatch
from proton_safe.protocol.server import Identity, run
from proton_safe.provenance import Provenance
from proton_safe.references import References
from proton_safe.staging.store import StagingStore
from proton_safe.tools.catalog import Profile, catalogue
from proton_safe.tools.instructions import INSTRUCTIONS

if TYPE_CHECKING:
    from proton_safe.config import Config
    from proton_safe.protocol.wire import Descriptors


class SystemClock:
    """The computer's own clock."""

    def monotonic(self) -> float:
        """Seconds that only grow."""
        return time.monotonic()

    def time(self) -> float:
        """Seconds since 1970, UTC."""
        return time.time()


def assemble(config: Config) -> Engine:
    """The parts of one server. Opens nothing: connections, children and folders are made on first use."""
    clock = SystemClock()
    return Engine(
        config=config,
        clock=clock,
        pool=Pool(config, Pins(config.state_dir), Credentials(config), clock),
        staging=StagingStore(config, clock),
        extractor=Extractor(clock),
        references=References(),
        provenance=Provenance(config),
    )


def serve(descriptors: Descriptors, config: Config, profile: Profile) -> None:
    """Serve one client until it leaves or a signal comes; then connections, children and staged bytes are gone."""
    engine = assemble(config)
    try:
        run(descriptors, Dispatch(catalogue(profile), engine), Identity(INSTRUCTIONS))
    finally:
        engine.close()
