"""The header of a message as the reading tools have it: what a cut would hide is asked for, and the panel tells of the sender."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest

from proton_safe.config import Config
from proton_safe.imap.items import Envelope, EnvelopeAddress, MessageItems
from proton_safe.imap.mailbox import Mailbox
from proton_safe.imap.mailboxes import MailboxName
from proton_safe.mime import headers, structure
from proton_safe.tools import message_header, sender_panel
from proton_safe.tools.opened_message import OpenedMessage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from proton_safe.imap.grammar import Value

LEAF: tuple[Value, ...] = (b"text", b"plain", (), None, None, b"7bit", b"1", b"1", None, None, None, None)
SOMEONE = EnvelopeAddress(b"Someone", b"someone", b"stranger.example")


@dataclass
class Answering:
    """A mailbox that answers with these fields and this structure, and remembers what it was asked."""

    block: bytes = b""
    asked: list[tuple[str, ...]] = field(default_factory=list)

    def fields(self, _uid: int, names: Sequence[str], max_octets: int) -> bytes:
        """Fields of the header."""
        self.asked.append(tuple(names))
        return self.block[:max_octets]

    def structure(self, _uid: int) -> tuple[Value, ...]:
        """BODYSTRUCTURE."""
        self.asked.append(("structure",))
        return LEAF


def whole(mailbox: Answering, items: MessageItems, block: bytes) -> tuple[MessageItems, headers.Headers]:
    """What the tools read."""
    return message_header.whole(cast("Mailbox", mailbox), 1, items, block)


def opened(block: bytes, envelope: Envelope | None = None) -> OpenedMessage:
    """A message with this header."""
    items = MessageItems(uid=1, envelope=envelope)
    return OpenedMessage(MailboxName("INBOX", "INBOX", None, selectable=True), 1, items, headers.split(block), structure.tree(LEAF), {})


def test_an_ordinary_header_costs_no_question() -> None:
    """Product page 10: three round trips for a read."""
    mailbox = Answering()
    items = MessageItems(uid=1, structure=LEAF)
    assert whole(mailbox, items, b"From: a@b.example\r\n\r\n") == (items, headers.split(b"From: a@b.example\r\n"))
    assert mailbox.asked == []


def test_fields_behind_the_cut_are_asked_for_by_name() -> None:
    """Attack catalogue header/received-flood and header/subject-encoded-words-80k."""
    mailbox = Answering(b"From: a@b.example\r\nDate: x\r\nDate: y\r\n\r\n")
    items, found = whole(mailbox, MessageItems(uid=1), b"To: c@d.example\r\nSubject: " + b"A" * 300_000)
    assert items.structure == LEAF
    asked = ("from", "sender", "reply-to", "cc", "date", "message-id", "content-type", "content-transfer-encoding", "content-disposition")
    assert mailbox.asked == [("structure",), asked]
    assert [each.name for each in found.fields] == ["to", "subject", "from", "date", "date"]
    assert found.duplicates == ("date",)
    assert found.warnings == ("duplicate-header", "header-truncated")


def test_a_cut_that_hides_nothing_costs_no_question() -> None:
    """Only what the tools look at is asked for."""
    mailbox = Answering()
    fields = ("From", "Sender", "Reply-To", "To", "Cc", "Subject", "Date", "Message-ID")
    names = (*fields, "Content-Type", "Content-Transfer-Encoding", "Content-Disposition")
    block = "".join(f"{name}: x\r\n" for name in names).encode() + b"X: " + b"y" * 300_000
    assert whole(mailbox, MessageItems(uid=1, structure=LEAF), block)[1].warnings == ("header-truncated",)
    assert mailbox.asked == []


def test_no_reply_to_is_made_of_a_servers_default() -> None:
    """RFC 3501 7.4.2: ENVELOPE names From where there is neither Sender nor Reply-To."""
    envelope = Envelope(b"", b"", (SOMEONE,), (SOMEONE,), (SOMEONE,), (SOMEONE,), (), (), b"", b"")
    cut = opened(b"X: " + b"y" * 300_000, envelope)
    assert [each.address for each in cut.addresses("from").addresses] == ["someone@stranger.example"]
    assert [each.address for each in cut.addresses("to").addresses] == ["someone@stranger.example"]
    assert cut.addresses("reply-to").addresses == cut.addresses("sender").addresses == ()


def test_the_panel_gives_each_claim_and_both_spellings() -> None:
    """Product page 4; attack catalogue header/multi-from-sender, header/confusables and header/auth-results-forged."""
    message = opened(
        "From: Ada <ada@k\u0435ller.example>\r\nSender: bot@b.example\r\nReply-To: r@ke11er.example\r\nResent-From: x@y.example\r\n"
        "Resent-From: z@y.example\r\nAuthentication-Results: mail.proton.me; dkim=pass\r\n".encode()
    )
    config = Config("ada@keller.example", (), 1143, None, Path("unused"))
    panel, others = sender_panel.panel(message, config, from_=message.addresses("from"), reply_to=message.addresses("reply-to"))
    assert panel.flags == ["looks-like-own-domain", "mixed-script-domain", "reply-to-differs", "sender-differs"]
    assert panel.domains == ["xn--kller-zwe.example (k\u0435ller.example)", "ke11er.example"]
    assert [each.address for each in panel.resent_from] == ["x@y.example", "z@y.example"]
    assert (panel.authentication_results, panel.verification) == (["mail.proton.me; dkim=pass"], "unverified")
    assert [each.address for each in others] == ["r@ke11er.example", "bot@b.example", "x@y.example", "z@y.example"]


@pytest.mark.parametrize("name", ["from) (", "From", "", "x" * 51])
def test_only_a_fields_name_is_asked_for(name: str) -> None:
    """Nothing but a constant of ours reaches a command."""
    with pytest.raises(ValueError, match="no field name"):
        Mailbox.fields(cast("Mailbox", None), 1, [name], 10)
