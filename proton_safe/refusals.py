"""Every way in which a call can end without a result: the closed set of codes and what each one means.

A code's row says who must act, whether the same call may be made again, a constant sentence, and the next step.
Nothing that a sender, a caller or a library wrote ever becomes part of these texts.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping


class Actor(StrEnum):
    """Who must act so that the call can succeed."""

    CALLER = "caller"
    POLICY = "policy"
    CONTENT = "content"
    BRIDGE_UNAVAILABLE = "bridge-unavailable"
    BRIDGE_MISBEHAVED = "bridge-misbehaved"
    BUG = "our-bug"


class Code(StrEnum):
    """The closed set of refusal codes. A code enters together with the conformance case that shows it."""

    ARGUMENTS_INVALID = "arguments-invalid"
    BUSY = "busy"
    MAILBOX_NOT_FOUND = "mailbox-not-found"
    MAILBOX_CHANGED = "mailbox-changed"
    MESSAGE_NOT_FOUND = "message-not-found"
    ATTACHMENT_NOT_FOUND = "attachment-not-found"
    ATTACHMENT_TOKEN = "attachment-token"  # noqa: S105 - a code, not a secret
    UPLOAD_NOT_FOUND = "upload-not-found"
    UPLOAD_INCOMPLETE = "upload-incomplete"
    UPLOAD_OVERRUN = "upload-overrun"
    UPLOAD_QUOTA = "upload-quota"
    CHUNK_ORDER = "chunk-order"
    CHUNK_TOO_LARGE = "chunk-too-large"
    HASH_MISMATCH = "hash-mismatch"
    ATTACHMENT_TYPE = "attachment-type"
    ATTACHMENT_TYPE_MISMATCH = "attachment-type-mismatch"
    ATTACHMENT_TOO_LARGE = "attachment-too-large"
    ATTACHMENT_TOO_COMPLEX = "attachment-too-complex"
    ATTACHMENT_EMPTY = "attachment-empty"
    BODY_TOO_LARGE = "body-too-large"
    DRAFT_TOO_LARGE = "draft-too-large"
    SENDER_NOT_ALLOWED = "sender-not-allowed"
    THREADING_UNSUPPORTED = "threading-unsupported"
    REPLY_TARGET_CHANGED = "reply-target-changed"
    DRAFTS_UNAVAILABLE = "drafts-unavailable"
    DRAFT_REFUSED = "draft-refused"
    DRAFT_UNKNOWN = "draft-unknown"
    CONTENT_UNREADABLE = "content-unreadable"
    PDF_ENCRYPTED = "pdf-encrypted"
    PDF_MALFORMED = "pdf-malformed"
    PDF_NO_TEXT = "pdf-no-text"
    PDF_LIMIT = "pdf-limit"
    PDF_DEADLINE = "pdf-deadline"
    PDF_MEMORY = "pdf-memory"
    BRIDGE_UNREACHABLE = "bridge-unreachable"
    BRIDGE_REFUSED = "bridge-refused"
    CONNECTION_LOST = "connection-lost"
    TLS_REQUIRED = "tls-required"
    CERTIFICATE_CHANGED = "certificate-changed"
    LOGIN_FAILED = "login-failed"
    LOGIN_UNANSWERED = "login-unanswered"
    CREDENTIAL_MISSING = "CREDENTIAL_MISSING"
    KEYRING_UNAVAILABLE = "KEYRING_UNAVAILABLE"
    KEYRING_LOCKED = "KEYRING_LOCKED"
    STATE_FOLDER_UNUSABLE = "state-folder-unusable"
    DEADLINE = "deadline"
    BAD_RESPONSE = "bad-response"
    INTERNAL_ERROR = "internal-error"


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a code says: who must act, whether the same call may be repeated as it is, the sentence, the next step."""

    actor: Actor
    retryable: bool
    sentence: str
    next_step: str


def _again(actor: Actor, sentence: str, next_step: str) -> Meaning:
    """The same call may be made again as it is."""
    return Meaning(actor, retryable=True, sentence=sentence, next_step=next_step)


