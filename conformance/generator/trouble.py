"""Cases for a Bridge in trouble and for a busy server: the same for each tool that talks to Bridge."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from conformance.figures import Tool
from conformance.generator.draft_case import OK, Data, Terms, call, case, refused
from conformance.model import Json

READING: Final = ("LIST", "STATUS", "EXAMINE", "UID FETCH", "UID SEARCH", "NOOP")
HELD: Final = 68
_CONNECTION: Final = "product: connection to Bridge"
_KEYRINGS: Final = (
    (
        "empty",
        "CREDENTIAL_MISSING",
        "keyring.backends.null.Keyring",
        "The person must hear which of three things is wrong with the keyring.",
    ),
    ("none", "KEYRING_UNAVAILABLE", "keyring.backends.fail.Keyring", "A computer without a keyring is no wrong password."),
    ("locked", "KEYRING_LOCKED", "conformance.keyrings.locked.Keyring", "A locked keyring is no missing password."),
)
_NEVER_EMPTY: Final = "Trouble with Bridge that looks like an empty mailbox makes a person believe that there is nothing."
_OPEN: Final = call("mailbox_status", {}, OK)


def faults(act: str, *on: str, **more: Json) -> Data:
    """The control command that plants a fault on each of these commands, for as long as the case lasts."""
    return {"control": {"do": "faults", "rules": [{"on": one, "do": act, "times": None, **more} for one in on]}}


def trouble_cases(name: str, tool: Tool) -> Iterator[Data]:
    """Every refusal that speaks of the connection to Bridge, and of the server's own queue."""
    yield _busy(name, tool)
    if tool.connects or name == "begin_attachment_upload":
        yield _no_state_folder(name, tool)
    if tool.connects:
        yield from _no_connection(name, tool)
        yield from _no_login(name, tool)
        yield from _broken(name, tool)


def _busy(name: str, tool: Tool) -> Data:
    hold = {"hold": {"call": "mailbox_status", "with": {}, "times": HELD}}
    full = call(name, _harmless(tool), refused("busy"))
    terms = Terms(
        "A server that takes in calls without limit can be stopped by its own client.",
        "product: load, 4 calls run, 64 wait",
        allowed="read-only",
    )
    script = [faults("stall", "STATUS"), hold, full, {"release": True}, {"control": {"do": "clear-faults"}}, _OPEN]
    return case(f"{name}:queue:full", tool, script, terms)


def _no_state_folder(name: str, tool: Tool) -> Data:
    terms = Terms(
        "What can't be kept must be said: a pin that is lost would let the next listener on the port in.",
        "attack: state folder taken over, disk full",
        environment={"PROTON_MCP_STATE_DIR": "/dev/null/state"},
        allowed="none" if name == "begin_attachment_upload" else "read-only",
    )
    return case(f"{name}:state-folder:unusable", tool, [call(name, dict(tool.base), refused("state-folder-unusable")), _logins(0)], terms)


def _harmless(tool: Tool) -> dict[str, Json]:
    """Arguments that name nothing that must exist: a full queue answers before anything is looked up."""
    return {key: "0" * 32 if isinstance(value, str) and value.startswith("$") else value for key, value in tool.base.items()}


def _logins(count: Json) -> Data:
    return {"journal": {"kind": "command", "verb": "LOGIN"}, "count": count}


def _no_connection(name: str, tool: Tool) -> Iterator[Data]:
    ends_with = partial(call, name, dict(tool.base))
    closed = Terms(_NEVER_EMPTY, "seed: connection failures", environment={"PROTON_IMAP_PORT": "{closed_port}"}, allowed="none")
    yield case(f"{name}:bridge:not-listening", tool, [ends_with(refused("bridge-unreachable"))], closed)
    yield case(
        f"{name}:bridge:no-starttls",
        tool,
        [faults("no", "STARTTLS"), ends_with(refused("tls-required")), _logins(0)],
        Terms("A password that goes over an unencrypted connection belongs to whoever listens on the port.", _CONNECTION, fresh=True),
    )
    yield case(
        f"{name}:bridge:another-certificate",
        tool,
        [_OPEN, faults("certificate", "connect"), {"restart_server": True}, ends_with(refused("certificate-changed")), _logins(1)],
        Terms("Any local program can listen on the port while Bridge is down; the password must not reach it.", _CONNECTION, fresh=True),
    )


def _no_login(name: str, tool: Tool) -> Iterator[Data]:
    ends_with = partial(call, name, dict(tool.base))
    wrong: dict[str, Json] = {"PROTON_BRIDGE_PASSWORD": "not-the-password-of-this-account"}
    yield case(
        f"{name}:bridge:wrong-password",
        tool,
        [ends_with(refused("login-failed")), _logins({"$at_most": 2})],
        Terms("Bridge counts failed logins, so a loop would lock the person out.", _CONNECTION, environment=wrong),
    )
    yield case(
        f"{name}:bridge:silent-login",
        tool,
        [
            faults("drop", "LOGIN"),
            *2 * [call("mailbox_status", {}, refused("connection-lost"))],
            ends_with(refused("login-unanswered")),
            _logins(2),
        ],
        Terms("A peer that takes the password and says nothing must not be given it with every call.", _CONNECTION, fresh=True),
    )
    for variant, code, backend, reason in _KEYRINGS:
        environment: dict[str, Json] = {"PROTON_BRIDGE_PASSWORD": None, "PYTHONPATH": "{kit}", "PYTHON_KEYRING_BACKEND": backend}
        terms = Terms(reason, "product: no password stored, three codes", environment=environment)
        yield case(f"{name}:keyring:{variant}", tool, [ends_with(refused(code)), _logins(0)], terms)


def _broken(name: str, tool: Tool) -> Iterator[Data]:
    for variant, code, planted, reason in (
        ("refuses", "bridge-refused", faults("no", *READING, text="internal failure of the account"), _NEVER_EMPTY),
        ("drops", "connection-lost", faults("drop", *READING), _NEVER_EMPTY),
        ("babbles", "bad-response", faults("garbage", *READING), "What isn't IMAP must not be guessed at."),
    ):
        script = [_OPEN, planted, call(name, dict(tool.base), refused(code)), {"control": {"do": "clear-faults"}}, _OPEN]
        yield case(f"{name}:bridge:{variant}", tool, script, Terms(reason, "product: refusals, by who must act"))
