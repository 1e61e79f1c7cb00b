"""A fakebridge in a process of its own, asked over its control channel.

Own process: a test that hangs, forks or blocks its own event loop disturbs nothing, and workers side by side share nothing. Ports are the
system's choice.
"""

from __future__ import annotations

import base64
import contextlib
import json
import queue
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from email.message import EmailMessage
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from fakebridge.testing.worlds import World, small_world

ANSWER_S: Final = 60.0
"""How long one answer of the control channel may take."""

Entry = dict[str, Any]


class NotStarted(Exception):
    """The process did not come up; `str()` is what it said."""


class Refused(Exception):
    """A control command that cannot be carried out; `str()` names the field."""


@dataclass(frozen=True, slots=True)
class Message:
    """A message in a mailbox. `octets` is its length, `sha256` of the octets a client gets."""

    uid: int
    flags: tuple[str, ...]
    message_id: str
    subject: str
    recipients: tuple[str, ...]
    octets: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Sent:
    """A message that SMTP accepted: the envelope and the octets as the client gave them."""

    sender: str
    recipients: tuple[str, ...]
    literal: bytes


class FakeBridge:
    """A running process; make one with `start`. Not thread-safe."""

    host: Final = "127.0.0.1"

    def __init__(self, world: World | Path | None, options: Sequence[str]) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="fakebridge-")
        self._worlds = 0
        self._errors = Path(self._folder.name) / "stderr"
        command = [sys.executable, "-m", "fakebridge", "serve", "--control", "--world", str(self._written(world)), *options]
        with self._errors.open("wb") as errors:
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True)  # noqa: S603 - our own module
        self._lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        try:
            self._ready = self._answer()
        except NotStarted:
            self.close()
            raise

    # Who and where

    @property
    def imap_port(self) -> int:
        """The IMAP port on `host`; STARTTLS."""
        return int(self._ready["imap"])

    @property
    def smtp_port(self) -> int:
        """The SMTP port on `host`; STARTTLS. 0: SMTP is off."""
        return int(self._ready["smtp"])

    @property
    def addresses(self) -> tuple[str, ...]:
        """The account's addresses, the primary one first."""
        return tuple(self._ready["addresses"])

    @property
    def user(self) -> str:
        """The primary address: a user name for both protocols."""
        return self.addresses[0]

    @property
    def password(self) -> str:
        """The password of both protocols."""
        return str(self._ready["password"])

    @property
    def certificate_sha256(self) -> str:
        """The fingerprint of the certificate's DER form, lower-case hex."""
        return str(self._ready["certificate_sha256"])

    def certificate_pem(self) -> str:
        """The certificate, for `ssl.create_default_context(cadata=…)`; it is valid for 127.0.0.1."""
        return str(self.control("certificate")["pem"])

    # The account, from outside

    def reset(self, world: World | Path | None = None) -> None:
        """Drop all sessions and faults, load a world behind the same ports, begin the journal anew. Refused: the world's wrong field."""
        self._ready |= self.control("reset", world=str(self._written(world)))

    def deliver(self, message: str | bytes | EmailMessage, *, unread: bool = True) -> None:
        """A mail arrives in the account; clients see it at the next `poll`."""
        octets = message if isinstance(message, str) else bytes(message)
        text = octets if isinstance(octets, str) else octets.decode("utf-8", "surrogateescape")
        self.control("deliver", message=text, unread=unread)

    def poll(self) -> int:
        """Bridge asks the account for news now; how many messages changed."""
        return int(self.control("poll")["messages"])

    # Evidence

    def journal(self, *kinds: str) -> list[Entry]:
        """All entries since the start or `reset`, or those of some kinds ("command", "flags", "append", "fault"), in order."""
        entries: list[Entry] = self.control("journal")["entries"]
        return [entry for entry in entries if not kinds or entry["kind"] in kinds]

    def messages(self, mailbox: str) -> list[Message]:
        """What lies in a mailbox, in UID order. Refused: there is no such mailbox."""
        rows: list[Entry] = self.control("messages", mailbox=mailbox)["messages"]
        return [Message(**{**row, "flags": tuple(row["flags"]), "recipients": tuple(row["recipients"])}) for row in rows]

    def sink(self) -> list[Sent]:
        """What SMTP has accepted, in order."""
        rows: list[Entry] = self.control("sink")["messages"]
        return [Sent(row["sender"], tuple(row["recipients"]), base64.b64decode(row["literal"])) for row in rows]

    # Faults

    def fault(self, do: str, on: str | None = None, **fields: object) -> None:
        """One more fault: `fault("drop-in-literal", on="UID FETCH", octets=10)`. Refused: the field that is wrong."""
        rule = {"do": do, **({} if on is None else {"on": on}), **fields}
        self.faults([rule])

    def faults(self, rules: Iterable[Mapping[str, object]]) -> None:
        """More faults, as in a file of faults. Refused: none was taken, and which field is wrong."""
        self.control("faults", rules=[dict(rule) for rule in rules])

    def clear_faults(self) -> None:
        """No faults any more."""
        self.control("clear-faults")

    # The channel

    def control(self, do: str, **fields: object) -> Entry:
        """One command of the control channel (docs/fakebridge.md lists them); its answer. Refused: the answer's error."""
        if self._process.stdin is None or self._process.poll() is not None:
            raise Refused("the process has ended")
        self._process.stdin.write(json.dumps({"do": do, **fields}) + "\n")
        self._process.stdin.flush()
        answer = self._answer()
        if answer.pop("ok", False) is not True:
            raise Refused(str(answer.get("error")))
        return answer

    @property
    def is_running(self) -> bool:
        """Whether the process lives."""
        return self._process.poll() is None

    def close(self) -> None:
        """End the process. May be called again."""
        if self._process.stdin is not None:
            with contextlib.suppress(OSError):
                self._process.stdin.close()
        try:
            self._process.wait(ANSWER_S / 4)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait(ANSWER_S)
        self._folder.cleanup()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _written(self, world: World | Path | None) -> Path:
        if isinstance(world, Path):
            return world
        self._worlds += 1
        path = Path(self._folder.name) / f"world-{self._worlds}.json"
        path.write_text(json.dumps(small_world() if world is None else world), encoding="utf-8")
        return path

    def _read(self) -> None:
        if self._process.stdout is not None:
            with self._process.stdout:
                for line in self._process.stdout:
                    self._lines.put(line)
        self._lines.put("")

    def _answer(self) -> Entry:
        try:
            line = self._lines.get(timeout=ANSWER_S)
        except queue.Empty:
            raise NotStarted(f"no answer within {ANSWER_S:.0f} s") from None
        if not line:
            self._lines.put("")
            self._process.wait(ANSWER_S)
            said = self._errors.read_text(encoding="utf-8", errors="replace")
            raise NotStarted(said.strip() or "the process has ended")
        answer: Entry = json.loads(line)
        return answer


def start(
    world: World | Path | None = None,
    *,
    faults: Sequence[Mapping[str, object]] = (),
    seed: int | None = None,
    strict_rfc: bool = False,
    smtp: bool = True,
    switches: Mapping[str, object] | None = None,
) -> FakeBridge:
    """Start a process and wait until it listens; close it, or use it in a `with`.

    `world`: as data, as a file, or None for `small_world()`. `switches`: behaviour switches by name.
    NotStarted, Refused: what is wrong, and with which field.
    """
    options = [
        *(["--strict-rfc"] if strict_rfc else []),
        *([] if smtp else ["--no-smtp"]),
        *([] if seed is None else ["--seed", str(seed)]),
    ]
    for name, value in (switches or {}).items():
        options += ["--switch", f"{name}={json.dumps(value)}"]
    bridge = FakeBridge(world, options)
    try:
        bridge.faults(faults)
    except Refused:
        bridge.close()
        raise
    return bridge
