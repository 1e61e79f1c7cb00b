"""The real server in front of served mails. Each answer is judged by the suite's rules before anybody looks at what it says."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, Self

from conformance import adapter as adapters
from conformance.adapter import Site
from conformance.answer_rules import Forms, form_faults, refusal_of, secret_faults
from conformance.bridge import ROOT, Bridge, account_of
from conformance.client import Client
from conformance.evidence import offences
from tests.served import mailbox

ANSWER_S: Final = 80.0
"""Longer than the server may take for any call, so that a busy machine doesn't look like a hang."""
PING_S: Final = 30.0
PAGE: Final = 100
OUR_FAULT: Final = "internal-error"
NO_PORT: Final = 1


class Broken(Exception):
    """The server did what no mail may make it do; `str()` says what."""


class Reader:
    """One simulated Bridge and one server, kept while mails are loaded one set after the other.

    Raises Broken for an answer that breaks a rule, `internal-error`, or flags that changed; NoAnswer for a hang; ServerGone for a
    server that has ended.
    """

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="served-"))
        self._world = str(self._folder / "world")
        mailbox.write([], Path(self._world))
        self._adapter = adapters.load()
        self._bridge = Bridge(self._world)
        self._client: Client | None = None
        self._forms = Forms({}, self._adapter.refusal_key)
        self._secrets: tuple[str, ...] = ()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end_server()
        self._bridge.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def load(self, mails: Sequence[bytes]) -> None:
        """Let INBOX hold these mails, UID 1 first. The server is kept; its connection is not."""
        shutil.rmtree(self._world)
        mailbox.write(mails, Path(self._world))
        self._bridge.reset(self._world)

    def start_anew(self) -> None:
        """Both processes end, whatever state they are in; the next load and call meet new ones."""
        self.end_server()
        self._bridge.close()
        # The certificate of the Bridge that is gone is pinned there.
        shutil.rmtree(self._folder / "state", ignore_errors=True)
        mailbox.write([], Path(self._world))
        self._bridge = Bridge(self._world)

    def end_server(self) -> None:
        """The next call starts another one."""
        if self._client is not None:
            self._client.close()
            self._client = None

    @property
    def client(self) -> Client:
        """The session, started when it is first needed."""
        if self._client is None:
            state, home = self._folder / "state", self._folder / "home"
            home.mkdir(exist_ok=True)
            site = Site(account_of(self._world), self._bridge.imap_port, self._bridge.password, str(state), str(home), NO_PORT)
            self._client = Client(self._adapter.command_line(), environment=site.environment(self._adapter, {}), folder=str(ROOT))
            self._client.initialize()
            self._forms = Forms({tool["name"]: tool.get("outputSchema") for tool in self._client.tools()}, self._adapter.refusal_key)
            self._secrets = (self._bridge.password, str(state), str(home))
        return self._client

    def call(self, tool: str, **arguments: object) -> tuple[str, dict[str, Any]]:
        """One call: ('', the structured result) or (the refusal's code, nothing)."""
        (number,) = self.client.send_calls([(tool, arguments)])
        answer = self.client.wait(number, within_s=ANSWER_S)
        if faults := [*form_faults(tool, answer, self._forms), *secret_faults(answer.line.decode(), self._secrets, where="an answer")]:
            raise Broken(f"{tool}: {'; '.join(faults[:3])}")
        refusal = refusal_of(answer, self._forms.refusal_key)
        if refusal is not None:
            if refusal.code == OUR_FAULT:
                raise Broken(f"{tool} answered {OUR_FAULT}")
            return refusal.code, {}
        if answer.result is None:
            raise Broken(f"{tool} ended with a protocol error")
        structured: dict[str, Any] = answer.result["structuredContent"]
        return "", structured

    def result(self, tool: str, **arguments: object) -> dict[str, Any]:
        """The result of a call that no mail may make refused. Raises Broken."""
        code, structured = self.call(tool, **arguments)
        if code:
            raise Broken(f"{tool} was refused with {code}")
        return structured

    def rows(self) -> dict[int, dict[str, Any]]:
        """Every row of INBOX by UID, over all pages. Raises Broken when a page does not go on, or shows a row again."""
        found: dict[int, dict[str, Any]] = {}
        cursor: dict[str, str] = {}
        while True:
            page = self.result("list_messages", limit=PAGE, **cursor)
            fresh = {int(row["uid"]): row for row in page["messages"]}
            if not fresh.keys().isdisjoint(found) or len(fresh) != len(page["messages"]):
                raise Broken("a row is listed twice")
            found |= fresh
            if page["next_cursor"] is None:
                return found
            if not fresh:
                raise Broken("a page without rows has a next one")
            cursor = {"cursor": page["next_cursor"]}

    def check(self) -> None:
        """What holds after any mail. Raises Broken: the ping, standard error, the journal say otherwise."""
        if self.client.wait(self.client.send("ping", {}), within_s=PING_S).result is None:
            raise Broken("ping was answered with an error")
        if said := [*self._said()]:
            raise Broken("; ".join(said[:3]))

    def _said(self) -> Iterator[str]:
        yield from self.client.faults
        if self.client.stderr:
            yield f"standard error is not empty: {self.client.stderr[-300:]!r}"
        yield from offences(self._bridge.journal(), allowed="read-only")
        if self._bridge.sent():
            yield "a message was sent"
