"""Puts a server together out of its settings and runs it to its end, which is bounded whatever a call may be stuck in."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from proton_safe import log
from proton_safe.config import Config
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
    from proton_safe.protocol.wire import Wire

_NOBODY: Final = Config(user="nobody@proton.example", aliases=(), imap_port=1, password=None, state_dir=Path(os.devnull))
CLOSING_S: Final = 1.0
LEAVING_S: Final = 2.0


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


def serve(wire: Wire, config: Config, profile: Profile) -> None:
    """Serve one client until it leaves or a signal comes; then connections, children and staged bytes are gone."""
    engine = assemble(config)
    engine.staging.start()
    log.event(log.Level.INFO, "engine-started", profile=profile.value)
    try:
        run(wire, Dispatch(catalogue(profile), engine), Identity(INSTRUCTIONS), stopping=lambda: _bound_the_end(engine))
    finally:
        engine.close()
        log.event(log.Level.INFO, "ended")


def front_door_table(profile: Profile) -> dict[str, Any]:
    """What the front door must answer for this profile, as the engine answers it. No setting stands in it."""
    from proton_safe.protocol.recording import recorded  # noqa: PLC0415 - no running server records

    dispatch = Dispatch(catalogue(profile), assemble(_NOBODY), max_calls=0)
    return recorded(dispatch, Identity(INSTRUCTIONS))


def _bound_the_end(engine: Engine) -> None:
    """If calls don't let go within a second, close what they use under them; leave a second later in any case."""
    for seconds, action in ((CLOSING_S, engine.close), (LEAVING_S, _leave)):
        timer = threading.Timer(seconds, action)
        timer.daemon = True
        timer.start()


def _leave() -> None:
    log.event(log.Level.WARNING, "left-with-a-call-stuck")
    os._exit(0)
