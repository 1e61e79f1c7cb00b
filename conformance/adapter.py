"""How one server is started and told about the account: a file in `adapters/`, so that the suite can judge any server."""

from __future__ import annotations

import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from conformance.bridge import Account
from conformance.line_process import inherited_environment
from conformance.model import Closed, Json

FOLDER: Final = Path(__file__).with_name("adapters")
DEFAULT: Final = "proton-safe"


class Adapter(Closed):
    """One server: command lines with `{python}`, and environment variables with the placeholders of `Site`."""

    about: str
    name: str
    command: list[str]
    describe: list[str]
    environment: dict[str, str]
    refusal_key: str

    def command_line(self) -> list[str]:
        """The command that serves over STDIO."""
        return [part.replace("{python}", sys.executable) for part in self.command]

    def describe_line(self) -> list[str]:
        """The command that prints tools and refusals as JSON."""
        return [part.replace("{python}", sys.executable) for part in self.describe]

    def with_command(self, command: str | None) -> Adapter:
        """The same adapter with another server command, written as in a shell; None changes nothing."""
        return self if command is None else self.model_copy(update={"command": shlex.split(command)})


@dataclass(frozen=True, slots=True)
class Site:
    """What one server process is told: account, port, password, and the folders that are its own."""

    account: Account
    imap_port: int
    password: str
    state: str
    home: str
    closed_port: int

    def environment(self, adapter: Adapter, changes: dict[str, Json]) -> dict[str, str]:
        """The process's whole environment: inherited, adapter, then the case's changes (null unsets; texts may hold placeholders)."""
        known = {
            "user": self.account.user,
            "aliases": ",".join(self.account.aliases),
            "imap_port": str(self.imap_port),
            "password": self.password,
            "state": self.state,
            "home": self.home,
            "closed_port": str(self.closed_port),
            "kit": str(FOLDER.parents[1]),
        }
        merged = {**inherited_environment(), **adapter.environment, **changes}
        return {key: _filled(str(value), known) for key, value in merged.items() if value is not None}


def _filled(text: str, known: dict[str, str]) -> str:
    for name, value in known.items():
        text = text.replace("{" + name + "}", value)
    return text


def load(name: str = DEFAULT) -> Adapter:
    """The adapter of that name, or at that path."""
    path = Path(name) if name.endswith(".json") else FOLDER / f"{name}.json"
    return Adapter.from_file(path)
