"""Uploads as a state machine: every refusal leaves an upload as it was or destroys it."""

from __future__ import annotations

import base64
import hashlib
import tempfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule, run_state_machine_as_test

from proton_safe.config import Config
from proton_safe.refusals import Code, Refusal
from proton_safe.staging.area import UPLOADS
from proton_safe.staging.store import StagingStore
from proton_safe.staging.upload import decode_chunk
from tests.unit.staging.conftest import HandClock, Uploader

if TYPE_CHECKING:
    from collections.abc import Callable


def _code(act: Callable[[], object]) -> Code | None:
    try:
        act()
    except Refusal as refusal:
        return refusal.code
    return None


def _parts(config: Config) -> list[str]:
    return sorted(path.name for path in (config.state_dir / UPLOADS).rglob("*.part"))


def _lax(text: str) -> bytes:
    """What a tolerant decoder makes of it, nothing if it gives up."""
    try:
        return base64.b64decode(text)
    except ValueError:
        return b""


@given(st.text(alphabet="QUJDRw+/-_= \n!A9\u0663", max_size=12))
def test_a_chunk_is_accepted_exactly_if_its_octets_encode_to_it(text: str) -> None:
    """Attack catalogue, stage/base64-lax: one encoding for the same octets."""
    accepted = _code(lambda: decode_chunk(text)) is None
    assert accepted == (text != "" and base64.b64encode(_lax(text)).decode() == text)
    assert not accepted or decode_chunk(text) == _lax(text)


@pytest.mark.parametrize("text", ["QUJ D", "QUJD\n", "QUJD==", "QUJD=", "QR==", "QQ==QQ==", "QU-_", "=QUJD", "QUJD!", "====", "", "QUJ="])
def test_other_writings_of_base64_are_refused(text: str) -> None:
    """The rows of stage/base64-lax, most of which a lax decoder takes."""
    with pytest.raises(Refusal):
        decode_chunk(text)


@given(st.binary(min_size=1, max_size=300))
def test_every_octet_string_has_its_chunk(octets: bytes) -> None:
    """RFC 4648 4."""
    assert decode_chunk(base64.b64encode(octets).decode()) == octets


class Uploads(RuleBasedStateMachine):
    """One upload, driven at random, beside a model of what it should hold."""

    base: ClassVar[Path]

    @initialize(octets=st.binary(min_size=1, max_size=60).map(lambda raw: raw.hex().encode()))
    def begin(self, octets: bytes) -> None:
        """Declare a file in a state folder of its own."""
        self.folder = Path(tempfile.mkdtemp(dir=self.base)) / "state"
        self.store = StagingStore(Config("a@b.example", (), 1143, None, self.folder, max_chunk_bytes=40), HandClock())
        self.octets, self.received, self.chunks, self.state = octets, b"", 0, "open"
        self.id = self.store.begin(
            filename="a.txt", content_type="text/plain", size_bytes=len(octets), sha256_hex=hashlib.sha256(octets).hexdigest()
        ).upload_id

    @rule(index=st.integers(0, 4), size=st.integers(1, 50), honest=st.booleans())
    def chunk(self, index: int, size: int, honest: bool) -> None:
        """Send a piece, in order or not, the right one or not."""
        data = self.octets[len(self.received) :][:size] if honest else b"z" * size
        if not data:
            return
        found = _code(lambda: self.store.add_chunk(upload_id=self.id, chunk_index=index, data_base64=base64.b64encode(data).decode()))
        assert found is self._expected(index, data)
        if found is None:
            self.received, self.chunks = self.received + data, self.chunks + 1
        elif found is Code.UPLOAD_OVERRUN:
            self.state = "gone"

    def _expected(self, index: int, data: bytes) -> Code | None:
        if self.state != "open":
            return Code.UPLOAD_NOT_FOUND
        if len(data) > 40:
            return Code.CHUNK_TOO_LARGE
        if index != self.chunks:
            return Code.CHUNK_ORDER
        return Code.UPLOAD_OVERRUN if len(self.received) + len(data) > len(self.octets) else None

    @rule()
    def finish(self) -> None:
        """Finish, complete or not."""
        expected = Code.UPLOAD_NOT_FOUND
        if self.state == "open":
            expected = Code.UPLOAD_INCOMPLETE if len(self.received) < len(self.octets) else Code.HASH_MISMATCH
        found: Code | None = None
        try:
            self.token = self.store.finish(self.id).attachment_token
        except Refusal as refusal:
            found = refusal.code
        if self.state == "open" and self.received == self.octets:
            assert found is None
            self.state = "ready"
        else:
            assert found is expected
            self.state = "gone" if found is Code.HASH_MISMATCH else self.state

    @precondition(lambda self: self.state == "ready")
    @rule()
    def claim(self) -> None:
        """A finished upload holds what was sent, and a released claim changes nothing."""
        with self.store.claim([self.token]) as claim:
            assert [file.octets for file in claim.files] == [self.octets]

    @rule(by_id=st.booleans())
    def discard(self, by_id: bool) -> None:
        """Discard by id while open, by token when finished."""
        name = self.id if by_id or self.state != "ready" else self.token
        fits = self.state == ("open" if by_id else "ready") if self.state != "open" else True
        found = _code(lambda: self.store.discard(name))
        if self.state in {"open", "ready"} and fits:
            assert found is None
            self.state = "gone"
        else:
            assert found is Code.ATTACHMENT_TOKEN

    @invariant()
    def files_on_disk(self) -> None:
        """The folder holds exactly the file of a living upload, of the right size."""
        if not hasattr(self, "state"):
            return
        sizes = [path.stat().st_size for path in self.folder.rglob("*.part")]
        assert sizes == ([] if self.state == "gone" else [len(self.received)])

    def teardown(self) -> None:
        """Everything goes with the store."""
        if hasattr(self, "store"):
            self.store.close()
            assert list((self.folder / UPLOADS).iterdir()) == []


