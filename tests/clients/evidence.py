"""What the witnesses and the Bridge's journal say, whatever the client reported: the faults that no client would name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from mcp_types.methods import validate_server_result
from pydantic import ValidationError

from tests.clients.report import Row

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.clients.report import Report
    from tests.clients.site import Seen, Site

TOOLS: Final = 13
LEGACY: Final = "2025-11-25"
MODERN: Final = "2026-07-28"
CONNECTION_CLOSED: Final = -32000
_VERSION: Final = "io.modelcontextprotocol/protocolVersion"


def judge(client: str, version: str, expected: str, *, report: Report, site: Site) -> Row:
    """The row of one client that is through with its story. `expected` is the protocol version that it must have agreed on."""
    faults = list(report.faults)
    try:
        site.wait_until_servers_ended()
        site.wait_until_all_closed()
    except TimeoutError as late:
        faults.append(str(late))
    sessions = site.seen()
    faults += [fault for seen in sessions for fault in (*faults_of_wire(seen, expected), *faults_of_end(seen))]
    called = {name for seen in sessions for name in _called(seen)}
    if len(report.listed) != TOOLS or called != set(report.listed):
        faults.append(f"{len(report.listed)} tools were listed, {len(called)} were called")
    if report.protocol not in {"", expected}:
        faults.append(f"the client says that {report.protocol} was agreed on")
    faults += _of_the_bridge(site)
    notified = any(message.get("method") == "notifications/cancelled" for seen in sessions for message in seen.from_client)
    steps = report.validated + report.refused
    return Row(
        client=client,
        version=version,
        protocol=" ".join(sorted({said for seen in sessions for said in _agreed(seen)})),
        tools=f"{len(called)} of {len(report.listed)}",
        validated=f"{report.validated} of {steps}",
        refusals=str(report.refused),
        cancel=("by notification" if notified else "by going away") if report.cancelled else "no",
        progress=str(report.progress),
        close=f"{sum(not any(faults_of_end(seen)) for seen in sessions)} of {len(sessions)}" if report.closed else "no",
        notes=tuple(report.notes),
        faults=tuple(dict.fromkeys(faults)),
    )


def _agreed(seen: Seen) -> set[str]:
    """The protocol versions that one connection was served with."""
    by_handshake = {
        answer["result"]["protocolVersion"]
        for answer in _answers(seen, [message["id"] for message in seen.from_client if message.get("method") == "initialize"])
        if "result" in answer
    }
    by_envelope = {
        message["params"]["_meta"][_VERSION]
        for message in seen.from_client
        if "id" in message and _VERSION in (message.get("params", {}).get("_meta") or {})
    }
    return by_handshake | by_envelope


def _called(seen: Seen) -> list[str]:
    return [message["params"]["name"] for message in seen.from_client if message.get("method") == "tools/call"]


def _answers(seen: Seen, identifiers: list[Any]) -> list[dict[str, Any]]:
    return [message for message in seen.from_server if "method" not in message and message.get("id") in identifiers]


def faults_of_wire(seen: Seen, expected: str) -> Iterator[str]:
    """Each request has one answer of the form that its protocol wants; a cancelled one has none; the server asks nothing."""
    if (agreed := _agreed(seen)) != {expected}:
        yield f"agreed on {sorted(agreed)}, {expected} is wanted"
        return
    cancelled = [message["params"]["requestId"] for message in seen.from_client if message.get("method") == "notifications/cancelled"]
    requests = {message["id"]: message["method"] for message in seen.from_client if "method" in message and "id" in message}
    yield from ("the server sent a request" for message in seen.from_server if "method" in message and "id" in message)
    yield from ("a cancelled request was answered" for _ in _answers(seen, cancelled))
    answers = _answers(seen, list(requests))
    if len({answer["id"] for answer in answers}) != len(answers) or len(answers) != sum("method" not in row for row in seen.from_server):
        yield "an answer came twice or belongs to no request"
    for answer in answers:
        method = requests[answer["id"]]
        if "error" in answer and _came_too_late(seen, answer, list(requests)):
            continue
        if "error" in answer:
            yield f"{method} was answered with {answer['error']}"
            continue
        try:
            validate_server_result(method, expected, answer["result"])
        except (KeyError, ValidationError) as error:
            yield f"the answer to {method} has not the form of {expected}: {type(error).__name__}"


def _came_too_late(seen: Seen, answer: dict[str, Any], requests: list[Any]) -> bool:
    """Whether this says that the client went away before its last request was through, and the client did go away."""
    went = seen.end is not None and seen.end["input_ended"]
    return bool(went and answer["error"].get("code") == CONNECTION_CLOSED and answer["id"] == requests[-1])


def faults_of_end(seen: Seen) -> Iterator[str]:
    """A server ends by itself when its input does. One that was only asked what it speaks may be told to end."""
    end = seen.end
    if end is None:
        yield "a server never ended"
        return
    if end["status"] != 0 or end["stderr"]:
        yield f"a server ended with status {end['status']} and said: {end['stderr'][:1000]}"
    if _called(seen) and (end["signals"] or not end["input_ended"]):
        yield f"a server had to be ended with {end['signals']}"


def _of_the_bridge(site: Site) -> Iterator[str]:
    """One draft, no flag, nothing sent."""
    if len(site.journal("append")) != 1:
        yield f"{len(site.journal('append'))} messages were stored, one draft is wanted"
    if site.journal("flags"):
        yield "a flag was changed"
    if site.sent():
        yield "a message was sent"
