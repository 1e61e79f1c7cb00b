"""Without what Bridge does to drafts and other APPENDs (bridge-behaviour 5)."""

from __future__ import annotations

from dataclasses import replace

from fakebridge.account import contents
from fakebridge.account import labels as ids
from fakebridge.account.account import Account
from fakebridge.account.addresses import OwnAddress
from fakebridge.bridge import appending
from fakebridge.bridge.appending import Appending
from fakebridge.bridge.connector import Connector
from fakebridge.bridge.errors import Refused
from fakebridge.bridge.recorder import SendRecorder
from fakebridge.imap import session
from fakebridge.imap.commands import append as append_command
from fakebridge.message.build import BuildOptions, build
from fakebridge.message.draft import AppendRefused
from fakebridge.message.stored import Origin
from tests.fidelity.departing import Passed, around, departure, put


def _kept(change: Passed) -> None:
    def keep(original: Passed, content: Passed, **named: Passed) -> Passed:
        return change(original(content, **named), content)

    around(appending, "keep_draft", keep)


@departure("draft-threading-dropped")
def keep_threading() -> None:
    """In-Reply-To and Reply-To stay."""
    _kept(
        lambda stored, content: replace(
            stored, headers=(*stored.headers, ("In-Reply-To", f"<{content.in_reply_to}>"), ("X-Custom", "kept?"))
        )
    )


@departure("draft-header-order")
def other_header_order() -> None:
    """The account's fields come in another order."""
    _kept(lambda stored, _: replace(stored, headers=tuple(reversed(stored.headers))))


@departure("draft-html-only")
def keep_plain_alternative() -> None:
    """The plain text is kept instead."""
    _kept(lambda stored, _: replace(stored, mime_type="text/plain", body=b"plain words"))


@departure("draft-html-unchanged")
def tidy_html() -> None:
    """The service tidies HTML up."""
    _kept(lambda stored, _: replace(stored, body=stored.body.replace(b' class="x"', b"")))


@departure("draft-texts-run-together")
def separate_texts() -> None:
    """A line end stands between two text parts."""
    _kept(lambda stored, _: replace(stored, body=stored.body.replace(b"firstsecond", b"first\r\nsecond")))


@departure("draft-from-lines-lost")
def keep_from_lines() -> None:
    """Lines that begin with From stay."""
    put(contents, "build", lambda stored: build(stored, BuildOptions(strip_mbox_lines=False)))


@departure("draft-text-kept")
def trim_text() -> None:
    """Blanks at the end of lines are lost."""
    _kept(lambda stored, _: replace(stored, body=b"\r\n".join(line.rstrip() for line in stored.body.split(b"\r\n"))))


@departure("draft-message-id-kept")
def forget_message_id() -> None:
    """The client's Message-ID is not kept."""
    _kept(lambda stored, _: replace(stored, external_id=""))


@departure("draft-message-id-case")
def lower_message_id() -> None:
    """It is kept in lower case."""
    _kept(lambda stored, _: replace(stored, external_id=stored.external_id.lower()))


@departure("draft-internal-message-id")
def invent_external_id() -> None:
    """A Message-ID is made up where there is none."""
    _kept(lambda stored, _: replace(stored, external_id=stored.external_id or "made-up@x"))


@departure("draft-attachments-rebuilt")
def keep_attachment_headers() -> None:
    """Attachments carry headers of their own."""
    _kept(lambda stored, _: replace(stored, attachments=tuple(replace(one, headers=(("X-Kept", "yes"),)) for one in stored.attachments)))


@departure("draft-equal-not-merged")
def merge_equal_drafts() -> None:
    """A second draft with the same Message-ID replaces nothing and makes nothing."""

    async def append(original: Passed, self: Passed, mailbox: Passed, literal: bytes, *rest: Passed, **named: Passed) -> Passed:
        for message in mailbox.messages:
            if b"Message-ID: <u@client.example.test>" in literal and b"u@client.example.test" in message.literal():
                return message.homes[mailbox.number]
        return await original(self, mailbox, literal, *rest, **named)

    around(Appending, "_append", append)


@departure("draft-sender-own")
def any_sender() -> None:
    """From stays as it was written."""

    def sender(original: Passed, self: Passed, content: Passed) -> Passed:
        if content.sender is None:
            return original(self, content)
        return OwnAddress(content.sender.address, content.sender.name)

    around(Appending, "_sender", sender)


@departure("draft-sender-by-mailbox")
def sender_by_header_in_split_mode() -> None:
    """In split mode too, From chooses."""

    def sender(_: Passed, self: Passed, content: Passed) -> Passed:
        book = self._account.addresses
        return book.find(content.wanted_sender) or book.primary

    around(Appending, "_sender", sender)


@departure("draft-half-address-refused")
def accept_half_addresses() -> None:
    """A recipient that cannot be parsed is left out."""

    def recipients(original: Passed, literal: bytes) -> Passed:
        try:
            return original(literal)
        except AppendRefused:
            return ()

    around(appending, "recipients", recipients)


