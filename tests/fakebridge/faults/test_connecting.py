"""Faults of greetings, capability lists and TLS, on the wire."""

from __future__ import annotations

import ssl
from datetime import UTC, datetime

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import rsa

from fakebridge.faults.rule import CERTIFICATES, FaultError, FaultRule
from tests.fakebridge.conftest import Stage
from tests.fakebridge.faults.test_answers import octets_until, octets_until_closed
from tests.fakebridge.talking import C, Closed, S, talk
from tests.fakebridge.worlds import PASSWORD, USER


def planned(stage: Stage, *rules: dict[str, object]) -> Stage:
    """The stage with these faults."""
    stage.bridge.ask("faults", rules=list(rules))
    return stage


def test_preauth_is_logged_in_without_a_password(stage: Stage) -> None:
    """attack-catalogue imap/preauth."""
    wire = planned(stage, {"do": "preauth"}).connect()
    talk(wire, S("* PREAUTH [CAPABILITY …] …"), C("a1 STATUS INBOX (MESSAGES)"), S('* STATUS "INBOX" (MESSAGES 3)'), S("a1 OK …"))
    assert [entry["do"] for entry in stage.bridge.journal("fault")] == ["preauth"]
    assert stage.bridge.journal("login") == []


def test_a_late_greeting_comes_after_its_time(stage: Stage) -> None:
    """attack-catalogue imap/greeting-odd."""
    wire = planned(stage, {"do": "greeting-late", "seconds": 0.3}).connect()
    assert wire.is_quiet(0.1)
    talk(wire, S("* OK …"), C("a1 NOOP"), S("a1 OK …"))


def test_an_absent_greeting_never_comes(stage: Stage) -> None:
    """The session is there all the same."""
    wire = planned(stage, {"do": "greeting-absent"}).connect()
    talk(wire, C("a1 NOOP"), S("a1 OK …"))


def test_starttls_is_neither_offered_nor_known(stage: Stage) -> None:
    """attack-catalogue imap/starttls-stripped: greeting, CAPABILITY, the answer to LOGIN, and the command."""
    wire = planned(stage, {"do": "starttls-not-offered"}).connect()
    lines = [str(wire.line()), *wire.ask("a1 CAPABILITY"), *wire.ask(f"a2 LOGIN {USER} {PASSWORD}")]
    assert not [line for line in lines if "STARTTLS" in line]
    assert "IMAP4rev1" in lines[0]
    talk(wire, C("a3 STARTTLS"), S("a3 BAD unknown command 'starttls'"))
    talk(stage.connect(), S("* OK [CAPABILITY … STARTTLS …"))


def test_a_capability_may_be_missing_everywhere(stage: Stage) -> None:
    """attack-catalogue imap/capability-lies."""
    wire = planned(stage, {"do": "capability-missing", "text": "uidplus"}).connect()
    lines = [str(wire.line()), *wire.ask("a1 CAPABILITY"), *wire.ask(f"a2 LOGIN {USER} {PASSWORD}")]
    assert not [line for line in lines if "UIDPLUS" in line]
    assert all("IDLE" in line for line in (lines[0], lines[1], lines[-1]))


@pytest.mark.parametrize(
    "rule,octets",
    [
        ({"do": "drop"}, b""),
        ({"do": "bye", "text": "full"}, b"* BYE full\r\n"),
        ({"do": "endless-line", "octets": 2_000_000}, b"* OK " + b"x" * 2_000_000),
        ({"do": "answer-lost"}, b""),
    ],
    ids=lambda value: value["do"] if isinstance(value, dict) else "",
)
def test_a_greeting_may_be_any_end(stage: Stage, rule: dict[str, object], octets: bytes) -> None:
    """attack-catalogue imap/greeting-odd, imap/reconnect-storm: `on` is CONNECT."""
    wire = planned(stage, {"on": "CONNECT", **rule}).connect()
    assert octets_until_closed(wire) == octets


def test_a_greeting_may_be_no_imap(stage: Stage) -> None:
    """attack-catalogue imap/greeting-odd: HTTP, NUL octets."""
    wire = planned(stage, {"on": "CONNECT", "do": "garbage", "text": "HTTP/1.1 400 Bad Request"}).connect()
    talk(wire, S("HTTP/1.1 400 Bad Request"), C("a1 NOOP"), S("a1 OK …"))
    wire = planned(stage, {"on": "CONNECT", "do": "octets", "text": "\x00", "octets": 0}).connect()
    assert octets_until(wire, b"\r\n").startswith(b"\x00* OK [CAPABILITY")


def test_a_handshake_may_be_stalled(stage: Stage) -> None:
    """OK to STARTTLS, then silence; other sessions are served."""
    wire = planned(stage, {"do": "tls-stall"}).connect()
    talk(wire, S("* OK …"), C("a1 STARTTLS"), S("a1 OK Begin TLS negotiation now"))
    wire.send(bytes.fromhex("16030100050100000100"))
    assert wire.is_quiet(0.2)
    talk(stage.connect(), S("* OK …"), C("b1 NOOP"), S("b1 OK …"))
    wire.close()


def test_a_handshake_may_be_refused(stage: Stage) -> None:
    """A fatal alert in place of the server's hello."""
    wire = planned(stage, {"do": "tls-refused"}).connect()
    talk(wire, S("* OK …"), C("a1 STARTTLS"), S("a1 OK Begin TLS negotiation now"))
    with pytest.raises(ssl.SSLError, match="HANDSHAKE_FAILURE"):
        wire.start_tls()
    talk(stage.connect(), S("* OK …"), C("a2 STARTTLS"), S("a2 OK …"))


