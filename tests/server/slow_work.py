"""The slow kinds of work, each started and known to be under way, and what must be left of them: nothing."""

from __future__ import annotations

import base64
import contextlib
import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from conformance.bombs import bomb
from tests.waiting import until

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.server.conftest import FakeBridge
    from tests.server.stdio import Stdio

_CHUNK: Final = b"%PDF-1.7\n" + b"x" * 100_000


def descendants(pid: int) -> set[int]:
    """The living processes under this one. A thread that ends while it is looked at makes the look begin anew."""
    while True:
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            tasks = tuple(Path(f"/proc/{pid}/task").glob("*/children"))
            children = {int(child) for task in tasks for child in task.read_text(encoding="ascii").split()}
            return children.union(*map(descendants, children))


def lives(pid: int) -> bool:
    """Whether a process is there and more than a zombie."""
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    except (FileNotFoundError, ProcessLookupError):
        return False


def connections(bridge: FakeBridge) -> int:
    """How many sessions are open at Bridge."""
    entries = bridge.ask(do="journal")["entries"]
    return len({entry["session"] for entry in entries if entry["kind"] == "connect"}) - len(
        {entry["session"] for entry in entries if entry["kind"] == "close"}
    )


def staged(state: Path) -> list[str]:
    """What lies in the folder for uploads."""
    return sorted(str(path.relative_to(state)) for path in state.glob("uploads/**/*"))


@dataclass(frozen=True, slots=True)
class Work:
    """One kind of slow work. `start` asks for it under the id "slow" and returns once it is under way."""

    name: str
    start: Callable[[FakeBridge, Stdio], None]


def _stalled(bridge: FakeBridge, verb: str, nth: int) -> Callable[[], bool]:
    bridge.ask(do="faults", rules=[{"on": verb, "nth": nth, "do": "stall", "times": 1}])
    return lambda: any(entry["verb"] == verb for entry in bridge.journal("fault"))


def _search(bridge: FakeBridge, server: Stdio) -> None:
    stalled = _stalled(bridge, "UID SEARCH", 1)
    server.call("slow", "search_messages", query="lighthouse")
    until(stalled)


def _fetch(bridge: FakeBridge, server: Stdio) -> None:
    """Bridge has been asked for what stands above the octets of a PDF and gives none."""
    extraction_stalled(bridge, server, at_fetch=2)


def extraction_stalled(bridge: FakeBridge, server: Stdio, *, at_fetch: int) -> None:
    """Text of a PDF is asked for, and Bridge gives nothing at this FETCH: 2 is for the part's own header, 3 for its octets."""
    _deliver(bridge, b"%PDF-1.7\n" + b"x" * 2_000_000)
    server.call("before", "list_messages")
    server.answer("before")
    stalled = _stalled(bridge, "UID FETCH", at_fetch)
    server.call("slow", "extract_attachment_text", uid="9", attachment_index=0)
    until(stalled)


def _pdf(bridge: FakeBridge, server: Stdio) -> None:
    """The child has a PDF that never ends."""
    _deliver(bridge, bomb("quadratic"))
    params = {"name": "extract_attachment_text", "arguments": {"uid": "9", "attachment_index": 0}, "_meta": {"progressToken": "slow"}}
    server.send(id="slow", method="tools/call", params=params)
    while server.receive()["params"]["message"] != "Reading the PDF.":
        pass
    until(lambda: bool(descendants(server.process.pid)))


def _upload(_: FakeBridge, server: Stdio) -> None:
    """An upload is open, a part of it lies on the disk, and the next line is half written."""
    open_upload(server)
    server.write(
        b'{"jsonrpc":"2.0","id":"slow","method":"tools/call","params":{"name":"upload_attachment_chunk","arguments":{"data_base64":"AAAA'
    )


def open_upload(server: Stdio) -> None:
    """An upload is open, and a part of it lies on the disk."""
    size = 2 * len(_CHUNK)
    declared = {
        "filename": "report.pdf",
        "content_type": "application/pdf",
        "size_bytes": size,
        "sha256_hex": hashlib.sha256(b"").hexdigest(),
    }
    server.call("begin", "begin_attachment_upload", **declared)
    begun = server.answer("begin")["result"]["structuredContent"]
    chunk = {"upload_id": begun["upload_id"], "chunk_index": 0, "data_base64": base64.b64encode(_CHUNK).decode()}
    server.call("chunk", "upload_attachment_chunk", **chunk)
    assert server.answer("chunk")["result"]["structuredContent"]["received_bytes"] == len(_CHUNK)


def _draft(bridge: FakeBridge, server: Stdio) -> None:
    """Bridge has the whole draft and says nothing."""
    stalled = _stalled(bridge, "APPEND", 1)
    server.call("slow", "create_confirmed_draft", to=["bob@example.org"], subject="s", body_text="b", user_confirmed=True)
    until(stalled)


def _deliver(bridge: FakeBridge, document: bytes) -> None:
    """A ninth message comes, with this PDF."""
    head = [
        "From: Someone <someone@stranger.example>",
        "To: Ada Keller <ada@keller.example>",
        "Subject: A file",
        "Date: Tue, 01 Dec 2026 08:00:00 +0000",
        "Message-ID: <slow-work@fixtures.example>",
        "MIME-Version: 1.0",
        'Content-Type: multipart/mixed; boundary="=b"',
        "",
        "--=b",
        "Content-Type: text/plain; charset=us-ascii",
        "",
        "See the file.",
        "--=b",
        'Content-Type: application/pdf; name="offer.pdf"',
        "Content-Transfer-Encoding: base64",
        'Content-Disposition: attachment; filename="offer.pdf"',
        "",
    ]
    octets = "\r\n".join([*head, base64.encodebytes(document).decode().replace("\n", "\r\n") + "--=b--", ""])
    bridge.ask(do="deliver", message=octets)
    bridge.ask(do="poll")


SEARCH: Final = Work("search", _search)
FETCH: Final = Work("fetch of a big part", _fetch)
PDF: Final = Work("PDF", _pdf)
UPLOAD: Final = Work("upload", _upload)
DRAFT: Final = Work("draft", _draft)
ALL: Final = (SEARCH, FETCH, PDF, UPLOAD, DRAFT)


def refusal(answer: dict[str, Any]) -> object:
    """The code of a refusal; None for a result."""
    return answer["result"].get("_meta", {}).get("proton-safe/refusal", {}).get("code")
