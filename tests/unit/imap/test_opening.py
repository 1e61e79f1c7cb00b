"""What happens before the password is sent, and that it isn't sent when it must not be."""

from __future__ import annotations

import socket
import ssl
from typing import TYPE_CHECKING

import pytest

from fakebridge.tls import Certificate, make_certificate
from proton_safe.call import Call
from proton_safe.imap import tls
from proton_safe.imap.credentials import Credentials
from proton_safe.imap.pins import Pins, key
from proton_safe.imap.pool import Pool
from proton_safe.imap.trust import accept_certificate, observe_certificate
from proton_safe.refusals import Code, Refusal
from proton_safe.secret import Secret
from tests.unit.imap.conftest import PASSWORD, USER
from tests.unit.imap.scripted_bridge import Script, ScriptedBridge

if TYPE_CHECKING:
    from collections.abc import Callable

    from proton_safe.config import Config
    from tests.unit.imap.conftest import RealClock

LOGIN = f'LOGIN "{USER}" "{PASSWORD.reveal()}"'


def _refused(pool: Pool, call: Call) -> Refusal:
    with pytest.raises(Refusal) as raised, pool.connection(call):
        pass
    return raised.value


def test_the_password_goes_out_after_starttls_and_the_pin(pool: Pool, call: Call, bridge: ScriptedBridge, certificate: Certificate) -> None:
    """product.md 9: STARTTLS, certificate, LOGIN, in this order; nothing else is asked."""
    with pool.connection(call):
        pass
    assert bridge.commands == ["STARTTLS", LOGIN]
    assert Pins(pool._opening._config.state_dir).known(key(pool._opening._config)) == certificate.sha256


def test_a_greeting_without_capabilities_is_asked_for_them(pool: Pool, call: Call, bridge: ScriptedBridge) -> None:
    """RFC 3501 7.1: the code in the greeting is optional."""
    bridge.script.greeting = b"* OK ready\r\n"
    bridge.script.answers["CAPABILITY"] = b"* CAPABILITY IMAP4rev1 STARTTLS\r\nTAG OK done\r\n"
    with pool.connection(call):
        pass
    assert bridge.commands == ["CAPABILITY", "STARTTLS", LOGIN]


@pytest.mark.parametrize(
    "script",
    [
        Script(greeting=b"* OK [CAPABILITY IMAP4rev1 AUTH=PLAIN] hi\r\n"),
        Script(greeting=b"* OK hi\r\n", answers={"CAPABILITY": b"* CAPABILITY IMAP4rev1\r\nTAG OK\r\n"}),
        Script(greeting=b"* OK hi\r\n", answers={"CAPABILITY": b"TAG OK\r\n"}),
        Script(greeting=b"* PREAUTH [CAPABILITY IMAP4rev1 STARTTLS] hi\r\n"),
        Script(starttls=b"TAG NO not now\r\n"),
        Script(starttls=b"TAG BAD what\r\n"),
        Script(starttls=b"TAG OK go\r\n* OK injected\r\n"),
        Script(handshake=False),
    ],
    ids=["stripped", "stripped-later", "silent-later", "preauth", "refused", "bad", "octets-behind", "closed"],
)
def test_without_tls_no_password_is_sent(pool: Pool, call: Call, bridge: ScriptedBridge) -> None:
    """Attack catalogue, imap/starttls-stripped, starttls-refused, preauth."""
    assert _refused(pool, call).code is Code.TLS_REQUIRED
    assert not [command for command in bridge.commands if command.startswith("LOGIN")]


@pytest.mark.parametrize(
    "greeting, code",
    [
        (b"* BYE go away\r\n", Code.CONNECTION_LOST),
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", Code.BAD_RESPONSE),
        (b"* OK " + b"x" * 20_000 + b"\r\n", Code.BAD_RESPONSE),
        (b"\x16\x03\x03\x00\x02\r\n", Code.BAD_RESPONSE),
        (b"* 3 EXISTS\r\n", Code.BAD_RESPONSE),
        (b"\x00\x00\r\n", Code.BAD_RESPONSE),
    ],
    ids=["bye", "http", "long", "tls", "data", "nul"],
)
def test_an_odd_greeting_ends_at_once(pool: Pool, call: Call, bridge: ScriptedBridge, greeting: bytes, code: Code) -> None:
    """Attack catalogue, imap/greeting-odd."""
    bridge.script.greeting = greeting
    assert _refused(pool, call).code is code
    assert bridge.commands == []


def test_a_peer_that_never_greets_ends_at_the_deadline(pool: Pool, bridge: ScriptedBridge, clock: RealClock) -> None:
    """The call's own deadline, when it is nearer than the ten seconds of connecting."""
    bridge.script.greeting = b""
    assert _refused(pool, Call(clock, seconds=0.2)).code is Code.DEADLINE


def test_another_certificate_gets_no_password_until_the_person_accepts_it(
    account: Callable[..., Config], call: Call, clock: RealClock, certificate: Certificate
) -> None:
    """Attack catalogue, imap/other-local-listener: whoever listens on Bridge's port, the pin decides."""
    other = make_certificate()
    with ScriptedBridge(Script(), other) as impostor:
        config = account(impostor.port)
        accept_certificate(config, certificate.sha256, call)
        pool = Pool(config, Pins(config.state_dir), Credentials(config), clock)
        assert _refused(pool, call).code is Code.CERTIFICATE_CHANGED
        assert impostor.commands == ["STARTTLS"]
        seen = observe_certificate(config, call)
        assert (seen.shown, seen.pinned, seen.damaged, seen.matches) == (other.sha256, certificate.sha256, False, False)
        accept_certificate(config, seen.shown, call)
        assert observe_certificate(config, call).matches
        with pool.connection(call):
            pass
        assert impostor.commands == ["STARTTLS", "STARTTLS", "STARTTLS", "STARTTLS", LOGIN]
        pool.close()
        (config.state_dir / "pins.json").write_bytes(b"damaged")
        seen = observe_certificate(config, call)
        assert (seen.shown, seen.pinned, seen.damaged) == (other.sha256, None, True)


def test_nobody_listening_is_bridge_unreachable(account: Callable[..., Config], call: Call, clock: RealClock) -> None:
    """The port is closed: the person starts Bridge."""
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    config = account(port)
    assert _refused(Pool(config, Pins(config.state_dir), Credentials(config), clock), call).code is Code.BRIDGE_UNREACHABLE


def test_a_password_that_no_quoted_string_holds_goes_as_a_literal(
    account: Callable[..., Config], call: Call, clock: RealClock, bridge: ScriptedBridge
) -> None:
    """RFC 3501 6.2.3: both arguments are astrings."""
    config = account(bridge.port, Secret("schlüssel\r\nX1 LOGOUT"))
    pool = Pool(config, Pins(config.state_dir), Credentials(config), clock)
    with pool.connection(call):
        pass
    assert bridge.commands == ["STARTTLS", f'LOGIN "{USER}" <schlüssel\r\nX1 LOGOUT>']
    pool.close()


def test_nothing_older_than_tls_1_2_is_offered() -> None:
    """Whatever the computer's own policy says."""
    assert tls.client_context().minimum_version is ssl.TLSVersion.TLSv1_2