@departure("draft-text-behind-address-dropped")
def refuse_text_behind_address() -> None:
    """Text behind an address refuses the draft."""

    def recipients(original: Passed, literal: bytes) -> Passed:
        if b"a@b c@d" in literal:
            raise AppendRefused("text behind an address")
        return original(literal)

    around(appending, "recipients", recipients)


@departure("draft-flags-ignored")
def flags_count() -> None:
    r"""`\Flagged` of the APPEND counts."""

    async def create(original: Passed, self: Passed, mailbox: Passed, literal: bytes, flags: Passed) -> Passed:
        message = await original(self, mailbox, literal, flags)
        message.starred = "\\Flagged" in flags
        return message

    around(Appending, "_create", create)


@departure("draft-without-date-or-body")
def drafts_are_checked_too() -> None:
    """The header check is for drafts too."""

    async def append(original: Passed, self: Passed, mailbox: Passed, literal: bytes, *rest: Passed, **named: Passed) -> Passed:
        if b"Date:" not in literal:
            raise Refused("no date")
        return await original(self, mailbox, literal, *rest, **named)

    around(Appending, "_append", append)


@departure("append-needs-from-and-date")
def no_header_check() -> None:
    """Nothing is checked."""
    put(appending, "check_rfc5322", lambda _: None)


@departure("recovered-copy")
def keep_no_copy() -> None:
    """A refused message is gone."""
    put(Appending, "_recover", lambda *_: True)


@departure("recovered-once")
def keep_every_copy() -> None:
    """The same refused message is kept again."""

    def recover(original: Passed, self: Passed, literal: bytes, *rest: Passed) -> Passed:
        self._connector.recovered_digests.clear()
        return original(self, literal, *rest)

    around(Appending, "_recover", recover)


@departure("recovered-protected")
def recovered_is_a_mailbox_like_any_other() -> None:
    """APPEND into it works."""
    put(append_command, "RECOVERED", "No Such Mailbox")


@departure("append-all-mail-refused")
def import_into_all_mail() -> None:
    """All Mail and placeholders take messages."""

    async def create(original: Passed, self: Passed, mailbox: Passed, literal: bytes, flags: Passed) -> Passed:
        if mailbox.label in (ids.ALL_MAIL, "Folders"):
            mailbox = self._store.by_label[ids.ARCHIVE]
        return await original(self, mailbox, literal, flags)

    around(Appending, "_create", create)


@departure("append-trycreate")
def another_error_for_missing_mailboxes() -> None:
    """A missing mailbox is made."""

    def mailbox(original: Passed, self: Passed, name: str) -> Passed:
        return original(self, "Archive" if name == "Nothing" else name)

    around(Connector, "mailbox", mailbox)


@departure("import-into-its-target")
def import_goes_to_inbox_too() -> None:
    """A label target is in INBOX as well."""

    def imported(original: Passed, self: Passed, message: Passed, label: str, **named: Passed) -> Passed:
        return original(self, message, ids.INBOX if label in (ids.STARRED, ids.SPAM) else label, **named)

    around(Account, "import_message", imported)


@departure("import-origin-by-received")
def imports_are_received() -> None:
    """Every import counts as received mail."""
    put(Appending, "_origin", lambda *_: Origin.RECEIVED)


@departure("import-scheduled")
def scheduled_keeps() -> None:
    """Scheduled refuses."""

    def imported(original: Passed, self: Passed, message: Passed, label: str, **named: Passed) -> Passed:
        if label == ids.SCHEDULED:
            raise Refused("operation not allowed")
        return original(self, message, label, **named)

    around(Account, "import_message", imported)


@departure("import-rebuilt")
def imports_stay_as_they_are() -> None:
    """Imported octets are served as they came."""

    def imported(original: Passed, literal: bytes, **named: Passed) -> Passed:
        return replace(original(literal, **named), mime_type="multipart/mixed", body=literal, attachments=())

    around(appending, "import_from", imported)


@departure("append-moves-by-identity")
def identities_are_ignored() -> None:
    """The store's own header means nothing."""
    put(Appending, "_known_by_identity", lambda *_: None)


@departure("append-draft-always-new")
def identities_count_in_drafts() -> None:
    """The store's own header counts in Drafts too."""

    async def append(original: Passed, self: Passed, mailbox: Passed, literal: bytes, *rest: Passed, **named: Passed) -> Passed:
        known = self._known_by_identity(literal)
        if mailbox.label == ids.DRAFTS and known is not None:
            return known.homes[mailbox.number]
        return await original(self, mailbox, literal, *rest, **named)

    around(Appending, "_append", append)


@departure("append-after-send")
def sends_are_forgotten() -> None:
    """What was sent is not recognised."""

    async def find(*_: Passed) -> None:
        return None

    put(SendRecorder, "find", find)


@departure("received-mail-rebuilt")
def received_mail_keeps_its_order() -> None:
    """Bridge's headers stand at the end."""
    put(contents, "build", lambda stored: build(stored, BuildOptions(add_internal_id=False, add_message_date=False, add_reference=False)))


@departure("no-with-a-line-end")
def one_line_answers() -> None:
    """A line end in an error is left out."""
    around(session, "octets", lambda original, text: original(text.replace("\r\n", " ").strip()))
