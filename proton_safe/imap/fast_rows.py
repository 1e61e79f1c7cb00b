"""The rows of a list in the form that Bridge and most servers give them, read by one pattern instead of the general grammar.

Pure. What has another form (a literal, an escape in a string, another order, more addresses or longer texts than are common) doesn't
match and is left to the grammar; both end in the same `RowItems` (a property that tests hold).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from proton_safe.imap import items
from proton_safe.imap.grammar import Atom, BadSyntax
from proton_safe.imap.items import Envelope, EnvelopeAddress, RowItems

if TYPE_CHECKING:
    from proton_safe.imap.grammar import Value

ITEMS: Final = b"(UID FLAGS INTERNALDATE RFC822.SIZE ENVELOPE)"

# All repetitions are possessive, so that no input makes the pattern try again.
_TEXT: Final = rb'(?:NIL|"[^"\\\r\n]{0,4096}+")'
_ADDRESS: Final = rb"\(" + rb" ".join([_TEXT] * 4) + rb"\)"
_LIST: Final = rb"(?:NIL|\((?:" + _ADDRESS + rb" ?+){1,100}+\))"
_FLAG: Final = rb"[\\$!#&'+\-./0-9:;<=>?@A-Z^_`a-z|~]++"
# 1 sequence number, 2 uid, 3 flags, 4 date received, 5 size; of the envelope 6 date, 7 subject or 8 its length, if it is a literal
_BEGIN: Final = re.compile(
    rb"\* ([1-9][0-9]{0,9}) FETCH \(UID ([1-9][0-9]{0,9}) FLAGS \(((?:" + _FLAG + rb"(?: " + _FLAG + rb")*+)?+)\) "
    rb'INTERNALDATE "([^"\\\r\n]{0,64}+)" RFC822\.SIZE (0|[1-9][0-9]{0,9}) ENVELOPE \('
    + b"("
    + _TEXT
    + rb") (?:("
    + _TEXT
    + rb")|\{([1-9][0-9]{0,3})\}\r\n)"
)
# 1 to 6 lists, 7 parent, 8 Message-ID
_END: Final = re.compile(b"".join([b" (" + _LIST + b")"] * 6 + [b" (" + _TEXT + b")"] * 2) + rb"\)\)\r\n")
_FOUR: Final = re.compile(rb'\((NIL|"[^"]*+") (?:NIL|"[^"]*+") (NIL|"[^"]*+") (NIL|"[^"]*+")\)')
_NIL: Final = b"NIL"
MAX_OCTETS: Final = 64 * 1024
MAX_SPELLING_OCTETS: Final = 4 * 1024


def read(block: bytes, at: int) -> tuple[int, int, RowItems] | None:
    """The row that begins at `at`: where it ends, its sequence number, and itself. None: it has another form, or goes on behind `block`.

    Raises `BadSyntax` for a sequence number or uid of more than 32 bits.
    """
    begin = _BEGIN.match(block, at)
    if begin is None:
        return None
    literal_ends = begin.end() + int(begin[8] or 0)
    end = _END.match(block, literal_ends)
    if end is None or end.end() - at > MAX_OCTETS:
        return None
    sequence, uid, size = int(begin[1]), int(begin[2]), int(begin[5])
    if max(sequence, uid) >= 2**32:
        raise BadSyntax
    lists: dict[bytes, tuple[EnvelopeAddress, ...]] = {}
    for text in end.groups()[:6]:
        if text not in lists:  # Sender and Reply-To are as From in most mails
            lists[text] = tuple(_address(*four) for four in _FOUR.findall(text))
    subject = block[begin.end() : literal_ends] if begin[8] else _text(begin[7])
    from_, sender, reply_to, to, cc, bcc = (lists[text] for text in end.groups()[:6])
    envelope = Envelope(_text(begin[6]), subject, from_, sender, reply_to, to, cc, bcc, _text(end[7]), _text(end[8]))
    spelling = block[begin.start(6) : end.end()]
    if len(spelling) > MAX_SPELLING_OCTETS:
        spelling = b""
    flags: Value = tuple(map(Atom, begin[3].split()))
    row = RowItems(uid, items.flags(flags), items.internal_date(begin[4]), size if size < 2**32 else None, envelope, spelling)
    return end.end(), sequence, row


def _text(said: bytes) -> bytes:
    return b"" if said == _NIL else said[1:-1]


def _address(name: bytes, mailbox: bytes, host: bytes) -> EnvelopeAddress:
    return EnvelopeAddress(
        None if name == _NIL else name[1:-1], None if mailbox == _NIL else mailbox[1:-1], None if host == _NIL else host[1:-1]
    )
