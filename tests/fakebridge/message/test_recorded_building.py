"""Imports and drafts come back octet for octet as Bridge rebuilt them."""

import pytest

from fakebridge.message.accountserver import AccountServer, keep_draft
from fakebridge.message.addresses import Address
from fakebridge.message.build import build
from fakebridge.message.draft import AppendRefused, draft_from, recipients
from fakebridge.message.hashing import message_hash
from fakebridge.message.header import prepend
from fakebridge.message.imported import received_from
from fakebridge.message.stored import Origin
from tests.fakebridge.recordings import appended, fetched, inbox, named, originals

_IDENTITY = b"11111111-1111-1111-1111-111111111111"
_INTERNAL = "00000000-0000-0000-0000-0000000000{:02d}"
_NAMES = {"ada@proton.local": "Ada Example", "ada.alias@proton.local": "ada.alias@proton.local"}


def _drafted(literal: bytes, number: int) -> bytes:
    recipients(literal)
    message_hash(literal)
    content = draft_from(literal)
    address = content.wanted_sender or "ada@proton.local"
    stored = keep_draft(
        content,
        sender=Address(_NAMES[address], address),
        internal_id=_INTERNAL.format(number),
        time=1,
        server=AccountServer.SIMULATED,
    )
    return prepend(build(stored), b"X-Pm-Gluon-Id", _IDENTITY)


def _refusal(literal: bytes, drafts: list[bytes]) -> bytes:
    """The answer to a refused draft; an accepted one is put behind the others."""
    try:
        drafts.append(_drafted(literal, len(drafts)))
    except AppendRefused as refused:
        return f"NO {refused.text}\r\n".encode()
    return b""


@pytest.mark.parametrize("number", range(14))
def test_an_imported_mail_is_served_as_it_was_recorded(number: int) -> None:
    """Dialogue 14 and the two sets of mails: original in, rebuilt mail out."""
    stored = received_from(
        originals()[number], internal_id=_INTERNAL.format(number), origin=Origin.RECEIVED, time=1, server=AccountServer.SIMULATED
    )
    assert named(prepend(build(stored), b"X-Pm-Gluon-Id", _IDENTITY)) == named(inbox()[13 - number])


@pytest.mark.parametrize("number, asked, served", [("20", 1, 1), ("21", 1, 1), ("23", 19, 12), ("25", 1, 0), ("43", 8, 8)])
def test_every_recorded_draft_is_refused_or_comes_back_as_recorded(number: str, asked: int, served: int) -> None:
    """Dialogues 20, 21, 23, 25, 43: the answer to each APPEND, and each draft that was fetched."""
    drafts: list[bytes] = []
    assert (len(appended(number, "Drafts")), len(fetched(number))) == (asked, served)
    for literal, answer in appended(number, "Drafts"):
        refusal = _refusal(literal, drafts)
        assert refusal == (b"" if answer.startswith(b"OK ") else answer)
    for place, octets in fetched(number).items():
        assert named(drafts[place - 1]) == named(octets)
