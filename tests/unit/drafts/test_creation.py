"""Drafts stored in a running fakebridge: once, found again, compared; and what a break at each moment leaves behind."""

from __future__ import annotations

import dataclasses
import hashlib
import threading
from typing import TYPE_CHECKING

import pytest

from proton_safe.call import Call, CallCancelled
from proton_safe.drafts import creation
from proton_safe.drafts.confirmed import ConfirmedDraft, Parent
from proton_safe.drafts.creation import OneAtATime, Receipt
from proton_safe.drafts.proof import ComposedWrongly
from proton_safe.drafts.stored import StoredDraft
from proton_safe.imap.append import AppendUid, append
from proton_safe.refusals import Code, Refusal
from proton_safe.staging.upload import StagedFile

if TYPE_CHECKING:
    from collections.abc import Callable

    from conformance.bridge import Bridge
    from proton_safe.imap.connection import Connection
    from tests.unit.drafts.conftest import Desk

_CSV = b"a,b\r\n1,2\r\n"
_FILE = StagedFile("r\u00e9sum\u00e9 1.csv", "text/csv", hashlib.sha256(_CSV).hexdigest(), _CSV)


def _lost(connection: Connection, *, raw_name: str, octets: bytes, flags: tuple[str, ...], call: Call) -> None:
    """Stores, and loses the answer."""
    append(connection, raw_name=raw_name, octets=octets, flags=flags, call=call)
    raise Refusal(Code.DRAFT_UNKNOWN)


def _refused(connection: Connection, *, raw_name: str, octets: bytes, flags: tuple[str, ...], call: Call) -> None:
    """Stores, and says no."""
    append(connection, raw_name=raw_name, octets=octets, flags=flags, call=call)
    raise Refusal(Code.DRAFT_REFUSED)


def _answering(told: AppendUid | None) -> Callable[..., AppendUid | None]:
    """Stores, and tells another place."""

    def act(connection: Connection, *, raw_name: str, octets: bytes, flags: tuple[str, ...], call: Call) -> AppendUid | None:
        append(connection, raw_name=raw_name, octets=octets, flags=flags, call=call)
        return told

    return act


def test_a_draft_with_everything_comes_back_as_it_was_confirmed(desk: Desk) -> None:
    """Product page 6: re-read and compared; faults A39, A41, B39."""
    draft = dataclasses.replace(desk.draft, files=(_FILE, dataclasses.replace(_FILE, filename="b.csv")))
    receipt = desk.create(draft)
    stored = receipt.stored
    assert (receipt.folder, receipt.already_existed, receipt.digest, receipt.reply) == ("Drafts", False, draft.digest(), None)
    assert {(file.filename, file.sha256, file.matches) for file in stored.files} == {
        (_FILE.filename, _FILE.sha256, True),
        ("b.csv", _FILE.sha256, True),
    }
    assert dataclasses.replace(stored, files=()) == StoredDraft(
        verified=True,
        from_address=desk.draft.sender,
        sender_matches=True,
        recipients_match=True,
        subject_matches=True,
        body_matches=True,
        files_match=True,
    )
    assert desk.stored() == 1


def test_the_same_draft_is_found_for_at_least_ten_minutes_and_then_stored_anew(desk: Desk) -> None:
    """Product page 6: a retry can't make a second draft."""
    first = desk.create()
    desk.clock.ahead = 899
    second = desk.create()
    desk.clock.ahead = 900
    third = desk.create()
    assert (second.already_existed, second.uid, second.message_id) == (True, first.uid, first.message_id)
    assert (third.already_existed, third.message_id == first.message_id) == (False, False)
    assert desk.stored() == 2


