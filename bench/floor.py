"""The floor: the same work as the bare exchange on one open TLS connection, with a folder that stays open."""

from __future__ import annotations

import base64
import binascii
import hashlib
import io
import itertools
import time
from typing import TYPE_CHECKING, Final, Self

from pypdf import PdfReader

from bench.bare_imap import BareImap, found_uids
from bench.contenders import BODY, RECIPIENT, staged
from bench.letters import WORD
from bench.mailbox import small

if TYPE_CHECKING:
    from collections.abc import Callable

    from bench.dovecot import Served

_ROW: Final = b"(UID FLAGS INTERNALDATE RFC822.SIZE ENVELOPE)"
_MESSAGE: Final = b"(UID FLAGS INTERNALDATE RFC822.SIZE ENVELOPE BODYSTRUCTURE BODY.PEEK[HEADER])"
_DRAFTS: Final = b"Drafts"


class Floor:
    """Two sessions: one with INBOX open, one for drafts. `search` is the command that our server sends, as it was recorded."""

    def __init__(self, served: Served, search: list[bytes] | None) -> None:
        self._served = served
        self._search = search or [f'UID SEARCH TEXT "{WORD}"\r\n'.encode()]
        self._inbox = BareImap(served.port, served.user, served.password)
        self._other = BareImap(served.port, served.user, served.password)
        self._inbox.ask(b"EXAMINE INBOX")
        self._draft = _draft()
        self._with_file = _draft(staged())
        self.works: dict[str, Callable[[int], object]] = {
            "status": lambda _: self._other.ask(b"STATUS INBOX (MESSAGES UNSEEN)"),
            "list 20": lambda _: self._list([b"UID SEARCH ALL\r\n"], 20),
            "list 100": lambda _: self._list([b"UID SEARCH ALL\r\n"], 100),
            "search 20": lambda _: self._list(self._search, 20),
            "search 100": lambda _: self._list(self._search, 100),
            "read small": lambda n: self._read(small(n), b"1"),
            "read beside 10 MB": lambda _: self._read("file", b"1"),
            "reply context": lambda _: self._read("thread", b"1"),
            "PDF text": lambda _: pdf_text(base64.b64decode(self._read("pdf", b"2"))),
            "draft": lambda _: self._store(self._draft),
            "stage 5 MB + draft": lambda _: self._store(self._with_file),
            "8 reads at once": self._eight,
            "first list": lambda _: self._index(),
        }

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for each in (self._inbox, self._other):
            each.__exit__()

    def perform(self, work: str, n: int) -> float:
        """Seconds."""
        begun = time.perf_counter()
        self.works[work](n)
        return time.perf_counter() - begun

    def empty_drafts(self) -> None:
        """Throw away what the drafts rows have stored."""
        self._other.empty(_DRAFTS)

    def _list(self, search: list[bytes], limit: int) -> None:
        uids = found_uids(self._inbox.ask_with_literals(search))[-limit:]
        self._inbox.ask(b"UID FETCH %s %s" % (b",".join(uids), _ROW))

    def _index(self) -> None:
        self._inbox.ask(b"UID FETCH 1:* (UID FLAGS INTERNALDATE)")

    def _read(self, name: str, section: bytes) -> bytes:
        uid = self._served.uids[name]
        self._inbox.ask(b"UID FETCH %d %s" % (uid, _MESSAGE))
        return self._inbox.ask(b"UID FETCH %d (UID BODY.PEEK[%s])" % (uid, section))[0][1]

    def _eight(self, n: int) -> None:
        """All eight in two writes."""
        uids = [self._served.uids[small(8 * n + each)] for each in range(8)]
        self._inbox.ask(b"UID FETCH %s %s" % (b",".join(b"%d" % uid for uid in uids), _MESSAGE))
        for tag in self._inbox.send(*(b"UID FETCH %d (UID BODY.PEEK[1])" % uid for uid in uids)):
            self._inbox.until(tag)

    def _store(self, octets: bytes) -> None:
        """APPEND, EXAMINE, fetch it back, decode its parts, and their SHA-256."""
        uid = self._other.append(_DRAFTS, b"(\\Draft)", octets)
        self._other.ask(b"EXAMINE Drafts")
        stored = self._other.ask(b"UID FETCH %d (UID BODY.PEEK[])" % uid)[0][1]
        for head, rest in itertools.pairwise(stored.split(b"\r\n\r\n")):
            hashlib.sha256(_decoded(head, rest.partition(b"\r\n--")[0])).hexdigest()


def _decoded(head: bytes, encoded: bytes) -> bytes:
    """What was stored need not be what was sent: Bridge makes a text quoted-printable."""
    if b"base64" in head.lower():
        return base64.b64decode(encoded)
    return binascii.a2b_qp(encoded)


def pdf_text(octets: bytes) -> int:
    """How many characters the PDF has, read in this process."""
    return sum(len(page.extract_text()) for page in PdfReader(io.BytesIO(octets)).pages)


def _draft(file: bytes = b"") -> bytes:
    """A draft whose body, and file if there is one, are base64."""
    head = f"From: <bench@letters.example>\r\nTo: <{RECIPIENT}>\r\nSubject: Figures\r\nMIME-Version: 1.0\r\n".encode()
    text = _part(b"text/plain; charset=utf-8", BODY.encode())
    if not file:
        return head + text
    parts = (text, _part(b"application/pdf", file, b'Content-Disposition: attachment; filename="figures.pdf"\r\n'))
    body = b"".join(b"--floor\r\n" + part for part in parts) + b"--floor--\r\n"
    return head + b'Content-Type: multipart/mixed; boundary="floor"\r\n\r\n' + body


def _part(media_type: bytes, octets: bytes, more: bytes = b"") -> bytes:
    head = b"Content-Type: " + media_type + b"\r\n" + more + b"Content-Transfer-Encoding: base64\r\n\r\n"
    return head + base64.encodebytes(octets).replace(b"\n", b"\r\n")