def _final(actor: Actor, sentence: str, next_step: str) -> Meaning:
    """Something must change before the call can succeed."""
    return Meaning(actor, retryable=False, sentence=sentence, next_step=next_step)


_FRESH_READ: Final = "List or search the folder again and use the uid and uid_validity of that answer."
_OTHER_WAY: Final = "Ask the person to open this attachment in Proton Mail."
_CHECK_BRIDGE: Final = "Ask the person to check that Proton Mail Bridge is running and signed in, then call again."
_REPORT: Final = "Report this to the maintainers with the correlation id of the server's log."

MEANINGS: Final[Mapping[Code, Meaning]] = MappingProxyType(
    {
        Code.ARGUMENTS_INVALID: _final(
            Actor.CALLER, "An argument breaks a rule of this tool.", "Change the named argument so that it fits the rule."
        ),
        Code.BUSY: _again(Actor.CALLER, "Too many calls are waiting.", "Wait until earlier calls have been answered, then call again."),
        Code.MAILBOX_NOT_FOUND: _final(Actor.CALLER, "Bridge shows no folder of this name.", "Take the folder's name from list_folders."),
        Code.MAILBOX_CHANGED: _final(Actor.CALLER, "The folder was renumbered since this message was shown.", _FRESH_READ),
        Code.MESSAGE_NOT_FOUND: _final(Actor.CALLER, "The folder holds no message with this uid.", _FRESH_READ),
        Code.ATTACHMENT_NOT_FOUND: _final(
            Actor.CALLER, "The message has no attachment with this index.", "Take attachment_index from read_message of this very message."
        ),
        Code.ATTACHMENT_TOKEN: _final(
            Actor.CALLER,
            "An attachment token is unknown, used or expired.",
            "A token serves one draft. If a draft was created with it, that draft is in the drafts folder: do not make it again. "
            "For another draft, upload the file anew with begin_attachment_upload.",
        ),
        Code.UPLOAD_NOT_FOUND: _final(
            Actor.CALLER,
            "There is no open upload with this id.",
            "If it was finished, use the attachment_token of that answer. Otherwise begin a new upload with begin_attachment_upload.",
        ),
        Code.UPLOAD_INCOMPLETE: _final(
            Actor.CALLER,
            "The upload has fewer bytes than were declared.",
            "Send the rest as the chunks that follow, beginning with the last next_chunk, then finish the upload.",
        ),
        Code.UPLOAD_OVERRUN: _final(
            Actor.CALLER,
            "The upload would hold more bytes than were declared; it was destroyed.",
            "Begin a new upload with begin_attachment_upload and the file's true size_bytes.",
        ),
        Code.UPLOAD_QUOTA: _final(
            Actor.POLICY,
            "Too many uploads, or too many bytes, are staged.",
            "Finish open uploads and discard what no draft needs (discard_attachment), then begin again. "
            "What is left goes at its expires_at.",
        ),
        Code.CHUNK_ORDER: _final(
            Actor.CALLER,
            "This is not the next chunk of the upload; nothing was changed.",
            "Send the chunk that next_chunk of the last answer named; the first is 0. A chunk that was taken is not sent again.",
        ),
        Code.CHUNK_TOO_LARGE: _final(
            Actor.POLICY,
            "The chunk is larger than max_chunk_bytes; nothing was changed.",
            "Send this chunk again in pieces of at most max_chunk_bytes, which begin_attachment_upload named.",
        ),
        Code.HASH_MISMATCH: _final(
            Actor.CALLER,
            "The bytes differ from the declared SHA-256; the upload was destroyed.",
            "Begin a new upload with begin_attachment_upload and the SHA-256 of exactly the bytes that are sent.",
        ),
        Code.ATTACHMENT_TYPE: _final(
            Actor.POLICY,
            "This kind of file is not supported here.",
            "The tool's description names the file types. A received file of another type can be looked at in Proton Mail.",
        ),
        Code.ATTACHMENT_TYPE_MISMATCH: _final(
            Actor.CONTENT,
            "The file's name, its declared type and its content do not agree.",
            "To send it, declare the type that the content really has. A received file can be looked at in Proton Mail.",
        ),
        Code.ATTACHMENT_TOO_LARGE: _final(
            Actor.POLICY,
            "The attachment is larger than the configured limit.",
            "A received file: ask the person to open it in Proton Mail. A file to send: use a smaller one or fewer, "
            "or ask the person to attach it in Proton Mail.",
        ),
        Code.ATTACHMENT_TOO_COMPLEX: _final(
            Actor.CONTENT,
            "The file's container has too many entries to be checked.",
            "Leave the file out, or convert it to PDF first.",
        ),
        Code.ATTACHMENT_EMPTY: _final(Actor.CONTENT, "The attachment has no bytes.", "Tell the person that the file is empty."),
        Code.BODY_TOO_LARGE: _final(
            Actor.POLICY, "The body is longer than the configured limit.", "Shorten the body, and have it confirmed anew."
        ),
        Code.DRAFT_TOO_LARGE: _final(
            Actor.POLICY,
            "The encoded draft would reach the size at which Bridge breaks off.",
            "Attach fewer or smaller files, and have the draft confirmed anew.",
        ),
        Code.SENDER_NOT_ALLOWED: _final(
            Actor.POLICY, "This sender is not configured.", "Take from_address from list_sender_addresses, or leave it out."
        ),
        Code.THREADING_UNSUPPORTED: _final(
            Actor.POLICY,
            "Bridge does not keep a draft in its conversation; nothing was created.",
            "Explain this to the person. Call again with allow_unthreaded_reply only if they accept a separate draft, "
            "and keep the reply target.",
        ),
        Code.REPLY_TARGET_CHANGED: _final(
            Actor.CALLER,
            "The message to reply to is not the one that was confirmed; nothing was created.",
            "Call get_reply_context again and let the person confirm anew.",
        ),
        Code.DRAFTS_UNAVAILABLE: _again(Actor.BRIDGE_UNAVAILABLE, "Bridge shows no drafts folder; nothing was created.", _CHECK_BRIDGE),
        Code.DRAFT_REFUSED: _final(
            Actor.BRIDGE_UNAVAILABLE,
            "Bridge refused to store the draft.",
            "Check recipients and attachments with the person before calling again. "
            "Bridge may keep a copy in the folder Recovered Messages.",
        ),
        Code.DRAFT_UNKNOWN: _again(
            Actor.BRIDGE_UNAVAILABLE,
            "It is not known whether the draft was stored.",
            "Call again with exactly the same arguments: the server looks for the draft before it stores another.",
        ),
        Code.CONTENT_UNREADABLE: _final(
            Actor.CONTENT,
            "The content could not be read within the limits.",
            "Ask the person to open the message or attachment in Proton Mail.",
        ),
        Code.PDF_ENCRYPTED: _final(Actor.CONTENT, "The PDF is encrypted.", _OTHER_WAY),
        Code.PDF_MALFORMED: _final(Actor.CONTENT, "The file is not a readable PDF.", _OTHER_WAY),
        Code.PDF_NO_TEXT: _final(Actor.CONTENT, "The PDF holds no text; it may be a scan.", _OTHER_WAY),
        Code.PDF_LIMIT: _final(Actor.CONTENT, "The PDF needs more work than is allowed.", _OTHER_WAY),
        Code.PDF_DEADLINE: _final(Actor.CONTENT, "The PDF could not be read in the time allowed.", _OTHER_WAY),
        Code.PDF_MEMORY: _final(Actor.CONTENT, "The PDF could not be read in the memory allowed.", _OTHER_WAY),
        Code.BRIDGE_UNREACHABLE: _again(
            Actor.BRIDGE_UNAVAILABLE,
            "Proton Mail Bridge does not answer on this computer.",
            "Ask the person to start Proton Mail Bridge, or to check that its IMAP port is the one that this server is configured for.",
        ),
        Code.BRIDGE_REFUSED: _again(Actor.BRIDGE_UNAVAILABLE, "Bridge refused a command that it should accept.", _CHECK_BRIDGE),
        Code.CONNECTION_LOST: _again(
            Actor.BRIDGE_UNAVAILABLE,
            "The connection to Bridge broke off.",
            "Call again; if it happens again, ask the person to check Bridge.",
        ),
        Code.TLS_REQUIRED: _final(
            Actor.BRIDGE_UNAVAILABLE,
            "No encrypted connection to Bridge could be made; no password was sent.",
            "Ask the person to check that Bridge's IMAP connection mode is STARTTLS, and that no other program listens on its port.",
        ),
        Code.CERTIFICATE_CHANGED: _final(
            Actor.BRIDGE_UNAVAILABLE,
            "The certificate on Bridge's port is not the one that was pinned; no password was sent.",
            "Ask the person to run `proton-safe-mcp trust`, which shows both fingerprints and asks. If Bridge was not installed anew, "
            "another program may listen on its port.",
        ),
        Code.LOGIN_FAILED: _final(
            Actor.BRIDGE_UNAVAILABLE,
            "Bridge refused the login.",
            "Ask the person to store the password that Bridge shows for this account, and to check the address. "
            "A new password is tried at once, the same one after a minute at the latest.",
        ),
        Code.LOGIN_UNANSWERED: _again(
            Actor.BRIDGE_UNAVAILABLE,
            "Bridge left the last logins without an answer; the password is not sent again yet.",
            "Ask the person to check that Proton Mail Bridge is running and signed in, and that no other program listens on its port. "
            "The login is tried again with the first call after a minute, or sooner.",
        ),
        Code.CREDENTIAL_MISSING: _final(
            Actor.BRIDGE_UNAVAILABLE,
            "No Bridge password is stored for this account.",
            "Ask the person to run `python -m keyring set proton-safe-mcp ADDRESS` and to enter the password that Bridge shows for it.",
        ),
        Code.KEYRING_UNAVAILABLE: _final(
            Actor.BRIDGE_UNAVAILABLE,
            "This computer offers no keyring to the server.",
            "Ask the person to start the desktop's keyring service for this session, or to see docs/configuration.md where there is none.",
        ),
        Code.KEYRING_LOCKED: _again(
            Actor.BRIDGE_UNAVAILABLE, "The keyring is locked.", "Ask the person to unlock the keyring, then call again."
        ),
        Code.STATE_FOLDER_UNUSABLE: _again(
            Actor.BRIDGE_UNAVAILABLE,
            "The server's state folder can't be used; nothing was kept.",
            "Ask the person to check that the folder belongs to them alone, is no link, and that its disk has room, then call again.",
        ),
        Code.DEADLINE: _again(Actor.BRIDGE_UNAVAILABLE, "Bridge did not answer in time.", _CHECK_BRIDGE),
        Code.BAD_RESPONSE: _again(
            Actor.BRIDGE_MISBEHAVED,
            "Bridge sent something that is not IMAP; the connection was closed.",
            "Call again; if it happens again, ask the person to restart Bridge, and to report it to the maintainers of this server.",
        ),
        Code.INTERNAL_ERROR: _final(Actor.BUG, "The server failed on its own account.", _REPORT),
    }
)


class Refusal(Exception):
    """A call ends without a result.

    `field` is the path of the argument at fault (our own schema's name, never a caller's text) and `rule` a constant phrase;
    both belong to `arguments-invalid` and to refusals that blame one argument. `message_id` is the one that a
    draft of unknown fate would have; it is of our own making.
    """

    def __init__(self, code: Code, *, field: str | None = None, rule: str | None = None, message_id: str | None = None) -> None:
        super().__init__(code.value)
        self.code = code
        self.field = field
        self.rule = rule
        self.message_id = message_id

    @property
    def meaning(self) -> Meaning:
        """The row of this refusal's code."""
        return MEANINGS[self.code]

    @property
    def text(self) -> str:
        """`code: sentence`, then field and rule where one argument is at fault."""
        blame = f" {self.field}: {self.rule}." if self.field and self.rule else ""
        return f"{self.code.value}: {self.meaning.sentence}{blame} {self.meaning.next_step}"
