"""What the octets of a session turn out to be: the values between reading and carrying out."""

from __future__ import annotations

from dataclasses import dataclass

from fakebridge.imap.commands.command import Command


@dataclass(frozen=True, slots=True)
class Request:
    """A whole, well-formed command. `line` is what was sent, literals as {n}, secrets as ***: for the journal."""

    tag: bytes
    command: Command
    line: str


@dataclass(frozen=True, slots=True)
class Unparsable:
    """A syntax error: `tag BAD text`; the tag may be empty."""

    tag: bytes
    text: str


@dataclass(frozen=True, slots=True)
class ContinuationWanted:
    """The client waits for a continuation line; `line` is that line without CRLF, `verb` the command it is for."""

    line: bytes
    verb: str = ""


@dataclass(frozen=True, slots=True)
class Ended:
    """Nothing more is read; the socket is closed without a word."""


Incoming = Request | Unparsable | ContinuationWanted | Ended
