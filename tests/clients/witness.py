"""Stands between a client and the server and hands every octet on as it is: `witness.py FOLDER COMMAND…`.

Writes into FOLDER, named after its start: `*.frames`, each line of the wire as {"from": "client" | "server", "line": …}, and
at the end `*.end`, how the server ended. A client speaks to it as it would to the server; what it says of itself needn't be believed.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import IO, Final

WAIT_S: Final = 10


class Witness:
    """One server process and the record of its wire."""

    def __init__(self, folder: Path, command: list[str]) -> None:
        self._record = folder / f"{time.time_ns()}-{os.getpid()}"
        self._frames = self._record.with_suffix(".frames").open("w", encoding="utf-8")
        self._lock = threading.Lock()
        self._input_ended = False
        self._signals: list[str] = []
        self._server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def watch(self) -> int:
        """Relay until the server ends; gives its exit status."""
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, self._pass_on)
        complaints: list[bytes] = []
        threading.Thread(target=self._relay_input, daemon=True).start()
        readers = [
            threading.Thread(target=self._relay_output, daemon=True),
            threading.Thread(target=self._collect, args=(complaints,), daemon=True),
        ]
        for reader in readers:
            reader.start()
        status = self._server.wait()
        for reader in readers:
            reader.join(WAIT_S)
        end = {
            "status": status,
            "input_ended": self._input_ended,
            "signals": self._signals,
            "stderr": b"".join(complaints).decode("utf-8", "replace"),
        }
        unfinished = self._record.with_suffix(".ending")
        unfinished.write_text(json.dumps(end), encoding="utf-8")
        unfinished.replace(self._record.with_suffix(".end"))
        return status

    def _pass_on(self, number: int, _frame: object) -> None:
        self._signals.append(signal.Signals(number).name)
        self._server.send_signal(number)

    def _relay_input(self) -> None:
        assert self._server.stdin is not None
        self._relay(sys.stdin.buffer, self._server.stdin, "client")
        self._input_ended = True
        self._server.stdin.close()

    def _relay_output(self) -> None:
        assert self._server.stdout is not None
        self._relay(self._server.stdout, sys.stdout.buffer, "server")

    def _relay(self, source: IO[bytes], target: IO[bytes], who: str) -> None:
        for line in source:
            with self._lock:
                self._frames.write(json.dumps({"from": who, "line": line.decode("utf-8", "replace")}) + "\n")
                self._frames.flush()
            try:
                target.write(line)
                target.flush()
            except OSError:
                return  # whoever should read is gone; the other direction tells the rest

    def _collect(self, complaints: list[bytes]) -> None:
        assert self._server.stderr is not None
        for line in self._server.stderr:
            complaints.append(line)
            sys.stderr.buffer.write(line)
            sys.stderr.buffer.flush()


if __name__ == "__main__":
    status = Witness(Path(sys.argv[1]), sys.argv[2:]).watch()
    # The thread that reads the client may still wait; there is nothing left to hand on.
    os._exit(status if status >= 0 else 128 - status)