def test_an_upload_is_never_half_changed(tmp_path: Path) -> None:
    """Attack catalogue, stage: every refusal leaves the upload unchanged or destroyed."""
    Uploads.base = tmp_path
    run_state_machine_as_test(Uploads, settings=settings(deadline=None, max_examples=60, stateful_step_count=20))


@pytest.mark.parametrize("wall, steady", [(60.74, 60.74), (60.74, 0), (-86_400, 60.9)])
def test_a_token_lives_through_its_last_second(uploader: Uploader, clock: HandClock, wall: float, steady: float) -> None:
    """Seed contract 1.4: valid through the second of expiry; attack catalogue, stage/clock-jumps."""
    token = uploader.stage()
    clock.wall, clock.steady = clock.wall + wall, clock.steady + steady
    with uploader.store.claim([token]) as claim:
        assert len(claim.files) == 1


@pytest.mark.parametrize("wall, steady", [(60.75, 60.75), (60.75, 0), (-86_400, 61), (86_400, 0)])
def test_a_token_ends_with_its_last_second_by_either_clock(
    uploader: Uploader, config: Config, clock: HandClock, wall: float, steady: float
) -> None:
    """Attack catalogue, stage/ttl-edge and stage/clock-jumps: a clock set back revives nothing."""
    token = uploader.stage()
    still_open = uploader.begin(b"never sent")
    clock.wall, clock.steady = clock.wall + wall, clock.steady + steady
    with pytest.raises(Refusal) as raised:
        uploader.store.claim([token])
    assert raised.value.code is Code.ATTACHMENT_TOKEN
    assert _code(lambda: uploader.chunk(still_open, 0, b"x")) is Code.UPLOAD_NOT_FOUND
    assert _code(lambda: uploader.store.discard(still_open)) is Code.ATTACHMENT_TOKEN
    assert _parts(config) == []


def test_a_claimed_file_outlives_its_expiry_until_the_draft_is_done(uploader: Uploader, config: Config, clock: HandClock) -> None:
    """A draft that began in time keeps its files."""
    token = uploader.stage()
    with uploader.store.claim([token]):
        clock.pass_seconds(3_600)
        uploader.store.sweep()
        assert len(_parts(config)) == 1
    uploader.store.sweep()
    assert _parts(config) == []


