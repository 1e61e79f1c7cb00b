"""The uploads of this process: begin, chunks, finish, discard, and the claim that a draft makes on finished ones.

Every refusal leaves an upload unchanged or destroys it, never something between. Destroyed: too many octets, wrong digest, content
that isn't the declared type, a failed write. All state is in memory under one lock; only the octets are on disk.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import secrets
import threading
from typing import TYPE_CHECKING, Final

from proton_safe.refusals import Code, Refusal
from proton_safe.staging.area import Area, sweep
from proton_safe.staging.claim import Claim
from proton_safe.staging.file_types import declared_type
from proton_safe.staging.filenames import check_filename
from proton_safe.staging.signatures import check_content
from proton_safe.staging.upload import Begun, Finished, Progress, StagedFile, Upload, decode_chunk, split_token
from proton_safe.state_folder import in_state_folder

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from proton_safe.call import Clock
    from proton_safe.config import Config

MAX_OPEN: Final = 10
MAX_STAGED: Final = 40
MAX_STAGED_OCTETS: Final = 104_857_600
SWEEP_EVERY_S: Final = 60.0


class StagingStore:
    """Thread-safe. `start` sweeps what dead servers left and begins the timer; `close` destroys everything."""

    def __init__(self, config: Config, clock: Clock) -> None:
        self._config = config
        self._clock = clock
        self._lock = threading.RLock()
        self._uploads: dict[str, Upload] = {}
        self._area: Area | None = None
        self._stop = threading.Event()
        self._timer: threading.Thread | None = None

    def start(self) -> None:
        """Sweep once and then on a timer. Makes no folder; does nothing when called again or after `close`."""
        with self._lock:
            if self._timer is not None or self._stop.is_set():
                return
            self._timer = threading.Thread(target=self._sweep_on_time, name="staging sweep", daemon=True)
        self._timer.start()

    def begin(self, *, filename: str, content_type: str, size_bytes: int, sha256_hex: str) -> Begun:
        """Declare a file. Checks in this order: name, type, size, quota."""
        check_filename(filename)
        file_type = declared_type(filename, content_type)
        if size_bytes > self._config.max_attachment_bytes:
            raise Refusal(Code.ATTACHMENT_TOO_LARGE)
        self.start()
        with self._lock:
            self._destroy_expired()
            self._check_quota(size_bytes)
            if self._area is None:
                with in_state_folder():
                    self._area = Area.open(self._config.state_dir)
            upload = Upload(
                upload_id=secrets.token_hex(16),
                filename=filename,
                file_type=file_type,
                size=size_bytes,
                sha256=sha256_hex,
                expires_at=int(self._clock.time()) + self._config.upload_ttl_seconds,
                steady_end=self._clock.monotonic() + self._config.upload_ttl_seconds + 1,
            )
            with in_state_folder():
                self._area.create(upload.upload_id)
            self._uploads[upload.upload_id] = upload
        return Begun(upload.upload_id, self._config.max_chunk_bytes, upload.expires_at)

    def add_chunk(self, *, upload_id: str, chunk_index: int, data_base64: str) -> Progress:
        """Append the next chunk. Checks in this order: upload, base64, chunk size, order, declared size."""
        self._open_upload(upload_id)
        octets = decode_chunk(data_base64)
        if len(octets) > self._config.max_chunk_bytes:
            raise Refusal(Code.CHUNK_TOO_LARGE)
        with self._lock, self._destroyed_on_error(upload_id):
            upload, area = self._open_upload(upload_id)
            if chunk_index != upload.next_chunk:
                raise Refusal(Code.CHUNK_ORDER)
            if upload.received + len(octets) > upload.size:
                self._destroy(upload_id)
                raise Refusal(Code.UPLOAD_OVERRUN)
            area.append(upload_id, octets)
            upload.digest.update(octets)
            upload.received += len(octets)
            upload.next_chunk += 1
            return Progress(upload.received, upload.size, upload.next_chunk)

    def finish(self, upload_id: str) -> Finished:
        """Check a complete upload and hand out its token. Checks in this order: upload, completeness, digest, content."""
        with self._lock, self._destroyed_on_error(upload_id):
            upload, area = self._open_upload(upload_id)
            if upload.received != upload.size:
                raise Refusal(Code.UPLOAD_INCOMPLETE)
            try:
                if not hmac.compare_digest(upload.digest.hexdigest(), upload.sha256):
                    raise Refusal(Code.HASH_MISMATCH)
                check_content(upload.file_type, self._octets(upload, area))
            except Refusal:
                self._destroy(upload_id)
                raise
            token = upload.new_token()
        return Finished(token, upload.filename, upload.file_type.value, upload.size, upload.sha256, upload.expires_at)

    def discard(self, token_or_id: str) -> None:
        """Destroy a finished upload by its token, or an open one by its id. One refusal for whatever can't be discarded."""
        with self._lock:
            upload = self._uploads.get(token_or_id)
            if upload is not None and (upload.ready or self._is_expired(upload)):
                upload = None
            upload = upload or self._by_token(token_or_id)
            with in_state_folder():
                self._destroy(upload.upload_id)

    def claim(self, tokens: Sequence[str]) -> Claim:
        """Take finished uploads for one draft, all or none: nobody else can claim or discard them until the claim ends.

        All files together stay within the limit of one; that is judged before any is read. Raises `attachment-token`;
        `arguments-invalid` for a token named twice; `attachment-too-large`; `hash-mismatch` if stored octets have changed.
        """
        with self._lock:
            uploads = [self._by_token(token) for token in tokens]
            if len({upload.upload_id for upload in uploads}) != len(uploads):
                raise Refusal(Code.ARGUMENTS_INVALID, field="attachment_tokens", rule="must name each upload once")
            if sum(upload.size for upload in uploads) > self._config.max_attachment_bytes:
                raise Refusal(Code.ATTACHMENT_TOO_LARGE, field="attachment_tokens", rule="all files together count")
            files: list[StagedFile] = []
            for upload in uploads:
                with self._destroyed_on_error(upload.upload_id):
                    octets = self._octets(upload, self._area)
                files.append(StagedFile(upload.filename, upload.file_type.value, upload.sha256, octets))
            for upload in uploads:
                upload.claimed = True
        ids = tuple(upload.upload_id for upload in uploads)
        return Claim(tuple(files), release=lambda: self._release(ids), destroy=lambda: self._destroy_claimed(ids))

    def sweep(self) -> None:
        """Destroy what has expired, here and in the folders of servers that no longer live."""
        with self._lock:
            self._destroy_expired()
        sweep(self._config.state_dir)

    def close(self) -> None:
        """Stop the timer and destroy everything. May be called more than once."""
        self._stop.set()
        with self._lock:
            self._uploads.clear()
            area, self._area = self._area, None
        if area is not None:
            area.close()

    def _sweep_on_time(self) -> None:
        self.sweep()
        while not self._stop.wait(SWEEP_EVERY_S):
            self.sweep()

    def _check_quota(self, size: int) -> None:
        uploads = self._uploads.values()
        still_open = sum(not upload.ready for upload in uploads)
        if still_open >= MAX_OPEN or len(uploads) >= MAX_STAGED or sum(upload.size for upload in uploads) + size > MAX_STAGED_OCTETS:
            raise Refusal(Code.UPLOAD_QUOTA)

    def _open_upload(self, upload_id: str) -> tuple[Upload, Area]:
        with self._lock:
            self._destroy_expired()
            upload = self._uploads.get(upload_id)
            if upload is None or upload.ready or self._area is None:
                raise Refusal(Code.UPLOAD_NOT_FOUND)
            return upload, self._area

    def _by_token(self, token: str) -> Upload:
        upload_id, secret = split_token(token)
        self._destroy_expired()
        upload = self._uploads.get(upload_id)
        if upload is None or upload.claimed or not upload.accepts(secret):
            raise Refusal(Code.ATTACHMENT_TOKEN)
        return upload

    def _octets(self, upload: Upload, area: Area | None) -> bytes:
        """The stored octets, which must still be those that were declared."""
        with in_state_folder():
            octets = area.read(upload.upload_id, size=upload.size) if area is not None else b""
        if not hmac.compare_digest(hashlib.sha256(octets).hexdigest(), upload.sha256):
            self._destroy(upload.upload_id)
            raise Refusal(Code.HASH_MISMATCH)
        return octets

    @contextlib.contextmanager
    def _destroyed_on_error(self, upload_id: str) -> Iterator[None]:
        """A failing disk leaves no half upload behind."""
        try:
            with in_state_folder():
                yield
        except Refusal as refusal:
            if refusal.code is Code.STATE_FOLDER_UNUSABLE:
                with contextlib.suppress(OSError):
                    self._destroy(upload_id)
            raise

    def _is_expired(self, upload: Upload) -> bool:
        return not upload.claimed and upload.expired(wall=self._clock.time(), steady=self._clock.monotonic())

    def _destroy_expired(self) -> None:
        for upload in tuple(self._uploads.values()):
            if self._is_expired(upload):
                with contextlib.suppress(OSError):
                    self._destroy(upload.upload_id)

    def _destroy(self, upload_id: str) -> None:
        self._uploads.pop(upload_id, None)
        if self._area is not None:
            self._area.destroy(upload_id)

    def _release(self, upload_ids: tuple[str, ...]) -> None:
        with self._lock:
            for upload_id in upload_ids:
                upload = self._uploads.get(upload_id)
                if upload is not None:
                    upload.claimed = False

    def _destroy_claimed(self, upload_ids: tuple[str, ...]) -> bool:
        """Destroy what a draft has used; False if a file could not be removed (the token is void all the same)."""
        gone = True
        with self._lock:
            for upload_id in upload_ids:
                try:
                    self._destroy(upload_id)
                except OSError:
                    gone = False
        return gone
