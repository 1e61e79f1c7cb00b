"""Where cases are played: one simulated Bridge and one server process, kept from case to case as long as nothing is in doubt.

The server is started anew when world or environment differ, for cases marked `fresh`, and after any failure. The Bridge's world is
loaded anew for every case.
"""

from __future__ import annotations

import contextlib
import shutil
import socket
import tempfile
from pathlib import Path

from conformance.adapter import Adapter, Site
from conformance.answer_rules import Forms
from conformance.bridge import ROOT, Bridge, BridgeFault, account_of
from conformance.client import Client
from conformance.library import situation
from conformance.line_process import run_to_its_end
from conformance.model import Case, Json


class Stand:
    """One worker's processes. Not thread-safe: one case at a time."""

    def __init__(self, adapter: Adapter) -> None:
        self.adapter = adapter
        self._bridge: Bridge | None = None
        self._client: Client | None = None
        self._situation = ""
        self._folder: Path | None = None
        self._environment: dict[str, str] = {}
        self._site: Site | None = None
        self._secrets: tuple[str, ...] = ()
        # Bound and never listening: a port that refuses connections for as long as the stand exists.
        self._closed = socket.socket()
        self._closed.bind(("127.0.0.1", 0))
        self.forms = Forms({}, adapter.refusal_key)

    @property
    def bridge(self) -> Bridge:
        """The simulated Bridge. Raises BridgeFault before the first case."""
        if self._bridge is None:
            raise BridgeFault("no Bridge was started")
        return self._bridge

    @property
    def client(self) -> Client:
        """The session with the server. Raises BridgeFault before the first case."""
        if self._client is None:
            raise BridgeFault("no server was started")
        return self._client

    @property
    def secrets(self) -> tuple[str, ...]:
        """What no answer may hold: the password, the state folder, the home folder."""
        return self._secrets

    def prepare(self, case: Case) -> None:
        """Load the case's world and see to it that a server in the case's situation runs. Raises BridgeFault, ServerGone, NoAnswer."""
        if self._bridge is None:
            self._bridge = Bridge(case.world)
        if case.fresh or self._situation != situation(case):
            self._end_server()
        self._bridge.reset(case.world)
        if self._client is None:
            self._settle(case)
            self._start_server()

    def restart_server(self) -> None:
        """End the server and start it again with the same state folder and environment."""
        if self._client is not None:
            self._client.close()
        self._start_server()

    def failed_start(self, changes: dict[str, str]) -> tuple[int, str, str]:
        """A server beside the running one, with these variables and nothing to read: exit status, standard output, standard error.

        Raises BridgeFault before the first case.
        """
        if self._site is None:
            raise BridgeFault("no server was settled")
        environment = self._site.environment(self.adapter, {**changes})
        return run_to_its_end(self.adapter.command_line(), environment=environment, folder=str(ROOT))

    def alter_stored(self, octets: bytes) -> None:
        """Turn the last bit of each file of the state folder that holds exactly these octets. Raises BridgeFault when none does."""
        files = [] if self._folder is None else sorted(self._folder.glob("state/**/*"))
        found = [path for path in files if path.is_file() and path.stat().st_size == len(octets) and path.read_bytes() == octets]
        if not found:
            raise BridgeFault("no file of the state folder holds these octets")
        for path in found:
            with path.open("r+b") as file:
                file.seek(-1, 2)
                file.write(bytes([octets[-1] ^ 1]))

    def spoil(self, *, bridge: bool = False) -> None:
        """The next case must not meet this server; with `bridge`, nor this Bridge."""
        self._end_server()
        if bridge and self._bridge is not None:
            self._bridge.close()
            self._bridge = None

    def close(self) -> None:
        """End both processes and remove the folders."""
        self.spoil(bridge=True)
        self._closed.close()

    def _settle(self, case: Case) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="conformance-"))
        state, home = self._folder / "state", self._folder / "home"
        home.mkdir()
        site = Site(
            account_of(case.world), self.bridge.imap_port, self.bridge.password, str(state), str(home), self._closed.getsockname()[1]
        )
        changes: dict[str, Json] = case.environment
        self._site = site
        self._environment = site.environment(self.adapter, changes)
        self._secrets = (self.bridge.password, str(state), str(home))
        self._situation = situation(case)

    def _start_server(self) -> None:
        self._client = Client(self.adapter.command_line(), environment=self._environment, folder=str(ROOT))
        self._client.initialize()
        schemas = {tool["name"]: tool.get("outputSchema") for tool in self._client.tools()}
        self.forms = Forms(schemas, self.adapter.refusal_key)

    def _end_server(self) -> None:
        if self._client is not None:
            self._client.close()
            self._client = None
        self._situation = ""
        if self._folder is not None:
            with contextlib.suppress(OSError):
                shutil.rmtree(self._folder)
            self._folder = None