def test_only_one_of_many_claims_wins(uploader: Uploader) -> None:
    """Attack catalogue, stage/token-race: fault A28 made three drafts."""
    token = uploader.stage()
    together, tried = threading.Barrier(8), threading.Barrier(8)
    ends: list[Code | None] = []

    def attempt() -> None:
        together.wait(30)
        try:
            claim = uploader.store.claim([token])
        except Refusal as refusal:
            ends.append(refusal.code)
            tried.wait(30)
            return
        with claim:
            ends.append(None)
            tried.wait(30)

    threads = [threading.Thread(target=attempt) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(map(str, ends)) == sorted(["None", *["attachment-token"] * 7])
    uploader.store.discard(token)


def test_a_discard_during_a_draft_is_refused(uploader: Uploader) -> None:
    """Attack catalogue, stage/token-race: discard during commit."""
    token = uploader.stage()
    with uploader.store.claim([token]) as claim:
        assert _code(lambda: uploader.store.discard(token)) is Code.ATTACHMENT_TOKEN
        assert claim.destroy()
    assert _code(lambda: uploader.store.claim([token])) is Code.ATTACHMENT_TOKEN


@pytest.mark.parametrize(
    "spoil",
    [
        lambda t: t[:-1] + ("A" if t[-1] != "A" else "B"),
        str.upper,
        lambda t: t[:32],
        lambda _: "",
        lambda t: t * 9,
        lambda t: "0" * 32 + t[32:],
    ],
)
def test_a_token_that_was_not_given_out_is_unknown(uploader: Uploader, spoil: Callable[[str], str]) -> None:
    """Attack catalogue, stage/token-guess: one answer for all."""
    token = uploader.stage()
    for act in (lambda: uploader.store.claim([spoil(token)]), lambda: uploader.store.discard(spoil(token))):
        assert _code(act) is Code.ATTACHMENT_TOKEN
    assert uploader.store.claim([token]).files


def test_one_unknown_token_claims_nothing(uploader: Uploader) -> None:
    """All or none."""
    first, second = uploader.stage(), uploader.stage()
    uploader.store.discard(second)
    assert _code(lambda: uploader.store.claim([first, second])) is Code.ATTACHMENT_TOKEN
    assert _code(lambda: uploader.store.claim([first, first])) is Code.ARGUMENTS_INVALID
    with uploader.store.claim([first]) as claim:
        assert len(claim.files) == 1


def test_files_that_are_too_large_together_are_not_read(uploader: Uploader, config: Config) -> None:
    """Product page 10: a size is judged before the octets are in memory. Reading would find that one has changed."""
    tokens = [uploader.stage(bytes([65 + number]) * 1_000) for number in range(21)]
    for part in (config.state_dir / UPLOADS).rglob("*.part"):
        part.write_bytes(b"changed")
    assert _code(lambda: uploader.store.claim(tokens)) is Code.ATTACHMENT_TOO_LARGE
    assert len(_parts(config)) == len(tokens)


def test_bytes_that_changed_on_disk_are_found_and_destroyed(uploader: Uploader, config: Config) -> None:
    """Seed contract 1.4: computed again on each load for a draft."""
    token = uploader.stage(b"as confirmed")
    (part,) = (config.state_dir / UPLOADS).rglob("*.part")
    part.write_bytes(b"as CHANGED!!")
    assert _code(lambda: uploader.store.claim([token])) is Code.HASH_MISMATCH
    assert _code(lambda: uploader.store.claim([token])) is Code.ATTACHMENT_TOKEN
    assert _parts(config) == []


def test_a_finished_upload_whose_content_lies_is_destroyed(uploader: Uploader, config: Config) -> None:
    """Fault A33: `MZ` as report.pdf got a token."""
    upload = uploader.begin(b"MZ\x90 a program", filename="report.pdf", content_type="application/pdf")
    uploader.chunk(upload, 0, b"MZ\x90 a program")
    assert _code(lambda: uploader.store.finish(upload)) is Code.ATTACHMENT_TYPE_MISMATCH
    assert _parts(config) == []


def test_quotas_count_open_uploads_and_all_declared_bytes(config: Config, clock: HandClock) -> None:
    """Attack catalogue, stage/parallel-begin; fault A32."""
    store = StagingStore(Config("a@b.example", (), 1143, None, config.state_dir), clock)
    uploader = Uploader(store)
    ids = [uploader.begin(b"x") for _ in range(10)]
    assert _code(lambda: uploader.begin(b"x")) is Code.UPLOAD_QUOTA
    for upload_id in ids:
        store.discard(upload_id)
    large = {"filename": "a.txt", "content_type": "text/plain", "size_bytes": 20_971_520, "sha256_hex": "0" * 64}
    for _ in range(5):
        store.begin(**large)  # type: ignore[arg-type] # a table of keyword arguments
    assert _code(lambda: uploader.begin(b"x")) is Code.UPLOAD_QUOTA
    store.close()
    store.close()


def test_finished_uploads_are_bounded_in_number_too(uploader: Uploader) -> None:
    """Attack catalogue, stage/parallel-begin: inodes."""
    for _ in range(40):
        uploader.stage(b"x")
    assert _code(lambda: uploader.begin(b"x")) is Code.UPLOAD_QUOTA


def test_a_disk_that_fails_destroys_the_upload(uploader: Uploader, config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    """Attack catalogue, stage/disk-full: no partial file is taken for a whole one."""
    upload = uploader.begin(b"octets")

    def full(*_arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("proton_safe.staging.area.write_all", full)
    assert _code(lambda: uploader.chunk(upload, 0, b"octets")) is Code.STATE_FOLDER_UNUSABLE
    assert _code(lambda: uploader.store.finish(upload)) is Code.UPLOAD_NOT_FOUND
    assert _parts(config) == []


def test_a_finished_upload_that_can_not_be_removed_is_not_said_to_be_gone(uploader: Uploader, monkeypatch: pytest.MonkeyPatch) -> None:
    """The octets may still lie there, and the person who can look must be told."""
    token = uploader.stage()

    def stuck(*_arguments: object) -> None:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patched:
        patched.setattr("proton_safe.staging.area.PrivateFolder.remove", stuck)
        assert _code(lambda: uploader.store.discard(token)) is Code.STATE_FOLDER_UNUSABLE


def test_a_file_that_can_not_be_removed_voids_the_token_all_the_same(uploader: Uploader, monkeypatch: pytest.MonkeyPatch) -> None:
    """The receipt's cleanup warning."""
    token = uploader.stage()

    def stuck(*_arguments: object) -> None:
        raise OSError(5, "Input/output error")

    with uploader.store.claim([token]) as claim, monkeypatch.context() as patched:
        patched.setattr("proton_safe.staging.area.PrivateFolder.remove", stuck)
        assert not claim.destroy()
    assert _code(lambda: uploader.store.claim([token])) is Code.ATTACHMENT_TOKEN
