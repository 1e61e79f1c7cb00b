"""mbsync (isync): INBOX and Drafts, both ways: mails, flags, a draft, a deletion."""

from __future__ import annotations

from pathlib import Path

from tests.interop.site import Site, want

CONFIGURATION = """
IMAPAccount bridge
Host {bridge.host}
Port {bridge.imap_port}
User {bridge.user}
Pass {bridge.password}
SSLType STARTTLS
CertificateFile {certificate}

IMAPStore far
Account bridge

MaildirStore near
Path {folder}/
Inbox {folder}/INBOX
SubFolders Verbatim

Channel both
Far :far:
Near :near:
Patterns INBOX Drafts
Create Near
Expunge Both
SyncState *
"""
DRAFT = b"From: ada@keller.example\nTo: bob@books.example\nSubject: from the other side\n\nWritten offline.\n"


def play(site: Site) -> str:
    """What was seen. Failed: something else."""
    bridge, local = site.bridge, site.folder / "mail"
    local.mkdir()
    file = site.secret_file("mbsyncrc", CONFIGURATION.format(bridge=bridge, certificate=site.certificate, folder=local))

    def synchronise() -> None:
        site.run("mbsync", "-c", str(file), "both")

    synchronise()
    want(subjects(local / "INBOX"), ["first", "second", "third"], "INBOX after the first run")

    bridge.deliver("From: bob@books.example\nTo: ada@keller.example\nSubject: arrived\n\nx\n")
    bridge.poll()
    synchronise()
    want(subjects(local / "INBOX"), ["arrived", "first", "second", "third"], "INBOX after a delivery")

    arrived = next(path for path in mails(local / "INBOX") if b"Subject: arrived" in path.read_bytes())
    arrived.rename(local / "INBOX" / "cur" / f"{arrived.name.partition(':')[0]}:2,FS")
    (local / "Drafts" / "new" / "1.draft").write_bytes(DRAFT)
    synchronise()
    flags = {message.subject: message.flags for message in bridge.messages("INBOX")}
    want(sorted(flag for flag in flags["arrived"] if flag != "\\Recent"), ["\\Flagged", "\\Seen"], "flags set on our side")
    want([message.subject for message in bridge.messages("Drafts")], ["from the other side"], "Drafts after a draft of ours")

    bridge.control("edit-draft", subject="from the other side")
    bridge.poll()
    synchronise()
    want(subjects(local / "Drafts"), ["from the other side edited"], "Drafts after an edit on a phone")

    first = next(path for path in mails(local / "INBOX") if b"Subject: first" in path.read_bytes())
    first.rename(local / "INBOX" / "cur" / f"{first.name.partition(':')[0]}:2,ST")
    bridge.control("delete", subject="second")
    bridge.poll()
    synchronise()
    want(subjects(local / "INBOX"), ["arrived", "third"], "INBOX after a deletion on either side")
    want(sorted(message.subject for message in bridge.messages("INBOX")), ["arrived", "third"], "Bridge's INBOX after it")
    return "INBOX and Drafts both ways: 4 mails, flags, a draft and its edit, a deletion on either side"


def mails(folder: Path) -> list[Path]:
    """The files of a maildir."""
    return [path for name in ("cur", "new") for path in sorted((folder / name).iterdir())]


def subjects(folder: Path) -> list[str]:
    """The subjects in a maildir, sorted."""
    lines = [line for path in mails(folder) for line in path.read_bytes().splitlines() if line.startswith(b"Subject: ")]
    return sorted(line.removeprefix(b"Subject: ").decode() for line in lines)