def test_equal_drafts_at_the_same_moment_become_one(desk: Desk) -> None:
    """As above, under threads: the second waits for the first."""
    receipts: list[Receipt] = []
    threads = [threading.Thread(target=lambda: receipts.append(desk.create())) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(receipt.already_existed for receipt in receipts) == [False, True, True]
    assert len(desk.appends()) == 1


def test_a_lost_answer_is_unknown_and_the_retry_finds_the_draft(desk: Desk) -> None:
    """Product page 6: neither a lost answer nor a restart doubles."""
    desk.fault(on="APPEND", do="drop")
    with pytest.raises(Refusal) as raised:
        desk.create()
    assert (raised.value.code, len(desk.appends())) == (Code.DRAFT_UNKNOWN, 1)
    assert raised.value.message_id is not None
    receipt = desk.create()
    assert receipt.message_id == raised.value.message_id
    assert desk.stored() == 1


def test_a_stored_draft_whose_answer_was_lost_is_found_by_the_retry(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """As above, when Bridge had stored it; fault A39 made a second one."""
    with monkeypatch.context() as patched:
        patched.setattr(creation, "append", _lost)
        with pytest.raises(Refusal) as raised:
            desk.create()
    receipt = desk.create()
    assert (raised.value.code, raised.value.message_id) == (Code.DRAFT_UNKNOWN, receipt.message_id)
    assert (receipt.already_existed, receipt.stored.body_matches, desk.stored()) == (True, True, 1)


def test_an_answer_that_never_comes_ends_with_the_call(desk: Desk) -> None:
    """Product page 3: draft 50 s, then unknown, with the Message-ID to look for."""
    desk.create(dataclasses.replace(desk.draft, subject="warm"))
    desk.fault(on="APPEND", do="stall")
    with pytest.raises(Refusal) as raised:
        desk.create(seconds=2)
    assert raised.value.code is Code.DRAFT_UNKNOWN
    assert raised.value.message_id is not None


def test_a_refused_draft_is_not_repeated(desk: Desk) -> None:
    """Product page 9: never blindly for writes."""
    desk.fault(on="APPEND", do="no", text="[ALERT] secret words of the server")
    with pytest.raises(Refusal) as raised:
        desk.create()
    assert (raised.value.code, raised.value.message_id, len(desk.appends())) == (Code.DRAFT_REFUSED, None, 1)
    assert "secret words" not in raised.value.text


def test_a_draft_that_can_not_be_read_back_is_a_receipt_all_the_same(desk: Desk) -> None:
    """B16's kind: success is never turned into an error."""
    desk.fault(on="UID FETCH", do="no", times=None)
    receipt = desk.create()
    assert (receipt.stored, receipt.uid, receipt.already_existed) == (StoredDraft(), 1, False)
    desk.bridge.control({"do": "clear-faults"})
    assert desk.stored() == 1


def test_without_appenduid_the_draft_is_found_by_its_message_id(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """RFC 4315 leaves APPENDUID to the server."""
    monkeypatch.setattr(creation, "append", _answering(None))
    receipt = desk.create()
    assert (receipt.uid, receipt.stored.verified) == (1, True)


def test_a_draft_that_is_nowhere_is_unknown(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Said to be stored without a place, and not found: nobody knows."""
    monkeypatch.setattr(creation, "append", lambda *_given, **_named: None)
    with pytest.raises(Refusal) as raised:
        desk.create()
    assert raised.value.code is Code.DRAFT_UNKNOWN


def test_a_told_place_where_nothing_lies_is_no_draft(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Attack imap/append-lies: OK with APPENDUID, and nothing was stored; success only after the draft was found."""
    monkeypatch.setattr(creation, "append", lambda *_given, **_named: AppendUid(120_900_004, 4_000))
    with pytest.raises(Refusal) as raised:
        desk.create()
    assert (raised.value.code, desk.stored()) == (Code.DRAFT_UNKNOWN, 0)
    assert raised.value.message_id is not None


def test_a_no_after_storing_is_a_draft(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Attack imap/append-lies: NO after the literal is looked into before anything is said."""
    monkeypatch.setattr(creation, "append", _refused)
    receipt = desk.create()
    assert (receipt.uid, receipt.already_existed, receipt.stored.body_matches, desk.stored()) == (1, False, True, 1)


def test_a_no_that_can_not_be_looked_into_is_unknown(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """As above, when Bridge doesn't let the folder be searched any more."""

    def refused_for_ever(connection: Connection, *, raw_name: str, octets: bytes, flags: tuple[str, ...], call: Call) -> None:
        desk.fault(on="UID SEARCH", do="no", times=None)
        _refused(connection, raw_name=raw_name, octets=octets, flags=flags, call=call)

    monkeypatch.setattr(creation, "append", refused_for_ever)
    with pytest.raises(Refusal) as raised:
        desk.create()
    assert raised.value.code is Code.DRAFT_UNKNOWN
    assert raised.value.message_id is not None


@pytest.mark.parametrize("told", [AppendUid(1, 1), AppendUid(120_900_004, 4_000)])
def test_a_place_that_is_not_the_draft_s_is_not_believed(desk: Desk, monkeypatch: pytest.MonkeyPatch, told: AppendUid) -> None:
    """APPENDUID is checked against UIDVALIDITY and the Message-ID before it is passed on."""
    monkeypatch.setattr(creation, "append", _answering(told))
    receipt = desk.create()
    assert (receipt.uid, receipt.stored.verified) == (1, True)


def test_another_draft_under_the_told_uid_is_not_taken_for_ours(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """As above, with a uid that exists."""
    first = desk.create(dataclasses.replace(desk.draft, subject="other"))
    monkeypatch.setattr(creation, "append", _answering(AppendUid(first.uid_validity, first.uid)))
    receipt = desk.create()
    assert (receipt.uid, receipt.stored.subject_matches) == (2, True)


def test_a_draft_edited_elsewhere_is_found_and_reported_as_different(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """`stored` says honestly what is there."""
    changed = dataclasses.replace(desk.draft, subject="x", body="y", to=("other@okafor.example",), files=(_FILE,))
    monkeypatch.setattr(ConfirmedDraft, "digest", lambda _: "0" * 64)
    first = desk.create(desk.draft)
    again = desk.create(changed)
    assert (again.already_existed, again.uid) == (True, first.uid)
    assert again.stored == StoredDraft(verified=True, from_address=desk.draft.sender, sender_matches=True)


def test_a_disabled_sender_is_seen_in_the_receipt(desk: Desk) -> None:
    """Fault A50: Bridge stores the primary address instead."""
    receipt = desk.create(dataclasses.replace(desk.draft, sender="off@keller.example"))
    assert (receipt.stored.from_address, receipt.stored.sender_matches) == ("ada@keller.example", False)


def test_a_reply_names_its_parent_and_the_receipt_says_that_bridge_dropped_it(bridge: Bridge, desk: Desk) -> None:
    """Product page 6: `threading_verified` is true only if the stored draft still carries the parent."""
    bridge.reset("replies")
    with desk.pool.examine("INBOX", Call(desk.clock, seconds=30)) as mailbox:
        uid, validity = 1, mailbox.uid_validity
        envelope = mailbox.message(uid).envelope
    assert envelope is not None
    parent = Parent("INBOX", uid, envelope.message_id.decode(), validity)
    receipt = desk.create(dataclasses.replace(desk.draft, parent=parent))
    assert receipt.reply is not None
    assert receipt.reply.in_reply_to == receipt.reply.references[-1] == parent.message_id
    assert 2 <= len(receipt.reply.references) <= 20
    assert (receipt.stored.in_reply_to_kept, receipt.stored.references_kept) == (False, False)
    for wrong in (
        dataclasses.replace(parent, message_id="<other@x.example>"),
        dataclasses.replace(parent, uid=4_000),
    ):
        with pytest.raises(Refusal) as raised:
            desk.create(dataclasses.replace(desk.draft, parent=wrong))
        assert raised.value.code is Code.REPLY_TARGET_CHANGED
    with pytest.raises(Refusal) as raised:
        desk.create(dataclasses.replace(desk.draft, parent=dataclasses.replace(parent, folder="Nowhere")))
    assert raised.value.code is Code.MAILBOX_NOT_FOUND
    desk.references.show("INBOX", validity + 1, (uid,))
    with pytest.raises(Refusal) as raised:
        desk.create(dataclasses.replace(desk.draft, parent=dataclasses.replace(parent, uid_validity=None)))
    assert raised.value.code is Code.REPLY_TARGET_CHANGED
    assert len(desk.appends()) == 1


def test_a_draft_at_the_size_where_bridge_breaks_off_never_connects(desk: Desk) -> None:
    """Bridge behaviour 1.8: a literal of 30 MiB and more drops the connection; fault A35."""
    before = len(desk.bridge.journal())
    large = dataclasses.replace(_FILE, octets=b"\0" * 23_000_000)
    with pytest.raises(Refusal) as raised:
        desk.create(dataclasses.replace(desk.draft, files=(large,)))
    assert (raised.value.code, len(desk.bridge.journal())) == (Code.DRAFT_TOO_LARGE, before)


def test_a_message_that_was_composed_wrongly_is_not_stored(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """The round trip comes before APPEND."""
    monkeypatch.setattr(creation, "compose", lambda *_given, **_named: b"Subject: other\r\n\r\n")
    with pytest.raises(ComposedWrongly):
        desk.create()
    assert desk.appends() == []


def test_a_cancel_ends_the_wait_for_an_equal_draft(desk: Desk) -> None:
    """Product page 3: a cancelled call stops at once."""
    turns, call = OneAtATime(), Call(desk.clock, seconds=60)
    ended = threading.Event()

    def wait() -> None:
        with pytest.raises(CallCancelled), turns.turn("digest", call):
            raise AssertionError("it was not its turn")
        ended.set()

    with turns.turn("digest", Call(desk.clock, seconds=60)):
        thread = threading.Thread(target=wait)
        thread.start()
        call.cancel()
        assert ended.wait(30)
    thread.join(30)
    with turns.turn("digest", Call(desk.clock, seconds=60)):
        pass
