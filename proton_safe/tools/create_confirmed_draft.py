"""`create_confirmed_draft`: store a draft that the person confirmed; nothing is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final, Literal

from pydantic import BeforeValidator, Field
from pydantic_core import PydanticCustomError

from proton_safe.call import DRAFT_S
from proton_safe.config import MAX_BODY_CHARS
from proton_safe.drafts import checks
from proton_safe.drafts.confirmed import ConfirmedDraft, Parent
from proton_safe.drafts.creation import DraftWriter
from proton_safe.refusals import Code, Refusal
from proton_safe.tools.bridge_refusals import BRIDGE_REFUSALS
from proton_safe.tools.definition import Arguments, Capability, Part, Result, ToolDefinition
from proton_safe.tools.discard_attachment import AttachmentToken
from proton_safe.tools.fields import ONE_LINE, Folder, Uid, UidValidity
from proton_safe.tools.get_reply_context import THREADING_NOTICE
from proton_safe.untrusted.marks import AddressText, FileName, FolderName, Identifier, Subject

if TYPE_CHECKING:
    from proton_safe.call import Call
    from proton_safe.config import Config
    from proton_safe.drafts.creation import Receipt
    from proton_safe.drafts.stored import StoredDraft
    from proton_safe.engine import Engine
    from proton_safe.staging.upload import StagedFile

DEFAULT_FOLDER: Final = "INBOX"
MAX_RECIPIENTS: Final = 25
MAX_ATTACHMENTS: Final = 10


def _only_true(value: object) -> object:
    """`Literal[True]` alone lets 1 pass, since 1 equals True."""
    if value is not True:
        raise PydanticCustomError("literal_true", "must be true")
    return value


Address = Annotated[
    str, Field(min_length=3, max_length=254, pattern=ONE_LINE, description="A bare address without display name, at most 254 characters.")
]


class CreateConfirmedDraftArguments(Arguments):
    """The draft exactly as the person confirmed it."""

    to: Annotated[
        list[Address], Field(min_length=1, max_length=MAX_RECIPIENTS, description="1 to 25 addresses; to, cc and bcc together at most 25.")
    ]
    subject: Annotated[str, Field(max_length=998, pattern=ONE_LINE, description="One line, at most 998 characters; may be empty.")]
    body_text: Annotated[
        str,
        Field(
            min_length=1,
            max_length=MAX_BODY_CHARS.highest,
            description="The complete body as plain text; markup stays literal. The server's configured limit may be lower.",
        ),
    ]
    user_confirmed: Annotated[
        Literal[True],
        BeforeValidator(_only_true),
        Field(description="True once the person confirmed recipients, subject, body and attachments in this conversation."),
    ]
    from_address: Annotated[
        str | None, Field(max_length=254, pattern=ONE_LINE, description="One of list_sender_addresses; the primary address if left out.")
    ] = None
    attachment_tokens: Annotated[
        list[AttachmentToken] | None,
        Field(max_length=MAX_ATTACHMENTS, description="Up to 10 tokens of finish_attachment_upload, each once."),
    ] = None
    cc: Annotated[list[Address] | None, Field(max_length=MAX_RECIPIENTS, description="Up to 25 addresses.")] = None
    bcc: Annotated[list[Address] | None, Field(max_length=MAX_RECIPIENTS, description="Up to 25 addresses.")] = None
    reply_to_uid: Annotated[Uid | None, Field(description="uid of the message to reply to; needs reply_to_message_id.")] = None
    reply_to_folder: Annotated[
        Folder | None, Field(description="Folder of the message to reply to (INBOX if left out); only with a reply target.")
    ] = None
    reply_to_message_id: Annotated[
        str | None,
        Field(
            min_length=3,
            max_length=250,
            pattern=r"^<[\x21-\x3b\x3d\x3f-\x7e]+>$",
            description="message_id of the same get_reply_context answer; needs reply_to_uid.",
        ),
    ] = None
    reply_to_uid_validity: UidValidity = None
    allow_unthreaded_reply: Annotated[
        bool, Field(description="True only after the person accepted that the reply may stand outside its conversation.")
    ] = False


class RecipientRow(Part):
    """A recipient and where the server has seen the address."""

    address: str = Field(description="The address.")
    header: Literal["To", "Cc", "Bcc"] = Field(description="The field it stands in.")
    known_from: Literal["configured", "sent-mail", "message-header", "message-body", "not-seen"] = Field(
        description="Where the server has seen this address, as far as it remembers."
    )
    folder: FolderName | None = Field(default=None, description="The folder of the message that showed it.")
    uid: str | None = Field(default=None, description="The uid of the message that showed it.")


class StoredAttachment(Part):
    """An attachment as the stored draft holds it."""

    filename: FileName = Field(description="The name in the stored draft.")
    sha256: str = Field(pattern="^[0-9a-f]{64}$", description="SHA-256 of the stored bytes.")
    matches: bool = Field(description="True if name and bytes are those that were confirmed.")


class Stored(Part):
    """What Bridge kept, from reading the draft back."""

    verified: bool = Field(description="True if the stored draft was read back and compared.")
    from_address: AddressText = Field(description="From of the stored draft.")
    sender_matches: bool = Field(description="True if that is the sender that was asked for.")
    recipients_match: bool = Field(description="True if To, Cc and Bcc are those that were confirmed.")
    subject_matches: bool = Field(
        description="True if the subject is the one that was confirmed, apart from blanks at its ends, which Bridge drops."
    )
    body_matches: bool = Field(description="True if the stored text is the one that was confirmed.")
    attachments: list[StoredAttachment] = Field(description="The attachments of the stored draft.")
    attachments_match: bool = Field(description="True if exactly the confirmed attachments are there.")
    in_reply_to_kept: bool = Field(description="True if the stored draft still names the parent in In-Reply-To.")
    references_kept: bool = Field(description="True if the stored draft's References still name the parent.")


class ReplyTarget(Part):
    """The message that the reply was asked for."""

    uid: str = Field(description="Its uid.")
    folder: FolderName = Field(description="Its folder.")


class CreateConfirmedDraftResult(Result):
    """The receipt."""

    created: bool = Field(description="True: the draft is in the drafts folder.")
    already_existed: bool = Field(
        description=(
            "True if an equal draft of the last minutes was found and no second one was stored; a second copy is possible after 20 minutes."
        )
    )
    sent: Literal[False] = Field(default=False, description="Always false: the server cannot send.")
    folder: FolderName = Field(description="The drafts folder.")
    uid: str = Field(description="The draft's uid.")
    uid_validity: int = Field(ge=0, description="UIDVALIDITY of the drafts folder.")
    message_id: str = Field(description="The draft's Message-ID.")
    digest: str = Field(
        pattern="^[0-9a-f]{64}$", description="SHA-256 over sender, recipients, subject, body, attachments and reply target as confirmed."
    )
    from_: AddressText = Field(alias="from", description="From of the stored draft.")
    to: list[str] = Field(description="To.")
    cc: list[str] = Field(description="Cc.")
    bcc: list[str] = Field(description="Bcc.")
    bcc_count: int = Field(ge=0, description="How many addresses Bcc holds.")
    recipients: list[RecipientRow] = Field(description="All recipients with where the server has seen them.")
    subject: Subject = Field(description="The subject.")
    attachment_names: list[str] = Field(description="The names of the attachments.")
    stored: Stored = Field(description="What Bridge kept.")
    in_reply_to: Identifier | None = Field(default=None, description="The parent that was named in the draft; null without a reply target.")
    references_count: int | None = Field(default=None, description="How many identifiers References had; null without a reply target.")
    reply_target: ReplyTarget | None = Field(default=None, description="The reply target as asked for.")
    replied_to: ReplyTarget | None = Field(default=None, description="Deprecated name of reply_target.")
    threading_verified: bool = Field(default=False, description="True only if the stored draft still carries the parent.")
    threading_notice: str | None = Field(default=None, description="What to explain about the conversation; null without a reply target.")
    cleanup_warnings: list[Literal["token-not-destroyed"]] = Field(description="What could not be tidied up.")


def create_confirmed_draft(engine: Engine, call: Call, arguments: CreateConfirmedDraftArguments) -> CreateConfirmedDraftResult:
    """Claim the files, check everything, and only then let the draft be stored; the files end with success only."""
    with engine.staging.claim(arguments.attachment_tokens or ()) as claim:
        draft = _confirmed(engine.config, arguments, claim.files)
        if draft.parent is not None and not arguments.allow_unthreaded_reply:
            raise Refusal(Code.THREADING_UNSUPPORTED)
        receipt = DraftWriter(engine.config, engine.clock, engine.pool, engine.references).create(draft, call)
        destroyed = claim.destroy()
    return _result(engine, draft, receipt, destroyed=destroyed)


def _confirmed(config: Config, arguments: CreateConfirmedDraftArguments, files: tuple[StagedFile, ...]) -> ConfirmedDraft:
    """The draft, after the checks in their order."""
    # 1. sender
    sender = checks.allowed_sender(config, arguments.from_address)
    # 2. reply target
    checks.check_reply_fields(
        uid=arguments.reply_to_uid,
        message_id=arguments.reply_to_message_id,
        folder=arguments.reply_to_folder,
        uid_validity=arguments.reply_to_uid_validity,
    )
    # 3. addresses, 4. their number
    to, cc, bcc = (tuple(addresses or ()) for addresses in (arguments.to, arguments.cc, arguments.bcc))
    checks.check_recipients((("to", to), ("cc", cc), ("bcc", bcc)))
    # 5. subject, 6. body
    checks.check_subject(arguments.subject)
    body = checks.checked_body(arguments.body_text, max_chars=config.max_body_chars)
    parent = None
    if arguments.reply_to_uid is not None and arguments.reply_to_message_id is not None:
        folder = arguments.reply_to_folder or DEFAULT_FOLDER
        parent = Parent(folder, int(arguments.reply_to_uid), arguments.reply_to_message_id, arguments.reply_to_uid_validity)
    return ConfirmedDraft(sender, to, cc, bcc, arguments.subject, body, files, parent)


def _result(engine: Engine, draft: ConfirmedDraft, receipt: Receipt, *, destroyed: bool) -> CreateConfirmedDraftResult:
    stored = receipt.stored
    parent = draft.parent
    target = ReplyTarget(uid=str(parent.uid), folder=parent.folder) if parent is not None else None
    return CreateConfirmedDraftResult(
        created=True,
        already_existed=receipt.already_existed,
        folder=receipt.folder,
        uid=str(receipt.uid),
        uid_validity=receipt.uid_validity,
        message_id=receipt.message_id,
        digest=receipt.digest,
        from_=stored.from_address,
        to=list(draft.to),
        cc=list(draft.cc),
        bcc=list(draft.bcc),
        bcc_count=len(draft.bcc),
        recipients=_recipients(engine, draft),
        subject=draft.subject,
        attachment_names=[file.filename for file in draft.files],
        stored=_stored(stored),
        in_reply_to=parent.message_id if parent is not None else None,
        references_count=len(receipt.reply.references) if receipt.reply is not None else None,
        reply_target=target,
        replied_to=target,
        threading_verified=stored.in_reply_to_kept and stored.references_kept,
        threading_notice=THREADING_NOTICE if parent is not None else None,
        cleanup_warnings=[] if destroyed else ["token-not-destroyed"],
    )


def _stored(stored: StoredDraft) -> Stored:
    return Stored(
        verified=stored.verified,
        from_address=stored.from_address,
        sender_matches=stored.sender_matches,
        recipients_match=stored.recipients_match,
        subject_matches=stored.subject_matches,
        body_matches=stored.body_matches,
        attachments=[StoredAttachment(filename=file.filename, sha256=file.sha256, matches=file.matches) for file in stored.files],
        attachments_match=stored.files_match,
        in_reply_to_kept=stored.in_reply_to_kept,
        references_kept=stored.references_kept,
    )


def _recipients(engine: Engine, draft: ConfirmedDraft) -> list[RecipientRow]:
    fields: tuple[tuple[Literal["To", "Cc", "Bcc"], tuple[str, ...]], ...] = (("To", draft.to), ("Cc", draft.cc), ("Bcc", draft.bcc))
    rows: list[RecipientRow] = []
    for header, addresses in fields:
        for address in addresses:
            seen = engine.provenance.of(address)
            uid = str(seen.uid) if seen.uid is not None else None
            rows.append(RecipientRow(address=address, header=header, known_from=seen.origin.value, folder=seen.folder, uid=uid))
    return rows


CREATE_CONFIRMED_DRAFT: Final = ToolDefinition(
    name="create_confirmed_draft",
    title="Create a confirmed draft",
    description=(
        "Stores one draft, exactly as the person confirmed it in this conversation, and sends nothing. The text becomes a plain"
        " and an equal HTML body; markup stays literal and nothing is added. The answer is a receipt: where the draft is, its "
        "Message-ID, all recipients with where the server has seen them, and what Bridge kept of it on reading it back. The "
        "same draft confirmed again within ten minutes is found instead of stored twice. A reply target needs uid and "
        "message_id of the same get_reply_context answer, and allow_unthreaded_reply, because Bridge keeps no draft in its "
        "conversation. Files come as attachment_tokens, which are used up by success only; all files together at most 20 MiB "
        "unless configured otherwise."
    ),
    arguments=CreateConfirmedDraftArguments,
    result=CreateConfirmedDraftResult,
    capability=Capability.DRAFT,
    refusals=BRIDGE_REFUSALS
    | {
        Code.ATTACHMENT_TOKEN,
        Code.HASH_MISMATCH,
        Code.SENDER_NOT_ALLOWED,
        Code.BODY_TOO_LARGE,
        Code.ATTACHMENT_TOO_LARGE,
        Code.DRAFT_TOO_LARGE,
        Code.THREADING_UNSUPPORTED,
        Code.MAILBOX_NOT_FOUND,
        Code.MAILBOX_CHANGED,
        Code.REPLY_TARGET_CHANGED,
        Code.DRAFTS_UNAVAILABLE,
        Code.DRAFT_REFUSED,
        Code.DRAFT_UNKNOWN,
    },
    seconds=DRAFT_S,
    handler=create_confirmed_draft,
)
