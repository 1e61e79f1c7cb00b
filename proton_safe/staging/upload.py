"""One declared file on its way in, and the values that callers get to see of it."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from proton_safe.refusals import Code, Refusal

if TYPE_CHECKING:
    from proton_safe.staging.file_types import FileType

_TOKEN: Final = re.compile(r"([0-9a-f]{32})\.([A-Za-z0-9_-]{43})")


@dataclass(frozen=True, slots=True)
class StagedFile:
    """A complete, checked file."""

    filename: str
    content_type: str
    sha256: str
    octets: bytes


@dataclass(frozen=True, slots=True)
class Begun:
    """An open upload; `expires_at` in Unix seconds."""

    upload_id: str
    max_chunk_bytes: int
    expires_at: int


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an upload is, in octets and chunks."""

    received_bytes: int
    expected_bytes: int
    next_chunk: int


@dataclass(frozen=True, slots=True)
class Finished:
    """A staged file and the token that names it once."""

    attachment_token: str
    filename: str
    content_type: str
    size_bytes: int
    sha256: str
    expires_at: int


@dataclass(slots=True)
class Upload:
    """The state of one upload; belongs to the store and changes under its lock only.

    Both clocks count: the wall clock for the second that was promised, the steady one so that setting the wall clock back revives
    nothing.
    """

    upload_id: str
    filename: str
    file_type: FileType
    size: int
    sha256: str
    expires_at: int
    steady_end: float
    received: int = 0
    next_chunk: int = 0
    secret_sha256: bytes | None = None
    claimed: bool = False
    digest: hashlib._Hash = field(default_factory=hashlib.sha256)

    @property
    def ready(self) -> bool:
        """Whether the upload is finished and has a token."""
        return self.secret_sha256 is not None

    def expired(self, *, wall: float, steady: float) -> bool:
        """Whether the second of expiry is over."""
        return int(wall) > self.expires_at or steady >= self.steady_end

    def new_token(self) -> str:
        """The token of the finished upload; only the hash of its secret is kept."""
        secret = secrets.token_urlsafe(32)
        self.secret_sha256 = hashlib.sha256(secret.encode("ascii")).digest()
        return f"{self.upload_id}.{secret}"

    def accepts(self, secret: str) -> bool:
        """Whether this is the secret of the token, compared in constant time."""
        return self.secret_sha256 is not None and hmac.compare_digest(self.secret_sha256, hashlib.sha256(secret.encode("ascii")).digest())


def split_token(token: str) -> tuple[str, str]:
    """Upload id and secret of a token; `attachment-token` if it has another form."""
    found = _TOKEN.fullmatch(token)
    if found is None:
        raise Refusal(Code.ATTACHMENT_TOKEN)
    return found[1], found[2]


def decode_chunk(data_base64: str) -> bytes:
    """The octets of canonical base64 (RFC 4648 3.3, 3.5, 4): standard alphabet, padding, zero pad bits, nothing else.

    Raises `arguments-invalid` for any other text and for no octets at all.
    """
    try:
        written = data_base64.encode("ascii")
        octets = base64.b64decode(written, validate=True)
    except (UnicodeEncodeError, binascii.Error):
        octets = b""
        written = b""
    if not octets or base64.b64encode(octets) != written:
        raise Refusal(Code.ARGUMENTS_INVALID, field="data_base64", rule="must be canonical base64 of at least one octet")
    return octets
