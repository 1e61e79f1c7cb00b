"""The simulated Bridge as a process: started once, given another world between cases, asked for its journal."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from conformance.line_process import Ended, LineProcess, Silent, inherited_environment
from conformance.model import Json
from conformance.worlds_at_hand import world_file

ROOT: Final = Path(__file__).resolve().parents[1]
ANSWER_S: Final = 60.0


class BridgeFault(Exception):
    """The simulated Bridge did not do what the suite asked for: the suite's own trouble, never the server's."""


@dataclass(frozen=True, slots=True)
class Account:
    """Who the server is configured as: the world's addresses that are enabled, the first one primary."""

    user: str
    aliases: tuple[str, ...]


def account_of(world: str) -> Account:
    """The account that a server is configured for in this world."""
    rows = json.loads(world_file(world).read_text(encoding="utf-8"))["addresses"]
    user, *aliases = [row["address"] for row in rows if row.get("enabled", True)]
    return Account(user, tuple(aliases))


class Bridge:
    """A running `fakebridge serve`. One control command at a time."""

    def __init__(self, world: str) -> None:
        command = (sys.executable, "-m", "fakebridge", "serve", "--world", str(world_file(world)), "--control")
        self._process = LineProcess(command, environment=inherited_environment(), folder=str(ROOT))
        try:
            ready = self._answer()
        except BridgeFault:
            self._process.close()
            raise
        self.imap_port: int = ready["imap"]
        self.password: str = ready["password"]
        self._since = 0

    def control(self, command: dict[str, Json]) -> dict[str, Json]:
        """Send one command and give its answer. Raises BridgeFault when it is refused."""
        self._process.write(json.dumps(command).encode() + b"\n")
        answer = self._answer()
        if answer.get("ok") is not True:
            raise BridgeFault(f"{command.get('do')}: {answer.get('error')}")
        if "imap" in answer:
            self.imap_port = answer["imap"]
        if "password" in answer:
            self.password = answer["password"]
        return answer

    def reset(self, world: str) -> None:
        """Load a world: all sessions and faults are gone, the journal counts from here."""
        self.control({"do": "reset", "world": str(world_file(world))})
        self._since = 0
        self._since = max((entry["n"] for entry in self.journal()), default=0)

    def journal(self) -> list[dict[str, Json]]:
        """The entries since the last reset, in order."""
        entries: list[dict[str, Json]] = self.control({"do": "journal", "since": self._since})["entries"]
        return entries

    def sent(self) -> list[Json]:
        """The messages that the SMTP side has accepted."""
        answer = self.control({"do": "sink"})
        return next((value for key, value in answer.items() if isinstance(value, list)), [])

    def close(self) -> None:
        """End the process."""
        self._process.close()

    def _answer(self) -> dict[str, Json]:
        try:
            answer = json.loads(self._process.next_line(within_s=ANSWER_S))
        except (Ended, Silent, ValueError) as trouble:
            raise BridgeFault(f"no answer from fakebridge: {trouble!r}; it wrote: {self._process.stderr[-2000:]}") from trouble
        if not isinstance(answer, dict):
            raise BridgeFault("an answer of fakebridge is no object")
        return answer
