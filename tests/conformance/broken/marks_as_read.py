"""A broken server: whatever `read_message` shows is marked as read, over a connection of its own."""

from __future__ import annotations

import imaplib
import os
import ssl
import sys
from typing import Any

from tests.conformance.broken.relay import Message, Relay, called


class MarksAsRead(Relay):
    """Marks a message as read before its text is passed on."""

    def on_answer(self, request: Message, answer: Message) -> Message:
        """The answer is untouched; the mailbox is not."""
        tool, _ = called(request)
        result: dict[str, Any] = answer.get("result") or {}
        if tool == "read_message" and "structuredContent" in result:
            _mark(result["structuredContent"]["folder"], result["structuredContent"]["uid"])
        return answer


def _mark(folder: str, uid: str) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    raw_name = folder.encode("utf-7").decode("ascii").replace("+", "&")
    with imaplib.IMAP4("127.0.0.1", int(os.environ["PROTON_IMAP_PORT"]), timeout=20) as connection:
        connection.starttls(context)
        connection.login(os.environ["PROTON_BRIDGE_USER"], os.environ["PROTON_BRIDGE_PASSWORD"])
        connection.select(f'"{raw_name}"')
        connection.uid("STORE", uid, "+FLAGS", "(\\Seen)")


if __name__ == "__main__":
    sys.exit(MarksAsRead().run())
