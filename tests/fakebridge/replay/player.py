"""Plays the steps of a recorded dialogue against a running fakebridge and writes down what it answers, row by row."""

from __future__ import annotations

import base64
import re
import socket
import ssl
from typing import Any, Final

from tests.fakebridge.replay.masks import Row
from tests.fakebridge.running_bridge import FakeBridge

USER: Final = "ada@proton.local"
FIXED: Final = {
    "USER": USER,
    "ALIAS": "ada.alias@proton.local",
    "OFF": "ada.off@proton.local",
    "UPPER": USER.upper(),
    "PLUS": "ada+tag@proton.local",
    "SELF": "bar@proton.local",
    "AUTHBAD": base64.b64encode(f"\0{USER}\0wrong".encode()).decode(),
}
PLACES: Final = {"3": "Trash", "6": "Archive", "10": "Starred"}
"""The labels that the recordings name by number."""

CONNECT_S: Final = 20.0
ANSWER_S: Final = 32.0
"""Four times the recordings' 8 s: for an answer that must come, a busy machine may take its time."""
SHORT_WINDOW_S: Final = 1.0
STRETCH: Final = 2.0
"""Windows up to a second are doubled; none is ever shortened."""
LATER_WINDOW_S: Final = 1.5
"""A long window is for the first answer; those after it get no more than this."""


