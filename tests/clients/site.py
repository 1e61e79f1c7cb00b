"""Where one client is watched: a fresh fakebridge, a fresh state folder, and the command that starts a witnessed server."""

from __future__ import annotations

import contextlib
import json
import shutil
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

import fakebridge
from tests.fakebridge.running_bridge import FakeBridge

if TYPE_CHECKING:
    from collections.abc import Callable

    Entries = list[dict[str, Any]]

WORLD: Final = Path(fakebridge.__file__).parent / "data" / "demo" / "world.json"
WITNESS: Final = Path(__file__).parent / "witness.py"
WAIT_S: Final = 80
LEAVING_S: Final = 10
STEP_S: Final = 0.02


@dataclass(frozen=True, slots=True)
class Seen:
    """What the witness saw of one server process: its wire in order, and its end (None: it runs)."""

    from_client: tuple[dict[str, Any], ...]
    from_server: tuple[dict[str, Any], ...]
    end: dict[str, Any] | None


class Site:
    """A context: inside, clients may start servers with `command` and `environment`."""

    def __init__(self) -> None:
        self._stack = contextlib.ExitStack()
        self._since = 0

    def __enter__(self) -> Self:
        self._folder = Path(
            self._stack.enter_context(tempfile.TemporaryDirectory(prefix="proton-safe-clients-", ignore_cleanup_errors=True))
        )
        self._bridge = self._stack.enter_context(FakeBridge(WORLD))
        for name in ("state", "record", "home"):
            (self._folder / name).mkdir(mode=0o700)
        return self

    def __exit__(self, *_: object) -> None:
        # A server that is still ending, after Ctrl-C say, writes into the folder that goes.
        with contextlib.suppress(TimeoutError):
            _until(self._servers_ended, "", within_s=LEAVING_S)
        self._stack.close()

    @property
    def command(self) -> tuple[str, ...]:
        """What a client is told to start."""
        return sys.executable, str(WITNESS), str(self._folder / "record"), sys.executable, "-m", "proton_safe", "serve"

    @property
    def environment(self) -> dict[str, str]:
        """The server's settings, as a host's configuration would give them."""
        primary, *aliases = self._bridge.ready["addresses"]
        return {
            "PROTON_BRIDGE_USER": primary,
            "PROTON_BRIDGE_ALIASES": ",".join(aliases),
            "PROTON_IMAP_PORT": str(self._bridge.ready["imap"]),
            "PROTON_BRIDGE_PASSWORD": self._bridge.password,
            "PROTON_MCP_STATE_DIR": str(self._folder / "state"),
        }

    @property
    def home(self) -> Path:
        """A home folder for clients that write into theirs."""
        return self._folder / "home"

    def stall(self) -> None:
        """The next UID SEARCH is never answered."""
        self._since = len(self._bridge.journal())
        self._bridge.ask("fault", rule={"on": "UID SEARCH", "do": "stall"})

    def wait_until_stalled(self) -> None:
        """Wait for that UID SEARCH. Raises TimeoutError."""
        self._wait("Bridge never got a UID SEARCH", lambda entries: bool(_searching(entries)))

    def wait_until_dropped(self) -> None:
        """Wait until the connection on which it came is closed. Raises TimeoutError."""
        self._wait(
            "the connection of the cancelled call stayed open",
            lambda entries: _searching(entries) <= {entry["session"] for entry in entries if entry["kind"] == "close"},
        )

    def wait_until_all_closed(self) -> None:
        """Wait until no IMAP session is open any more. Raises TimeoutError."""
        self._since = 0
        self._wait("a connection to Bridge outlived the server", _all_closed)

    def journal(self, *kinds: str) -> Entries:
        """The Bridge's evidence of these kinds."""
        return self._bridge.journal(*kinds)

    def sent(self) -> list[Any]:
        """What was sent; nothing may be."""
        messages: list[Any] = self._bridge.ask("sink")["messages"]
        return messages

    def seen(self) -> list[Seen]:
        """What the witnesses saw so far, by order of start."""
        return [_read(path) for path in self._records()]

    def wait_until_servers_ended(self) -> None:
        """Wait until every witness has seen the end of its server. Raises TimeoutError."""
        _until(self._servers_ended, "a server outlived its client", within_s=WAIT_S)

    def keep(self, target: Path) -> None:
        """Copy the record of the wire, for someone who looks for a fault."""
        shutil.copytree(self._folder / "record", target, dirs_exist_ok=True)

    def _records(self) -> list[Path]:
        return sorted((self._folder / "record").glob("*.frames"))

    def _wait(self, otherwise: str, condition: Callable[[Entries], bool]) -> None:
        _until(lambda: condition(self._bridge.ask("journal", since=self._since)["entries"]), otherwise, within_s=WAIT_S)

    def _servers_ended(self) -> bool:
        return all(path.with_suffix(".end").exists() for path in self._records())


def _until(condition: Callable[[], bool], otherwise: str, *, within_s: float) -> None:
    pause, limit = threading.Event(), time.monotonic() + within_s
    while not condition():
        if time.monotonic() > limit:
            raise TimeoutError(otherwise)
        pause.wait(STEP_S)


def _searching(entries: Entries) -> set[Any]:
    return {entry["session"] for entry in entries if entry.get("verb") == "UID SEARCH"}


def _all_closed(entries: Entries) -> bool:
    return {row["session"] for row in entries if row["kind"] == "connect"} == {row["session"] for row in entries if row["kind"] == "close"}


def _read(path: Path) -> Seen:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    ended = path.with_suffix(".end")
    return Seen(
        tuple(json.loads(row["line"]) for row in rows if row["from"] == "client"),
        tuple(json.loads(row["line"]) for row in rows if row["from"] == "server"),
        json.loads(ended.read_text(encoding="utf-8")) if ended.exists() else None,
    )
