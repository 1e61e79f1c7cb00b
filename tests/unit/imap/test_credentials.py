"""Where Bridge's password comes from, with real keyring backends that hold it in memory."""

from __future__ import annotations

import gc
import os
import socket
import sys
import threading
from typing import TYPE_CHECKING

import keyring
import pytest
from keyring.backends import fail
from keyring.errors import InitError, KeyringLocked

from proton_safe.call import KEYRING_S, Call, CallCancelled
from proton_safe.imap.credentials import Credentials
from proton_safe.platforms.keyring_backend import offer_session_bus
from proton_safe.refusals import Code, Refusal
from proton_safe.secret import Secret
from tests.unit.imap.memory_keyring import MemoryKeyring

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from keyring.backend import KeyringBackend

    from proton_safe.config import Config
    from tests.unit.imap.conftest import RealClock


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[KeyringBackend], None]]:
    """Make a backend the process's keyring for one test."""
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")
    before = keyring.get_keyring()
    yield keyring.set_keyring
    keyring.set_keyring(before)


class Noticed(Call):
    """A call that tells when somebody begins to wait for it."""

    def __init__(self, clock: RealClock, *, seconds: float) -> None:
        super().__init__(clock, seconds=seconds)
        self.noticed = threading.Event()

    def remaining(self, at_most: float | None = None) -> float:
        """As any call, and noticed."""
        self.noticed.set()
        return super().remaining(at_most)


def _code(credentials: Credentials, call: Call) -> Code:
    with pytest.raises(Refusal) as raised:
        credentials.secret(call)
    return raised.value.code


def test_the_configured_password_is_used_and_the_keyring_left_alone(
    account: Callable[..., Config], call: Call, install: Callable[[KeyringBackend], None]
) -> None:
    """product.md 14: PROTON_BRIDGE_PASSWORD is for tests and containers; it never changes."""
    backend = MemoryKeyring()
    install(backend)
    credentials = Credentials(account(1, Secret("given")))
    assert (credentials.secret(call), credentials.secret(call)) == (Secret("given"), Secret("given"))
    assert backend.asked == []


def test_the_stored_password_is_read_each_time_and_not_kept(
    account: Callable[..., Config], call: Call, install: Callable[[KeyringBackend], None]
) -> None:
    """The entry is shared with the published system: service proton-safe-mcp, name = address. Peer fault B25: none outlives its entry."""
    backend = MemoryKeyring()
    install(backend)
    backend.set_password("proton-safe-mcp", "ada@harbour.example", "stored")
    credentials = Credentials(account(1, None))
    assert (credentials.secret(call), credentials.secret(call)) == (Secret("stored"), Secret("stored"))
    assert backend.asked == [("proton-safe-mcp", "ada@harbour.example")] * 2
    backend.set_password("proton-safe-mcp", "ada@harbour.example", "newer")
    assert credentials.secret(call) == Secret("newer")
    assert not [held for held in gc.get_objects() if isinstance(held, Secret) and held.reveal() == "stored"]
    assert "newer" not in repr(credentials.secret(call))


@pytest.mark.parametrize(
    "backend, code",
    [
        (MemoryKeyring(), Code.CREDENTIAL_MISSING),
        (MemoryKeyring(KeyringLocked("canary")), Code.KEYRING_LOCKED),
        (MemoryKeyring(InitError("canary")), Code.KEYRING_UNAVAILABLE),
        (MemoryKeyring(OSError("canary")), Code.KEYRING_UNAVAILABLE),
        (MemoryKeyring(LookupError("canary")), Code.KEYRING_UNAVAILABLE),
        (fail.Keyring(), Code.KEYRING_UNAVAILABLE),  # type: ignore[no-untyped-call] # keyring leaves it untyped
    ],
)
def test_a_keyring_that_gives_nothing_says_why(
    account: Callable[..., Config], call: Call, install: Callable[[KeyringBackend], None], backend: KeyringBackend, code: Code
) -> None:
    """product.md 14: no entry, locked and no backend are three codes."""
    install(backend)
    assert _code(Credentials(account(1, None)), call) is code


def prompting(install: Callable[[KeyringBackend], None]) -> tuple[MemoryKeyring, threading.Event]:
    """A keyring with the account's password that asks somebody first, and what their answer sets."""
    backend, prompt = MemoryKeyring(), threading.Event()
    backend.prompt = prompt
    backend.set_password("proton-safe-mcp", "ada@harbour.example", "stored")
    install(backend)
    return backend, prompt


def test_an_unanswered_prompt_ends_by_the_deadline_and_is_asked_once(
    account: Callable[..., Config], clock: RealClock, install: Callable[[KeyringBackend], None]
) -> None:
    """A prompt may stay open for ever; calls do not pile up prompts, and whoever waits when it is answered has the answer."""
    backend, prompt = prompting(install)
    credentials = Credentials(account(1, None))
    short = Call(clock, seconds=0.2)
    assert _code(credentials, short) in {Code.KEYRING_LOCKED, Code.DEADLINE}
    cancelled = Call(clock, seconds=KEYRING_S)
    threading.Timer(0.05, cancelled.cancel).start()
    with pytest.raises(CallCancelled):
        credentials.secret(cancelled)
    waiting = Noticed(clock, seconds=30)
    told: list[Secret] = []
    waiter = threading.Thread(target=lambda: told.append(credentials.secret(waiting)))
    waiter.start()
    assert waiting.noticed.wait(30)
    prompt.set()
    waiter.join(30)
    assert told == [Secret("stored")]
    assert len(backend.asked) == 1


def test_an_answer_that_nobody_waits_for_is_not_kept(
    account: Callable[..., Config], clock: RealClock, call: Call, install: Callable[[KeyringBackend], None]
) -> None:
    """A prompt that is answered after its call has ended gives no later call a password that was renewed meanwhile."""
    backend, prompt = prompting(install)
    credentials = Credentials(account(1, None))
    assert _code(credentials, Call(clock, seconds=0.2)) in {Code.KEYRING_LOCKED, Code.DEADLINE}
    asking = [thread for thread in threading.enumerate() if thread.name == "keyring"]
    prompt.set()
    for thread in asking:
        thread.join(30)
    backend.set_password("proton-safe-mcp", "ada@harbour.example", "newer")
    assert credentials.secret(call) == Secret("newer")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="session buses are Linux")
@pytest.mark.parametrize(
    "known, there, offered", [(None, True, True), ("", True, True), ("unix:abstract=x", True, False), (None, False, False)]
)
def test_the_session_bus_is_named_where_a_desktop_left_it_out(tmp_path: Path, known: str | None, there: bool, offered: bool) -> None:
    """product.md 14: set when unset and the user's bus socket exists; never otherwise."""
    folder = tmp_path / str(os.getuid())
    folder.mkdir()
    environment = {} if known is None else {"DBUS_SESSION_BUS_ADDRESS": known}
    before = dict(environment)
    with socket.socket(socket.AF_UNIX) as bus:
        if there:
            bus.bind(str(folder / "bus"))
        else:
            (folder / "bus").touch()
        offer_session_bus(environment, runtime_folders=tmp_path)
    assert environment == ({"DBUS_SESSION_BUS_ADDRESS": f"unix:path={folder / 'bus'}"} if offered else before)