def test_octets_may_be_injected_before_tls(stage: Stage) -> None:
    """A client must drop what came in the clear (NO STARTTLS, USENIX Security 2021); the handshake itself is sound."""
    wire = planned(stage, {"do": "octets-before-tls", "text": "* CAPABILITY IMAP4rev1\na2 OK done"}).connect()
    talk(wire, S("* OK …"), C("a1 STARTTLS"), S("a1 OK …"), S("* CAPABILITY IMAP4rev1"), S("a2 OK done"))
    wire.start_tls()
    talk(wire, C("a3 NOOP"), S("a3 OK …"))


@pytest.mark.parametrize("do,answer", [("no", "a1 NO fault"), ("bad", "a1 BAD fault"), ("garbage", "…no IMAP…"), ("answer", "fault")])
def test_starttls_may_be_answered_in_the_clear(stage: Stage, do: str, answer: str) -> None:
    """attack-catalogue imap/starttls-refused: NO, BAD, garbage, or OK and then plain text."""
    wire = planned(stage, {"on": "STARTTLS", "do": do}).connect()
    talk(wire, S("* OK …"), C("a1 STARTTLS"), S(answer), *([S("a1 OK done")] if do == "answer" else []), C("a2 NOOP"), S("a2 OK …"))


@pytest.mark.parametrize("do", ["drop", "bye"])
def test_starttls_may_end_the_connection(stage: Stage, do: str) -> None:
    """With or without a word."""
    wire = planned(stage, {"on": "STARTTLS", "do": do}).connect()
    talk(wire, S("* OK …"), C("a1 STARTTLS"), *([S("* BYE fault")] if do == "bye" else []), Closed())


def test_rules_of_one_moment_are_met_together(stage: Stage) -> None:
    """A late greeting of a server without STARTTLS."""
    wire = planned(stage, {"do": "greeting-late", "seconds": 0.05}, {"do": "starttls-not-offered"}).connect()
    assert "STARTTLS" not in str(wire.line())
    assert [entry["do"] for entry in stage.bridge.journal("fault")] == ["greeting-late", "starttls-not-offered"]


def test_a_capability_may_be_added_everywhere(stage: Stage) -> None:
    """attack-catalogue imap/capability-lies: LOGINDISABLED, CONDSTORE and the like."""
    wire = planned(stage, {"do": "capability-added", "text": "LOGINDISABLED"}).connect()
    lines = [str(wire.line()), *wire.ask("a1 CAPABILITY"), *wire.ask(f"a2 LOGIN {USER} {PASSWORD}")]
    assert [line for line in (lines[0], lines[1], lines[-1]) if "LOGINDISABLED" not in line] == []


@pytest.mark.parametrize("text", ["* OK no TLS today\na1 OK then", "\xff\xfe"])
def test_a_handshake_may_be_answered_in_the_clear(stage: Stage, text: str) -> None:
    """attack-catalogue imap/starttls-refused: OK, then plain text or garbage."""
    wire = planned(stage, {"do": "tls-in-the-clear", "text": text}).connect()
    talk(wire, S("* OK …"), C("a1 STARTTLS"), S("a1 OK Begin TLS negotiation now"))
    wire.send(bytes.fromhex("16030100050100000100"))
    assert octets_until_closed(wire) == text.encode("latin-1").replace(b"\n", b"\r\n") + b"\r\n"


def test_a_handshake_may_meet_a_closed_door(stage: Stage) -> None:
    """attack-catalogue imap/starttls-refused: OK, then the end."""
    wire = planned(stage, {"do": "tls-closed"}).connect()
    talk(wire, S("* OK …"), C("a1 STARTTLS"), S("a1 OK Begin TLS negotiation now"), Closed())


def test_an_old_version_of_tls_is_all_that_is_offered(stage: Stage) -> None:
    """attack-catalogue imap/starttls-refused: a client that wants TLS 1.2 finds nothing in common."""
    wire = planned(stage, {"do": "tls-old"}).connect()
    talk(wire, S("* OK …"), C("a1 STARTTLS"), S("a1 OK Begin TLS negotiation now"))
    with pytest.raises(ssl.SSLError, match="UNSUPPORTED_PROTOCOL"):
        wire.start_tls()


@pytest.mark.parametrize("variant", CERTIFICATES)
def test_each_sort_of_other_certificate_is_shown(stage: Stage, variant: str) -> None:
    """attack-catalogue imap/certificate-wrong; the next connection shows the own one again."""
    wire = planned(stage, {"do": "certificate", "text": variant}).connect()
    talk(wire, S("* OK …"), C("a1 STARTTLS"), S("a1 OK …"))
    wire.start_tls(any_strength=True)
    assert wire.certificate is not None
    shown = x509.load_der_x509_certificate(wire.certificate)
    key = shown.public_key()
    assert isinstance(key, rsa.RSAPublicKey)
    unlike = {
        "expired": shown.not_valid_after_utc < datetime.now(UTC),
        "localhost": "CN=localhost" in shown.subject.rfc4514_string(),
        "signed": shown.issuer != shown.subject,
        "short-key": key.key_size == 1024,
    }
    assert [name for name, is_so in unlike.items() if is_so] == ([] if variant == "other-key" else [variant])
    own = stage.connect()
    talk(own, S("* OK …"), C("a1 STARTTLS"), S("a1 OK …"))
    own.start_tls()
    assert own.certificate != wire.certificate


def test_a_certificate_of_no_known_sort_is_refused() -> None:
    """A misspelt variant would show one that differs in nothing but its key."""
    with pytest.raises(FaultError, match=r"text: one of other-key, expired, .* is wanted"):
        FaultRule.from_json({"do": "certificate", "text": "expird"})
