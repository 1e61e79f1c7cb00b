"""Where the server has seen an address, so that a draft's receipt can say which recipients came out of somebody's mail.

In memory only, bounded, and never a permission: recipients stay the caller's explicit choice.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from proton_safe.addr_spec import folded

if TYPE_CHECKING:
    from proton_safe.config import Config

MAX_REMEMBERED: Final = 20_000


class Origin(StrEnum):
    """How an address is known to the server."""

    CONFIGURED = "configured"
    SENT = "sent-mail"
    HEADER = "message-header"
    BODY = "message-body"
    UNKNOWN = "not-seen"


_RANK: Final = (Origin.SENT, Origin.HEADER, Origin.BODY)


@dataclass(frozen=True, slots=True)
class Sighting:
    """The most trustworthy place where an address was shown; `folder` and `uid` name the message, where there is one."""

    origin: Origin
    folder: str | None = None
    uid: int | None = None


class Provenance:
    """Remembers the best sighting of each address. Thread-safe."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._seen: OrderedDict[str, Sighting] = OrderedDict()
        self._lock = threading.Lock()

    def shown(self, address: str, sighting: Sighting) -> None:
        """An address was shown to the client. A sighting never replaces a better one."""
        key = folded(address)
        with self._lock:
            known = self._seen.get(key)
            if known is None or _RANK.index(sighting.origin) < _RANK.index(known.origin):
                self._seen[key] = sighting
            self._seen.move_to_end(key)
            if len(self._seen) > MAX_REMEMBERED:
                self._seen.popitem(last=False)

    def of(self, address: str) -> Sighting:
        """What is known of an address: configured, seen in the person's own sent mail, seen elsewhere, or not at all."""
        if self._config.sender(address) is not None:
            return Sighting(Origin.CONFIGURED)
        with self._lock:
            return self._seen.get(folded(address), Sighting(Origin.UNKNOWN))
