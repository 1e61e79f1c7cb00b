"""A relay between a client and the real server: lines go through as they are, unless a broken server changes them."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from typing import IO, Any

Message = dict[str, Any]


class Relay:
    """Passes lines in both directions. A broken server overrides one of the two hooks."""

    def __init__(self) -> None:
        self.requests: dict[Any, Message] = {}

    def on_request(self, message: Message) -> Message:
        """What the server gets instead of the client's message."""
        return message

    def on_answer(self, _request: Message, answer: Message) -> Message:
        """What the client gets instead of the server's answer."""
        return answer

    def run(self) -> int:
        """Start the real server and pass everything on until the client leaves."""
        command = [sys.executable, "-m", "proton_safe", "serve"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
            if server.stdin is None or server.stdout is None:
                return 1
            answers = threading.Thread(target=self._answers, args=(server.stdout,))
            answers.start()
            self._requests(server.stdin)
            server.stdin.close()
            answers.join()
            return server.wait()

    def _requests(self, to_server: IO[bytes]) -> None:
        for line in sys.stdin.buffer:
            message = json.loads(line)
            if "id" in message:
                self.requests[message["id"]] = message
            to_server.write(_line(self.on_request(message)))
            to_server.flush()

    def _answers(self, from_server: IO[bytes]) -> None:
        for line in from_server:
            message = json.loads(line)
            request = self.requests.get(message.get("id"))
            changed = message if request is None else self.on_answer(request, message)
            sys.stdout.buffer.write(line if changed is message else _line(changed))
            sys.stdout.buffer.flush()


def called(request: Message) -> tuple[str, dict[str, Any]]:
    """Tool and arguments of a request; empty for other methods."""
    params = request.get("params") or {}
    if request.get("method") != "tools/call":
        return "", {}
    return params.get("name", ""), params.get("arguments") or {}


def _line(message: Message) -> bytes:
    return json.dumps(message, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n"