class Line:
    """One connection, read in units of a line with the literals that it announces."""

    def __init__(self, kind: str, port: int) -> None:
        self.kind = kind
        self.is_closed = False
        self._socket: socket.socket = socket.create_connection(("127.0.0.1", port), timeout=CONNECT_S)
        self._buffer = b""

    def start_tls(self) -> None:
        """The handshake after STARTTLS; whose certificate it is does not matter here."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        self._socket.settimeout(CONNECT_S)
        self._socket = context.wrap_socket(self._socket)

    def send(self, octets: bytes) -> bool:
        """Whether the octets could be written."""
        try:
            self._socket.sendall(octets)
        except OSError:
            return False
        return True

    def _more(self, seconds: float) -> bool:
        self._socket.settimeout(seconds)
        try:
            octets = self._socket.recv(1 << 16)
        except TimeoutError:
            return False
        except OSError:
            octets = b""
        self.is_closed = not octets
        self._buffer += octets
        return bool(octets)

    def _upto(self, length: int, seconds: float) -> bytes:
        while len(self._buffer) < length and self._more(seconds):
            pass
        taken, self._buffer = self._buffer[:length], self._buffer[length:]
        return taken

    def unit(self, seconds: float) -> bytes | None:
        """The next line with its literals; None when nothing came in time or the other side has closed."""
        taken = b""
        while True:
            while (end := self._buffer.find(b"\r\n")) < 0:
                if not self._more(seconds):
                    taken += self._upto(len(self._buffer), seconds)
                    return taken or None
            line = self._upto(end + 2, seconds)
            taken += line
            announced = re.search(rb"\{(\d+)\}\r\n$", line)
            if announced is None:
                return taken
            taken += self._upto(int(announced.group(1)), seconds)

    def close(self) -> None:
        """Close our side."""
        self._socket.close()


class Player:
    """The rows so far are in `rows`."""

    def __init__(self, bridge: FakeBridge) -> None:
        self.rows: list[Row] = []
        self._bridge = bridge
        self._ports: dict[str, int] = {"imap": bridge.ready["imap"], "smtp": bridge.ready["smtp"]}
        password = bridge.password
        authentication = base64.b64encode(f"\0{USER}\0{password}".encode()).decode()
        self._values = {**FIXED, "PASS": password, "AUTHOK": authentication}
        self._lines: list[Line] = []
        self._current = -1
        self._heard = ""

    def close(self) -> None:
        """Close all connections."""
        for line in self._lines:
            line.close()

    def play(self, step: dict[str, Any]) -> None:
        """One step of a recording."""
        name = next(iter(step))
        match name:
            case "open":
                self._open(step["open"])
            case "use":
                self._current = step["use"]
            case "starttls":
                self._start_tls()
            case "send":
                self._say((self._filled(step["send"]) + "\r\n").encode("latin-1"))
            case "raw":
                self._say(self._filled(step["raw"]).encode("latin-1"))
            case "append":
                self._append(**step["append"])
            case "read" if step["read"] == "quiet":
                self._listen(step.get("ms", 500) / 1000)
            case "read":
                self._await(step["read"], max(step.get("s", 8), ANSWER_S))
            case _:
                self._play_apart(name, step[name])

    def _play_apart(self, name: str, value: Any) -> None:  # noqa: ANN401 - a value out of a recording
        """The steps in which the client says nothing."""
        match name:
            case "poll":
                self._bridge.ask("poll")
            case "cmd":
                self._outside(self._filled(value))
            case "capture":
                variable, pattern = value
                found = re.search(pattern, self._heard)
                self._values[variable] = found.group(1) if found else ""
            case "note":
                pass
            case _:
                raise ValueError(name)

    @property
    def _line(self) -> Line:
        return self._lines[self._current]

    def _filled(self, text: str) -> str:
        return re.sub(r"\$([A-Za-z_]+)", lambda found: self._values.get(found.group(1), found.group()), text)

    def _write_down(self, who: str, octets: bytes) -> None:
        text = octets.decode("latin-1")
        self.rows.append(Row(self._current, who, text))
        if who == "S":
            self._heard += text

    def _open(self, kind: str) -> None:
        self._lines.append(Line(kind, self._ports[kind]))
        self._current = len(self._lines) - 1
        greeting = self._line.unit(CONNECT_S)
        if greeting is not None:
            self._write_down("S", greeting)

    def _say(self, octets: bytes) -> None:
        self._heard = ""
        self._write_down("C", octets)
        if not self._line.send(octets):
            self._write_down("!", b"closed")

    def _start_tls(self) -> None:
        is_imap = self._line.kind == "imap"
        self._say(b"s0 STARTTLS\r\n" if is_imap else b"STARTTLS\r\n")
        self._await("s0" if is_imap else "", ANSWER_S)
        self._line.start_tls()

    def _append(self, tag: str, args: str, literal: str) -> None:
        octets = re.sub(rb"\r?\n", b"\r\n", self._filled(literal).encode())
        self._say(f"{tag} APPEND {self._filled(args)} {{{len(octets)}}}\r\n".encode("latin-1"))
        self._await("+", ANSWER_S)
        if self.rows[-1].who == "S" and self.rows[-1].text.startswith("+"):
            self._say(octets + b"\r\n")
            self._await(tag, ANSWER_S)

    def _listen(self, window: float) -> None:
        seconds = window * STRETCH if window <= SHORT_WINDOW_S else window
        while (unit := self._line.unit(seconds)) is not None:
            self._write_down("S", unit)
            seconds = min(seconds, LATER_WINDOW_S)
        if self._line.is_closed:
            self._write_down("!", b"closed")

    def _await(self, tag: str, seconds: float) -> None:
        while (unit := self._line.unit(seconds)) is not None:
            self._write_down("S", unit)
            if self._is_last(unit, tag):
                return
        self._write_down("!", b"closed" if self._line.is_closed else b"silence")

    def _is_last(self, unit: bytes, tag: str) -> bool:
        if self._line.kind == "smtp":
            return re.match(rb"\d{3} ", unit) is not None
        if tag == "+":
            return unit.startswith(b"+") or re.match(rb"[A-Za-z0-9]+ (?:OK|NO|BAD)", unit) is not None
        return bool(tag) and unit.startswith(tag.encode() + b" ")

    def _outside(self, command: str) -> None:
        word, _, argument = command.partition(" ")
        if word == "label":
            number, subject = argument.split(maxsplit=1)
            answer = self._bridge.ask("label", mailbox=PLACES[number], subject=subject)
        elif word in {"new", "delete", "editdraft", "mode"}:
            do, field = {"new": ("deliver", "message"), "delete": ("delete", "subject"), "editdraft": ("edit-draft", "subject")}.get(
                word, ("mode", "to")
            )
            answer = self._bridge.ask(do, **{field: argument})
        else:
            answer = self._bridge.ask(word)
        self._ports.update({name: answer[name] for name in self._ports if name in answer})
