"""`proton-safe-mcp trust`: shows the certificate on Bridge's port beside the pinned one and pins it after a typed yes.

No password is sent. Only the person at a terminal can answer; a program without one is refused, so that no client does it alone.
"""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING, Final

from proton_safe.call import CONNECT_S, Call
from proton_safe.imap.trust import accept_certificate, observe_certificate
from proton_safe.refusals import Refusal

if TYPE_CHECKING:
    from proton_safe.config import Config

ANSWER: Final = "trust"
_STDOUT: Final = 1


class _SystemClock:
    def monotonic(self) -> float:
        return time.monotonic()

    def time(self) -> float:
        return time.time()


def ask(config: Config) -> int:
    """Show, ask, pin. Exit status 0 when the certificate on the port is the pinned one at the end, else 1."""
    try:
        seen = observe_certificate(config, Call(_SystemClock(), seconds=CONNECT_S))
        _say(f"certificate on 127.0.0.1:{config.imap_port}\n  {_grouped(seen.shown)}")
        pinned = "the pin file can't be read" if seen.damaged else "none" if seen.pinned is None else _grouped(seen.pinned)
        _say(f"pinned for this account and port\n  {pinned}")
        if seen.matches:
            _say("They are the same; nothing to do.")
            return 0
        if not sys.stdin.isatty():
            differs = "Nothing is pinned yet." if seen.pinned is None and not seen.damaged else "They differ."
            _say(f"{differs} Run this command in a terminal to decide.")
            return 1
        _say("Compare the first fingerprint with the SHA-256 of the certificate that Bridge exports (Settings, Advanced settings).")
        _say("Bridge makes a new certificate when it is installed anew.")
        _say(f"Type {ANSWER} to pin the certificate on the port, anything else to leave the pin alone: ", end="")
        if sys.stdin.readline().strip() != ANSWER:
            _say("Nothing was changed.")
            return 1
        accept_certificate(config, seen.shown, Call(_SystemClock(), seconds=CONNECT_S))
        _say("Pinned.")
    except Refusal as refusal:
        sys.stderr.write(f"proton-safe-mcp: {refusal.code.value}: {refusal.meaning.sentence}\n")
        return 1
    except BrokenPipeError:
        # Who should have read the fingerprints has gone: nothing is pinned unread. What is left is not tried again at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), _STDOUT)
        return 1
    return 0


def _grouped(fingerprint: str) -> str:
    """64 hexadecimal digits as pairs with colons, the way certificate viewers show them."""
    return ":".join(fingerprint[at : at + 2] for at in range(0, len(fingerprint), 2)).upper()


def _say(text: str, *, end: str = "\n") -> None:
    sys.stdout.write(text + end)
    sys.stdout.flush()
