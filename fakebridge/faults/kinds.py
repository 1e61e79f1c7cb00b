"""Every kind of fault: its name, what it does in one line, when in a connection's life it acts, and which fields it reads.

The one table of them: rules are checked against it, the schema, `python -m fakebridge faults` and the documentation are made from it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import Final

from fakebridge.faults.verbs import CONNECT, STARTTLS


class FaultKind(StrEnum):
    """What a rule does."""

    DROP = "drop"
    DROP_IN_LITERAL = "drop-in-literal"
    STALL = "stall"
    DRIP = "drip"
    LATE = "late"
    LITERAL_LENGTH = "literal-length"
    LITERAL_OVERFLOW = "literal-overflow"
    GARBAGE = "garbage"
    ENDLESS_LINE = "endless-line"
    BYE = "bye"
    BYE_INSIDE = "bye-inside"
    NO = "no"
    BAD = "bad"
    ANSWER = "answer"
    VERBATIM = "verbatim"
    COMPLETION = "completion"
    UNSOLICITED = "unsolicited"
    CONTINUATION = "continuation"
    UIDVALIDITY = "uidvalidity"
    VALIDITY_LIES = "validity-lies"
    UIDS_RENUMBERED = "uids-renumbered"
    UIDS_REPEATED = "uids-repeated"
    UID_ZERO = "uid-zero"
    UID_ABSENT = "uid-absent"
    BODY_TWICE = "body-twice"
    PARTIAL_LIES = "partial-lies"
    MAILBOX_GONE = "mailbox-gone"
    ANSWER_LOST = "answer-lost"
    ANSWER_TWICE = "answer-twice"
    OTHER_TAG = "other-tag"
    FLOOD = "flood"
    FETCH_OTHER = "fetch-other"
    SIZE_LIES = "size-lies"
    STRUCTURE_LIES = "structure-lies"
    ITEM_LIES = "item-lies"
    NEGATIVE_NUMBER = "negative-number"
    HUGE_NUMBER = "huge-number"
    OCTETS = "octets"
    NESTED_LIST = "nested-list"
    LOGIN_REFUSED = "login-refused"
    PREAUTH = "preauth"
    GREETING_LATE = "greeting-late"
    GREETING_ABSENT = "greeting-absent"
    STARTTLS_NOT_OFFERED = "starttls-not-offered"
    CAPABILITY_MISSING = "capability-missing"
    CAPABILITY_ADDED = "capability-added"
    CERTIFICATE = "certificate"
    TLS_STALL = "tls-stall"
    TLS_REFUSED = "tls-refused"
    TLS_CLOSED = "tls-closed"
    TLS_IN_THE_CLEAR = "tls-in-the-clear"
    TLS_OLD = "tls-old"
    OCTETS_BEFORE_TLS = "octets-before-tls"


class Place(Enum):
    """When a kind acts. Rules of one place are counted together."""

    INSTEAD = "in place of the command, which is not carried out"
    AFTER = "on the answer, when the command has been carried out"
    GREETING = "when a client connects"
    CERTIFICATE = "when the certificate of a connection is chosen"
    CONTINUATION = "when a literal is asked for, before the command is carried out"
    HANDSHAKE = "between STARTTLS and the TLS handshake"


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """What a kind is. The four fields beyond `line` and `place` are defaults of the rule's fields; None: the kind does not read it."""

    line: str
    place: Place
    text: str | None = None
    octets: int | None = None
    count: int | None = None
    seconds: float | None = None
    has_item: bool = False
    smtp: bool = False
    on: str | None = None
    """The command when a rule names none; None: a rule must name one."""

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of the fields that this kind reads."""
        names = [name for name in ("text", "octets", "count", "seconds") if getattr(self, name) is not None]
        return (*names, "item") if self.has_item else tuple(names)


_OTHER_STRUCTURE: Final = (
    '(("text" "plain" ("charset" "us-ascii") NIL NIL "7bit" 1 1 NIL NIL NIL NIL)("application" "pdf" ("name" "absent.pdf") NIL NIL '
    '"base64" 999999 NIL ("attachment" ("filename" "absent.pdf")) NIL NIL) "mixed" ("boundary" "absent") NIL NIL NIL)'
)

MEANINGS: Final[dict[FaultKind, Meaning]] = {
    FaultKind.DROP: Meaning(line="closes the connection instead of answering", place=Place.INSTEAD, smtp=True),
    FaultKind.DROP_IN_LITERAL: Meaning(line="closes the connection `octets` octets into the first literal", place=Place.AFTER, octets=10),
    FaultKind.STALL: Meaning(line="never answers this command; the session goes on", place=Place.INSTEAD, smtp=True),
    FaultKind.DRIP: Meaning(line="sends the answer at `octets` octets a second", place=Place.AFTER, octets=64),
    FaultKind.LATE: Meaning(line="sends the answer after `seconds` seconds", place=Place.AFTER, seconds=5.0),
    FaultKind.LITERAL_LENGTH: Meaning(
        line="announces the first literal as `{text}`, whatever its length is", place=Place.AFTER, text="9999999999999"
    ),
    FaultKind.LITERAL_OVERFLOW: Meaning(
        line="sends `octets` more octets in the first literal than it announces", place=Place.AFTER, octets=1000
    ),
    FaultKind.GARBAGE: Meaning(
        line="answers with a line that is no protocol (`text`)", place=Place.INSTEAD, text='* ((( "no IMAP at all', smtp=True
    ),
    FaultKind.ENDLESS_LINE: Meaning(
        line="answers with one line without an end; after `octets` octets the connection is closed", place=Place.INSTEAD, octets=67_108_864
    ),
    FaultKind.BYE: Meaning(line="says `* BYE text` and closes the connection", place=Place.INSTEAD, text="fault"),
    FaultKind.BYE_INSIDE: Meaning(
        line="sends half of the first line of the answer, then `* BYE text`, and closes the connection", place=Place.AFTER, text="fault"
    ),
    FaultKind.NO: Meaning(line="answers NO with `text` and does nothing", place=Place.INSTEAD, text="fault", smtp=True),
    FaultKind.BAD: Meaning(line="answers BAD with `text` and does nothing", place=Place.INSTEAD, text="fault", smtp=True),
    FaultKind.ANSWER: Meaning(line="answers with the lines of `text` and then OK, and does nothing", place=Place.INSTEAD, text="fault"),
    FaultKind.VERBATIM: Meaning(
        line="says `text` (U+0000 to U+00FF, `{tag}` for the tag, `{TAG}` in other case), and does nothing",
        place=Place.INSTEAD,
        text="{tag} OK\r\n",
    ),
    FaultKind.COMPLETION: Meaning(
        line="ends the answer with the line `text` (`{tag}` for the tag) in place of its own", place=Place.AFTER, text="{tag} MAYBE"
    ),
    FaultKind.UNSOLICITED: Meaning(line="puts the lines of `text` before the end of the answer", place=Place.AFTER, text="* 1 EXISTS"),
    FaultKind.CONTINUATION: Meaning(
        line="asks for a literal with the line `text`; without a text, never", place=Place.CONTINUATION, text="", on="APPEND"
    ),
    FaultKind.UIDVALIDITY: Meaning(line="adds 1 to every UIDVALIDITY from this command on; the UIDs stay", place=Place.AFTER),
    FaultKind.VALIDITY_LIES: Meaning(
        line="writes `text` for UIDVALIDITY in the answer; without a text, leaves it out", place=Place.AFTER, text="0"
    ),
    FaultKind.UIDS_RENUMBERED: Meaning(line="adds `count` to every UID of the answer", place=Place.AFTER, count=1000),
    FaultKind.UIDS_REPEATED: Meaning(line="gives every message of the answer the UID of the first", place=Place.AFTER),
    FaultKind.UID_ZERO: Meaning(line="writes 0 for every UID of the answer", place=Place.AFTER),
    FaultKind.UID_ABSENT: Meaning(line="leaves UID out of the FETCH lines", place=Place.AFTER),
    FaultKind.BODY_TWICE: Meaning(
        line="tells every message twice, the second time with `text` in each literal", place=Place.AFTER, text="another body"
    ),
    FaultKind.PARTIAL_LIES: Meaning(
        line="gives a section under the origin `text` (none without one), in `octets` octets (0: as many as it has)",
        place=Place.AFTER,
        text="",
        octets=5_000_000,
    ),
    FaultKind.MAILBOX_GONE: Meaning(
        line="answers as if the mailbox had just been deleted: NO where it is named, BYE where it is open", place=Place.INSTEAD
    ),
    FaultKind.ANSWER_LOST: Meaning(line="does the work, then closes the connection without answering", place=Place.AFTER, smtp=True),
    FaultKind.ANSWER_TWICE: Meaning(line="sends the whole answer twice", place=Place.AFTER),
    FaultKind.OTHER_TAG: Meaning(line="ends the answer with another tag (`text`)", place=Place.AFTER, text="ZZ99"),
    FaultKind.FLOOD: Meaning(
        line="sends `count` untagged lines (`text`) before the answer", place=Place.AFTER, count=100_000, text="* OK still here"
    ),
    FaultKind.FETCH_OTHER: Meaning(
        line="adds FETCH lines for `count` other messages, with the items of the asked one", place=Place.AFTER, count=1
    ),
    FaultKind.SIZE_LIES: Meaning(line="says that every message has `count` octets (RFC822.SIZE)", place=Place.AFTER, count=1),
    FaultKind.STRUCTURE_LIES: Meaning(
        line="sends the structure `text`, whatever the body is (BODYSTRUCTURE, BODY)", place=Place.AFTER, text=_OTHER_STRUCTURE
    ),
    FaultKind.ITEM_LIES: Meaning(
        line="writes `text` for the value of `item` in FETCH lines, for every item without one",
        place=Place.AFTER,
        text="NIL",
        has_item=True,
    ),
    FaultKind.NEGATIVE_NUMBER: Meaning(
        line="writes -1 for the numbers of `item`, or for all outside strings", place=Place.AFTER, has_item=True
    ),
    FaultKind.HUGE_NUMBER: Meaning(
        line="writes a number of `count` digits for the numbers of `item`, or for all outside strings",
        place=Place.AFTER,
        count=40,
        has_item=True,
    ),
    FaultKind.OCTETS: Meaning(
        line="puts raw octets (`text`, U+0000 to U+00FF) into the answer, `octets` octets from its begin",
        place=Place.AFTER,
        text="\x00\x80\xff",
        octets=2,
    ),
    FaultKind.NESTED_LIST: Meaning(line="adds a FETCH line with lists nested `count` deep", place=Place.AFTER, count=10_000),
    FaultKind.LOGIN_REFUSED: Meaning(
        line="refuses LOGIN and AUTHENTICATE with NO and `text`; `times` says how often",
        place=Place.INSTEAD,
        text="no such user",
        on="LOGIN",
    ),
    FaultKind.PREAUTH: Meaning(line="greets with PREAUTH: logged in, without a password and without TLS", place=Place.GREETING, on=CONNECT),
    FaultKind.GREETING_LATE: Meaning(line="greets after `seconds` seconds", place=Place.GREETING, seconds=5.0, on=CONNECT, smtp=True),
    FaultKind.GREETING_ABSENT: Meaning(line="never greets; commands are answered", place=Place.GREETING, on=CONNECT, smtp=True),
    FaultKind.STARTTLS_NOT_OFFERED: Meaning(line="neither lists nor knows STARTTLS", place=Place.GREETING, on=CONNECT, smtp=True),
    FaultKind.CAPABILITY_MISSING: Meaning(
        line="leaves `text` out of every capability list", place=Place.GREETING, text="UIDPLUS", on=CONNECT
    ),
    FaultKind.CAPABILITY_ADDED: Meaning(line="adds `text` to every capability list", place=Place.GREETING, text="LITERAL+", on=CONNECT),
    FaultKind.CERTIFICATE: Meaning(
        line="shows another certificate: other-key, expired, localhost, signed (by another) or short-key (`text`)",
        place=Place.CERTIFICATE,
        text="other-key",
        on=CONNECT,
    ),
    FaultKind.TLS_STALL: Meaning(line="agrees to STARTTLS and never answers the handshake", place=Place.HANDSHAKE, on=STARTTLS),
    FaultKind.TLS_REFUSED: Meaning(line="agrees to STARTTLS and ends the handshake with an alert", place=Place.HANDSHAKE, on=STARTTLS),
    FaultKind.TLS_CLOSED: Meaning(line="agrees to STARTTLS and closes the connection", place=Place.HANDSHAKE, on=STARTTLS),
    FaultKind.TLS_IN_THE_CLEAR: Meaning(
        line="agrees to STARTTLS and answers the handshake with the lines of `text` in the clear",
        place=Place.HANDSHAKE,
        text="* OK no TLS today",
        on=STARTTLS,
    ),
    FaultKind.TLS_OLD: Meaning(line="agrees to STARTTLS and speaks TLS 1.0 only", place=Place.HANDSHAKE, on=STARTTLS),
    FaultKind.OCTETS_BEFORE_TLS: Meaning(
        line="sends the lines of `text` in the clear between its OK to STARTTLS and the handshake",
        place=Place.HANDSHAKE,
        text="* OK injected in the clear",
        on=STARTTLS,
    ),
}
