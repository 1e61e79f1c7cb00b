"""What the jobs of the Makefile share that run for minutes: how far they are, one closing line, a status, nothing left after Ctrl-C."""

from __future__ import annotations

import signal
import sys
import traceback
from time import monotonic
from typing import TYPE_CHECKING, Final, NoReturn

from conformance.demo.screen import printable

if TYPE_CHECKING:
    from collections.abc import Callable

EVERY_S: Final = 5.0
FAILED: Final = 1
STOPPED: Final = 130
"""The exit status of a job that Ctrl-C or SIGTERM has ended: 128 and the number of SIGINT."""


class Progress:
    """Says on standard error how far a job is, every five seconds at most; standard output is for the result."""

    def __init__(self, what: str, wanted: int | None = None) -> None:
        self._what = what
        self._of = "" if wanted is None else f" of {wanted:,}"
        self._began = self._told = monotonic()

    def reached(self, done: int) -> None:
        """So many are through."""
        now = monotonic()
        if now - self._told >= EVERY_S:
            self._told = now
            sys.stderr.write(f"{done:,}{self._of} {self._what} after {now - self._began:.0f} s\n")
            sys.stderr.flush()


def untold(done: int) -> None:
    """For those who need not know how far it is."""


def run(job: str, work: Callable[[], int]) -> NoReturn:
    """Do the work and exit with its status.

    SIGTERM unwinds like Ctrl-C, so that each `with` on the way ends what it started. An error that nobody expected is shown, and fails.
    """
    signal.signal(signal.SIGTERM, _stop)
    signal.signal(signal.SIGINT, _stop)
    try:
        status = work()
    except KeyboardInterrupt:
        sys.stderr.write(f"\n{job}: stopped before its end; what it started has ended\n")
        status = STOPPED
    except Exception as error:  # noqa: BLE001 - whatever it was, the job ends with one line and a status
        # An error may quote what a peer or a mail said, which must not steer a terminal.
        sys.stderr.writelines(f"{printable(line)}\n" for line in traceback.format_exc().splitlines())
        sys.stderr.write(f"{job}: FAILED with {type(error).__name__}\n")
        status = FAILED
    sys.exit(status)


def _stop(*_: object) -> NoReturn:
    """Unwind, once: `make` and a terminal may both pass on the same Ctrl-C, and a second one would break the unwinding off."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _ignore)  # unlike SIG_IGN, no child that ends something inherits it
    raise KeyboardInterrupt


def _ignore(*_: object) -> None:
    """Every wait of an ending is bounded; what still hangs ends with SIGQUIT."""
