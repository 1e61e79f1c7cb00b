"""A staging store on a folder of the test, with a clock that the test moves."""

from __future__ import annotations

import base64
import hashlib
from typing import TYPE_CHECKING

import pytest

from proton_safe.config import Config
from proton_safe.staging.store import StagingStore

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class HandClock:
    """Time that passes when a test says so; wall and steady clock apart."""

    def __init__(self) -> None:
        self.wall = 1_700_000_000.25
        self.steady = 50.0

    def monotonic(self) -> float:
        """Seconds that only grow."""
        return self.steady

    def time(self) -> float:
        """Seconds since 1970."""
        return self.wall

    def pass_seconds(self, seconds: float) -> None:
        """Both clocks go on."""
        self.wall += seconds
        self.steady += seconds


class Uploader:
    """Uploads files as a client does."""

    def __init__(self, store: StagingStore) -> None:
        self.store = store

    def begin(self, octets: bytes, *, filename: str = "notes.txt", content_type: str = "text/plain", sha256: str | None = None) -> str:
        """Begin; returns the upload's id."""
        digest = sha256 or hashlib.sha256(octets).hexdigest()
        return self.store.begin(filename=filename, content_type=content_type, size_bytes=len(octets), sha256_hex=digest).upload_id

    def chunk(self, upload_id: str, index: int, octets: bytes) -> None:
        """Send one chunk."""
        self.store.add_chunk(upload_id=upload_id, chunk_index=index, data_base64=base64.b64encode(octets).decode())

    def stage(self, octets: bytes = b"octets", *, filename: str = "notes.txt", content_type: str = "text/plain") -> str:
        """Upload in one chunk and finish; returns the token."""
        upload_id = self.begin(octets, filename=filename, content_type=content_type)
        self.chunk(upload_id, 0, octets)
        return self.store.finish(upload_id).attachment_token


@pytest.fixture
def clock() -> HandClock:
    """A clock that the test moves."""
    return HandClock()


@pytest.fixture
def config(tmp_path: Path) -> Config:
    """A configuration with a state folder of the test."""
    return Config(
        "ada@harbour.example", (), 1143, None, tmp_path / "state", max_chunk_bytes=1_000, max_attachment_bytes=20_000, upload_ttl_seconds=60
    )


@pytest.fixture
def store(config: Config, clock: HandClock) -> Iterator[StagingStore]:
    """A store; what it holds ends with the test."""
    made = StagingStore(config, clock)
    yield made
    made.close()


@pytest.fixture
def uploader(store: StagingStore) -> Uploader:
    """Uploads into the store."""
    return Uploader(store)
