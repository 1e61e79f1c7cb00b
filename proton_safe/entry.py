"""The way into `serve`: claims the wire, answers what needs no engine, and loads the engine when a message needs it.

Hosts start every server that they know, so a server that is never used must cost next to nothing: until the engine is needed, nothing
is imported but the front door. Exit status: 0 after the client's leaving or SIGINT, SIGTERM, SIGHUP; 1 when the engine fails.
"""

from __future__ import annotations

import os
import signal
import sys

from proton_safe.protocol.descriptors import claim
from proton_safe.protocol.wire import Wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from proton_safe.config import Config
    from proton_safe.settings import ConfigError


# How long a thread that computes may keep the others from running: the wire's must answer a ping whatever the tools do.
SWITCH_S = 0.001


def serve(config: Config | None) -> NoReturn:
    """Serve one client and end the process. Without a `config`, the environment's settings hold; they must have been checked."""
    wire = Wire(claim())
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _leave)
    if wire.answer_alone():
        _with_engine(wire, config)
    os._exit(0)


def serve_managed(path: str) -> int:
    """Serve with the managed file's settings, which are read before anything is answered; 1 when they can't be used."""
    from pathlib import Path  # noqa: PLC0415 - environment mode does without it

    from proton_safe.settings import ConfigError, from_file  # noqa: PLC0415 - as above

    try:
        config = from_file(Path(path), os.environ)
    except ConfigError as error:
        return unusable(error)
    serve(config)


def unusable(error: ConfigError) -> int:
    """Tell the operator why the settings can't be used; the exit status."""
    sys.stderr.write(f"proton-safe-mcp: {error.code.value}: {error.sentence}\n")
    return 1


def _leave(*_: object) -> None:
    """Before the engine runs nothing exists that would have to be closed."""
    os._exit(0)


def _with_engine(wire: Wire, config: Config | None) -> NoReturn:
    """Load the engine and run it, while the wire goes on in a thread of its own; then end the process.

    The wire's thread may still wait for input that nobody will send; there is nothing left to tidy up.
    """
    import threading  # noqa: PLC0415 - only the engine needs it

    sys.setswitchinterval(SWITCH_S)

    threading.Thread(target=wire.go_on, name="wire", daemon=True).start()

    from proton_safe import log  # noqa: PLC0415 - as above

    log.quiet_libraries()
    status = 1
    try:
        from proton_safe.serving import serve as serve_engine  # noqa: PLC0415 - as above
        from proton_safe.settings import from_environment  # noqa: PLC0415 - as above
        from proton_safe.tools.catalog import Profile  # noqa: PLC0415 - as above

        serve_engine(wire, config or from_environment(os.environ), Profile.SAFE)
        status = 0
    finally:
        if status:
            # The process ends here whatever happened; its last word is an event, not a traceback.
            log.event(log.Level.ERROR, "engine-failed", at=log.places(sys.exc_info()[1] or RuntimeError()))
        os._exit(status)
