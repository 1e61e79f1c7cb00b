"""Which UIDVALIDITY a uid was shown under, so that a renumbered mailbox never passes another mail off as the one shown.

RFC 3501 2.3.1.1: a uid names a message only together with its mailbox's UIDVALIDITY. Bridge renumbers wholesale after a repair or
a change of address mode.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, Final

from proton_safe.refusals import Code, Refusal

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_REMEMBERED: Final = 50_000


class References:
    """Remembers (mailbox, uid) → UIDVALIDITY for what was shown, the newest `MAX_REMEMBERED` of them. Thread-safe."""

    def __init__(self) -> None:
        self._shown: OrderedDict[tuple[str, int], int] = OrderedDict()
        self._lock = threading.Lock()

    def show(self, raw_name: str, uid_validity: int, uids: Iterable[int]) -> None:
        """These uids of this mailbox were shown under this validity."""
        with self._lock:
            for uid in uids:
                self._shown[(raw_name, uid)] = uid_validity
                self._shown.move_to_end((raw_name, uid))
            while len(self._shown) > MAX_REMEMBERED:
                self._shown.popitem(last=False)

    def check(self, raw_name: str, uid: int, *, current: int, claimed: int | None) -> None:
        """Refuse with `mailbox-changed` when the caller's or the remembered validity is not the current one."""
        with self._lock:
            shown = self._shown.get((raw_name, uid))
        if any(validity not in (None, current) for validity in (claimed, shown)):
            raise Refusal(Code.MAILBOX_CHANGED)
