"""One connection to Bridge: a command goes out, its responses come in and are handed to whoever asked, news is taken note of.

Used by one call at a time. Any error, deadline or cancellation in the middle of a command leaves the stream in doubt: such a
connection is not `usable` any more, and the pool closes it. No text that Bridge sends leaves this module.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from proton_safe.imap import items, responses
from proton_safe.imap.grammar import Atom, BadSyntax, number
from proton_safe.imap.responses import Kind, Response
from proton_safe.imap.search_keys import Literal
from proton_safe.imap.wire import Budget, Cut
from proton_safe.refusals import Code, Refusal

if TYPE_CHECKING:
    from collections.abc import Callable

    from proton_safe.imap.deadline import Deadline
    from proton_safe.imap.grammar import Value
    from proton_safe.imap.index import FolderIndex
    from proton_safe.imap.mailboxes import MailboxName
    from proton_safe.imap.wire import Wire

MAX_MESSAGES: Final = 1_000_000
# A response code, without its brackets.
VALIDITY: Final = re.compile(rb"UIDVALIDITY ([0-9]{1,11})")
DEFAULT: Final = Budget()
# Literals up to this size leave in one packet with what follows them; longer ones are not copied.
_JOINED_OCTETS: Final = 4_096
# What an unsolicited FETCH holds; one with more answers a question.
_NEWS_ITEMS: Final = frozenset({b"FLAGS", b"UID", b"MODSEQ"})

Part: TypeAlias = "bytes | Literal"
Take: TypeAlias = "Callable[[Response], None]"
Fast: TypeAlias = "Callable[[bytes, int], int]"
"""A fast path: reads the response that begins there and gives where it ends, or the same place if it has not the usual form."""


def _ignore(_: Response) -> None:
    """For commands whose tagged answer says it all."""


@dataclass(frozen=True, slots=True)
class Completion:
    """How a command ended: OK or NO, and the response code (without brackets)."""

    accepted: bool
    code: bytes


@dataclass(slots=True)
class Examined:
    """The folder that this connection has open, and what is known of it. `doubtful`: news did not fit the count of messages."""

    mailbox: MailboxName
    uid_validity: int
    exists: int
    index: FolderIndex | None = None
    doubtful: bool = False


class Connection:
    """An authenticated session, or one on the way there.

    `usable`: no command was broken off. `literal_begun`: octets of the last command's literal may have reached Bridge.
    """

    def __init__(self, wire: Wire) -> None:
        self.wire = wire
        self.examined: Examined | None = None
        self.usable = True
        self.used_at = 0.0
        self.literal_begun = False
        self._tags = 0

    def quiet(self) -> bool:
        """Whether the kept connection can be used again, as far as can be seen without asking."""
        return self.usable and self.wire.quiet()

    def close(self) -> None:
        """Give the socket back without a word."""
        self.usable = False
        self.wire.close()

    def greeting(self, deadline: Deadline) -> Response:
        """The first line (RFC 3501 7.1): OK, PREAUTH or BYE, with its response code."""
        with deadline.call.interruptible(self.wire.interrupt):
            try:
                first = responses.read(self.wire.response(deadline))
            except BadSyntax:
                raise Refusal(Code.BAD_RESPONSE) from None
        if first.kind is not Kind.STATUS or first.word not in {b"OK", b"PREAUTH", b"BYE"}:
            raise Refusal(Code.BAD_RESPONSE)
        return first

    def run(
        self,
        deadline: Deadline,
        *parts: Part,
        budget: Budget = DEFAULT,
        take: Take = _ignore,
        fast: Fast | None = None,
    ) -> Completion:
        """Send one command and read until its tagged answer; `take` gets every data response, after the news in it was noted.

        Raises `bridge-refused` for BAD and for answers without a tag, `connection-lost` for BYE and a closed socket,
        `bad-response` for what is not IMAP or goes over the budget, `deadline`, `CallCancelled`.
        """
        if not self.usable:
            raise Refusal(Code.CONNECTION_LOST)
        self.usable = False
        with deadline.call.interruptible(self.wire.interrupt):
            try:
                completion = self._exchange(deadline, parts, budget, take, fast)
            except BadSyntax:
                raise Refusal(Code.BAD_RESPONSE) from None
        self.usable = True
        return completion

    def _exchange(self, deadline: Deadline, parts: tuple[Part, ...], budget: Budget, take: Take, fast: Fast | None) -> Completion:
        if self.wire.said_goodbye():
            raise Refusal(Code.CONNECTION_LOST)
        if not self.wire.all_read():
            raise BadSyntax  # Bridge says nothing between commands: whose answer this is can't be known
        self._tags += 1
        tag = b"p%d" % self._tags
        self.wire.allow(budget)
        self.literal_begun = False
        line = tag + b" "
        for part in parts:
            if isinstance(part, Literal):
                # Bridge knows synchronising literals only (bridge-behaviour 1.8).
                self.wire.send(line + b"{%d}\r\n" % len(part.octets), deadline)
                refused = self._read(deadline, tag, take, None, continuation=True)
                if refused is not None:
                    return refused
                self.literal_begun = True
                if len(part.octets) > _JOINED_OCTETS:
                    self.wire.send(part.octets, deadline)
                    line = b""
                else:
                    line = part.octets
            else:
                line += part
        self.wire.send(line + b"\r\n", deadline)
        completion = self._read(deadline, tag, take, fast, continuation=False)
        if completion is None:
            raise BadSyntax  # a continuation that nobody asked for
        return completion

    def _read(self, deadline: Deadline, tag: bytes, take: Take, fast: Fast | None, *, continuation: bool) -> Completion | None:
        """Read until the tagged answer, or until the continuation if one is awaited (then None)."""
        while True:
            if fast is not None:
                self.wire.scan(fast, deadline)
            response = self._response(deadline)
            if response.kind is Kind.DATA:
                self._note(response)
                take(response)
            elif response.kind is Kind.STATUS and response.word != b"BYE":
                self._look_at_validity(response)
                take(response)
            elif response.kind is Kind.CONTINUATION and continuation:
                return None
            elif response.kind is not Kind.EMPTY:
                return _completion(response, tag, continuation=continuation)

    def _response(self, deadline: Deadline) -> Response:
        try:
            return responses.read(self.wire.response(deadline))
        except Cut as cut:
            return responses.read_cut(cut.pieces)

    def _look_at_validity(self, response: Response) -> None:
        """Whoever tells another UIDVALIDITY of an open folder has numbered it anew (RFC 3501 7.1): no uid of before is good any more."""
        told = VALIDITY.fullmatch(response.code)
        if self.examined is not None and told and int(told[1]) != self.examined.uid_validity:
            raise Refusal(Code.MAILBOX_CHANGED)

    def _note(self, response: Response) -> None:
        """EXISTS, EXPUNGE and FETCH news of the examined folder (RFC 3501 7.3.1, 7.4.1, 7.4.2)."""
        examined = self.examined
        if examined is None:
            return
        if response.word == b"EXISTS":
            if response.number > MAX_MESSAGES:
                raise BadSyntax
            examined.doubtful = examined.doubtful or response.number < examined.exists
            examined.exists = response.number
            if examined.index is not None:
                examined.index.exist(response.number)
        elif response.word == b"EXPUNGE":
            examined.doubtful = examined.doubtful or not 0 < response.number <= examined.exists
            examined.exists = max(0, examined.exists - 1)
            if examined.index is not None:
                examined.index.expunge(response.number)
        elif response.word == b"FETCH" and examined.index is not None and is_news(response):
            told = fetched(response)
            flags = items.flags(told.get(b"FLAGS"))
            if flags is not None:
                uid = number(told[b"UID"], lowest=1) if b"UID" in told else None
                examined.index.reflag(response.number, flags, uid=uid)


def _completion(response: Response, tag: bytes, *, continuation: bool) -> Completion:
    """How the command with this tag ended. Raises for every answer but its OK or NO."""
    if response.kind is Kind.STATUS:
        raise Refusal(Code.CONNECTION_LOST)  # BYE
    if response.kind is Kind.HEADLESS or (response.tag == tag and response.word == b"BAD"):
        raise Refusal(Code.BRIDGE_REFUSED)
    if response.tag != tag or (continuation and response.word == b"OK"):
        raise BadSyntax
    return Completion(response.word == b"OK", response.code)


def fetched(response: Response) -> dict[bytes, Value]:
    """The items of a FETCH response. Raises `BadSyntax` when there is no list of pairs."""
    if len(response.values) != 1:
        raise BadSyntax
    return items.pairs(response.values[0])


def is_news(response: Response) -> bool:
    """Whether a FETCH response only tells flags, so that no question of ours is answered by it."""
    if len(response.values) != 1 or not isinstance(response.values[0], tuple):
        raise BadSyntax
    return all(isinstance(name, Atom) and name.upper() in _NEWS_ITEMS for name in response.values[0][::2])
