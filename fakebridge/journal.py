"""The evidence: every command, answer, flag change and outside event, typed and in order.

Entries are plain JSON objects with `n` counting from 1 and `kind` from `Kind`. Passwords and bodies never get here:
what is recorded is chosen
field by field where it happens.
"""

from __future__ import annotations

import json
from enum import StrEnum
from typing import TextIO

Entry = dict[str, object]


class Kind(StrEnum):
    """What an entry is about."""

    CONNECT = "connect"
    CLOSE = "close"
    TLS = "tls"
    LOGIN = "login"
    COMMAND = "command"
    ANSWER = "answer"
    FLAGS = "flags"
    APPEND = "append"
    SMTP = "smtp"
    EVENT = "event"
    FAULT = "fault"


class Journal:
    """An append-only list of entries, copied line by line into `sink` when there is one."""

    def __init__(self, sink: TextIO | None = None) -> None:
        self._entries: list[Entry] = []
        self._sink = sink
        self._stopped = False

    def record(self, kind: Kind | str, **fields: object) -> None:
        """Add one entry. Fields keep their order."""
        if self._stopped:
            return
        entry: Entry = {"n": len(self._entries) + 1, "kind": str(Kind(kind)), **fields}
        self._entries.append(entry)
        if self._sink is not None:
            self._sink.write(json.dumps(entry, ensure_ascii=True) + "\n")
            self._sink.flush()

    def entries(self, since: int = 0) -> list[Entry]:
        """All entries numbered above `since`."""
        return self._entries[since:]

    def stop(self) -> None:
        """Another world has its own journal now: what still ends in this one is written down nowhere."""
        self._stopped = True
