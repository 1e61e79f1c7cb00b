"""The servers that are measured: ours, and two that others published, each with its own words for the same work."""

from __future__ import annotations

import base64
import hashlib
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from bench.conversation import Conversation, value_of
from bench.letters import WORD
from bench.mailbox import small

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from bench.conversation import Ask
    from bench.dovecot import Served

BODY: Final = "\n\n".join(f"Point {number}: the figures of the harbour agree with yours." for number in range(1, 19))
STAGED_OCTETS: Final = 5_000_000
RECIPIENT: Final = "someone@people.example"

# The names of work. Each contender has words for most of them.
_OURS: Final[Mapping[str, Callable[[Served, int], Ask]]] = {
    "status": lambda _served, _n: ("mailbox_status", {}),
    "list 20": lambda _served, _n: ("list_messages", {"limit": 20}),
    "list 100": lambda _served, _n: ("list_messages", {"limit": 100}),
    "search 20": lambda _served, _n: ("search_messages", {"query": WORD, "limit": 20}),
    "search 100": lambda _served, _n: ("search_messages", {"query": WORD, "limit": 100}),
    "read small": lambda served, n: ("read_message", {"uid": str(served.uids[small(n)])}),
    "read beside 10 MB": lambda served, _n: ("read_message", {"uid": str(served.uids["file"])}),
    "reply context": lambda served, _n: ("get_reply_context", {"uid": str(served.uids["thread"])}),
    "PDF text": lambda served, _n: (
        "extract_attachment_text",
        {"uid": str(served.uids["pdf"]), "attachment_index": 0, "max_chars": 100_000},
    ),
    "draft": lambda _served, n: (
        "create_confirmed_draft",
        {"to": [RECIPIENT], "subject": f"Figures {n}", "body_text": BODY, "user_confirmed": True},
    ),
}
_OTHERS: Final[Mapping[str, Callable[[Served, int], Ask]]] = {
    "status": lambda _served, _n: ("connection_status", {}),
    "list 20": lambda _served, _n: ("search_messages", {"folder": "INBOX", "limit": 20}),
    "list 100": lambda _served, _n: ("search_messages", {"folder": "INBOX", "limit": 100}),
    "search 20": lambda _served, _n: ("search_messages", {"folder": "INBOX", "body_contains": WORD, "limit": 20}),
    "search 100": lambda _served, _n: ("search_messages", {"folder": "INBOX", "body_contains": WORD, "limit": 100}),
    "read small": lambda served, n: ("get_message", {"folder": "INBOX", "uid": served.uids[small(n)]}),
    "read beside 10 MB": lambda served, _n: ("get_message", {"folder": "INBOX", "uid": served.uids["file"]}),
    "PDF text": lambda served, _n: ("get_attachment_text", {"folder": "INBOX", "uid": served.uids["pdf"], "attachment_index": 0}),
    "draft": lambda _served, n: ("create_draft", {"to": [RECIPIENT], "subject": f"Figures {n}", "body": BODY}),
}


@dataclass(frozen=True, slots=True)
class Contender:
    """A server: its name in the table, its command line, its words for the work, and how it is told where the mailbox is."""

    name: str
    command: tuple[str, ...]
    words: Mapping[str, Callable[[Served, int], Ask]]
    settings: Callable[[Served, int, Path], dict[str, str]]
    stages: bool

    def start(self, served: Served, folder: Path, port: int | None = None) -> Conversation:
        """A fresh process, for the mailbox behind `port` (its own if none is given)."""
        home = folder / f"home-{self.name}-{served.server}-{served.count}"
        home.mkdir(exist_ok=True)
        environment = {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": str(home),
            "LANG": "C.UTF-8",
            "FASTMCP_CHECK_FOR_UPDATES": "off",  # otherwise both others ask the package index at each start
            **self.settings(served, port or served.port, home),
        }
        return Conversation(self.command, environment)

    def can(self, work: str) -> bool:
        """Whether it has a tool for this."""
        if work == "stage 5 MB + draft":
            return self.stages
        return {"8 reads at once": "read small"}.get(work, work) in self.words

    def perform(self, talk: Conversation, served: Served, work: str, n: int) -> float:
        """Do the work for the `n`th time; seconds. Raises `conversation.Refused`."""
        if work == "stage 5 MB + draft":
            return self._stage(talk, served, n)
        if work == "8 reads at once":
            return talk.at_once([self.words["read small"](served, 8 * n + each) for each in range(8)])
        return talk.call(self.words[work](served, n))[1]

    def _stage(self, talk: Conversation, served: Served, n: int) -> float:
        """Begin, all chunks, finish, draft: the whole way of one file."""
        octets = staged()
        digest = hashlib.sha256(octets).hexdigest()
        begun, took = talk.call(
            (
                "begin_attachment_upload",
                {"filename": "figures.csv", "content_type": "text/csv", "size_bytes": len(octets), "sha256_hex": digest},
            )
        )
        upload: dict[str, Any] = value_of(begun)
        step = upload["max_chunk_bytes"]
        for index, at in enumerate(range(0, len(octets), step)):
            chunk = base64.b64encode(octets[at : at + step]).decode()
            took += talk.call(("upload_attachment_chunk", {"upload_id": upload["upload_id"], "chunk_index": index, "data_base64": chunk}))[
                1
            ]
        finished, seconds = talk.call(("finish_attachment_upload", {"upload_id": upload["upload_id"]}))
        tool, arguments = self.words["draft"](served, n)
        return took + seconds + talk.call((tool, {**arguments, "attachment_tokens": [value_of(finished)["attachment_token"]]}))[1]


def staged() -> bytes:
    """The file of 5 MB: a table of figures."""
    lines = (f"{row},{row * 7919 % 99991},harbour figures\r\n".encode() for row in range(STAGED_OCTETS // 20))
    return b"".join(lines)[:STAGED_OCTETS]


def ours(command: Path) -> Contender:
    """Our server, as the installed wheel starts it."""
    return Contender("us", (str(command), "serve"), _OURS, _our_settings, stages=True)


def others(folder: Path) -> list[Contender]:
    """The published servers that are installed below `folder` (`bench.peers`)."""
    found = [
        Contender("A", (str(folder / "A" / "bin" / "proton-safe-mcp"), "serve"), _OURS, _our_settings, stages=True),
        Contender("B", (str(folder / "B" / "bin" / "mcp-proton-email"),), _OTHERS, _settings_of_b, stages=False),
    ]
    return [each for each in found if os.access(each.command[0], os.X_OK)]


def _our_settings(served: Served, port: int, home: Path) -> dict[str, str]:
    return {
        "PROTON_BRIDGE_USER": served.user,
        "PROTON_BRIDGE_PASSWORD": served.password,
        "PROTON_IMAP_PORT": str(port),
        "PROTON_MCP_STATE_DIR": str(home / "state"),
    }


def _settings_of_b(served: Served, port: int, home: Path) -> dict[str, str]:
    """It asks Proton's command line tool for the password: a stand-in prints it. Limits as high as ours, so that the work is the same."""
    stand_in = home / "pass-cli"
    stand_in.write_text("#!/bin/sh\nprintf '%s\\n' \"$BENCH_PASSWORD\"\n", encoding="ascii")
    stand_in.chmod(0o700)
    return {
        "PROTONMCP_USERNAMES": served.user,
        "PROTONMCP_IMAP_PORT": str(port),
        "PROTONMCP_PASS_CLI": str(stand_in),
        "PROTONMCP_MAX_RESULTS": "200",
        "PROTONMCP_MAX_ATTACHMENT_CHARS": "100000",
        "BENCH_PASSWORD": served.password,
    }
