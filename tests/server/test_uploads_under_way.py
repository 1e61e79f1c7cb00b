"""An upload waits for nobody, so its ends are its own: a cancelled chunk, and the time that an upload may take."""

from __future__ import annotations

import base64
import hashlib
from typing import TYPE_CHECKING, Any, Final

from tests.server.conftest import offline
from tests.server.slow_work import refusal, staged
from tests.server.stdio import Stdio
from tests.waiting import until

if TYPE_CHECKING:
    from pathlib import Path

CHUNK: Final = b"%PDF-1.7\n" + b"x" * 300_000


def begun(server: Stdio) -> str:
    """The id of a new upload of two chunks."""
    digest = hashlib.sha256(CHUNK * 2).hexdigest()
    server.call(
        "begin",
        "begin_attachment_upload",
        filename="report.pdf",
        content_type="application/pdf",
        size_bytes=2 * len(CHUNK),
        sha256_hex=digest,
    )
    upload: str = server.answer("begin")["result"]["structuredContent"]["upload_id"]
    return upload


def asked(server: Stdio, tool: str, **arguments: object) -> dict[str, Any]:
    """The answer to one call."""
    server.call(tool, tool, **arguments)
    return server.answer(tool)


def parts(state: Path, upload: str) -> list[str]:
    """What lies on the disk of this upload."""
    return [path for path in staged(state) if upload in path]


def test_cancelled_chunk_leaves_an_upload_that_can_be_taken_back(tmp_path: Path) -> None:
    """Whether the chunk was written or not, nothing of it outlives the discard, and the cancelled call gets no answer."""
    with Stdio(offline(tmp_path)) as server:
        server.initialize()
        upload = begun(server)
        server.call("slow", "upload_attachment_chunk", upload_id=upload, chunk_index=0, data_base64=base64.b64encode(CHUNK).decode())
        server.send(method="notifications/cancelled", params={"requestId": "slow"})
        server.call("finish", "finish_attachment_upload", upload_id=upload)
        answer = server.receive()
        if answer.get("id") == "slow":  # the chunk was faster than the cancel
            answer = server.receive()
        assert (answer["id"], refusal(answer)) == ("finish", "upload-incomplete")
        assert asked(server, "discard_attachment", attachment_token=upload)["result"]["structuredContent"]["discarded"] is True
        assert parts(tmp_path, upload) == []
        assert server.end() == (0, "")
    assert staged(tmp_path) == []


def test_upload_that_takes_too_long_is_destroyed(tmp_path: Path) -> None:
    """Its time runs from the beginning; afterwards the id names nothing, and the next upload finds the octets gone."""
    with Stdio(offline(tmp_path) | {"PROTON_MCP_UPLOAD_TTL_SECONDS": "1"}) as server:
        server.initialize()
        upload = begun(server)
        assert parts(tmp_path, upload) != []
        until(lambda: refusal(asked(server, "finish_attachment_upload", upload_id=upload)) == "upload-not-found")
        begun(server)
        assert parts(tmp_path, upload) == []
        assert server.end() == (0, "")
    assert staged(tmp_path) == []
