"""What is doubtful in a row's addresses by their own looks: a row has no header to read, only what Bridge made of one.

Bridge drops what stands behind an address without a comma, decodes encoded words in it, and takes a port for a part of it
(bridge-behaviour 3.6). Some of that leaves marks, which are told here; what leaves none, `read_message` alone can tell.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from proton_safe.mime import sender, words

if TYPE_CHECKING:
    from proton_safe.imap.items import Envelope
    from proton_safe.mime.addresses import AddressList
    from proton_safe.mime.defects import Defect

# Labels between dots, or an address literal (RFC 5321 4.1.2, 4.1.3); letters beyond ASCII may stand in labels (RFC 6531 3.3).
_HOST: Final = re.compile(rb"[A-Za-z0-9_\x80-\xff-]++(?:\.[A-Za-z0-9_\x80-\xff-]++)*+|\[[0-9A-Za-z:.-]++\]")
# Signs that no address has without quotes; Bridge has taken those away, so nobody knows whether they were there.
_NO_LOCAL: Final = re.compile(rb'[\x00-\x1f\x7f"(),:;<>@\[\]\\]')
_AT: Final = re.compile("[@\uff20\ufe6b]")
# What nearly all names, mailboxes and hosts are made of; the rest is looked at. Names: neither an at sign nor an encoded word.
_PLAIN: Final = re.compile(rb"[ !#-'*+./0-9A-Z^_a-z{|}~-]*+")


def doubts(envelope: Envelope, from_: AddressList, to: AddressList) -> tuple[Defect, ...]:
    """The warnings beside those of `from_` and `to`, which were read out of this envelope."""
    found: set[Defect] = set()
    if not from_.addresses and (envelope.date or envelope.subject or envelope.to or envelope.message_id):
        found.add("address-unreadable")  # RFC 5322 3.6.2: every mail has an author; Bridge may have dropped an unreadable one
    for entries, listed in ((envelope.from_, from_), (envelope.to, to)):
        for entry in entries:
            if entry.name and not _PLAIN.fullmatch(entry.name):
                found.update(_of_name(entry.name))
            # Where one of them is missing, reading the list has told it.
            if (
                entry.host
                and entry.mailbox
                and not (_PLAIN.fullmatch(entry.mailbox) and _HOST.fullmatch(entry.host) and entry.host.isascii())
            ):
                found.update(_of_address(entry.mailbox, entry.host))
        if any(_AT.search(each.name) and each.address and sender.names_another(each) for each in listed.addresses):
            found.add("address-unreadable")
    return tuple(found)


def _of_name(name: bytes) -> tuple[Defect, ...]:
    """Octets and words that Bridge could not decode, nor can anybody."""
    return () if _is_utf_8(name) and b"=?" not in name else words.decode(name).warnings


def _of_address(mailbox: bytes, host: bytes) -> tuple[Defect, ...]:
    sound = _HOST.fullmatch(host) and not _NO_LOCAL.search(mailbox) and _is_utf_8(mailbox) and _is_utf_8(host)
    return () if sound else ("address-unreadable",)


def _is_utf_8(octets: bytes) -> bool:
    try:
        return "\ufffd" not in octets.decode("utf-8")
    except UnicodeDecodeError:
        return False
