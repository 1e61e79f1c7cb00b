"""msmtp and swaks: each sends a mail over STARTTLS with a login."""

from __future__ import annotations

from tests.interop.site import Site, want

MSMTP = """
account bridge
host {bridge.host}
port {bridge.smtp_port}
auth on
user {bridge.user}
password {bridge.password}
from {bridge.user}
tls on
tls_starttls on
tls_trust_file {certificate}
account default : bridge
"""


def play_msmtp(site: Site) -> str:
    """What was seen. Failed: something else."""
    file = site.secret_file("msmtprc", MSMTP.format(bridge=site.bridge, certificate=site.certificate))
    mail = f"From: {site.bridge.user}\nTo: bob@books.example\nSubject: by msmtp\n\n.a line with a dot\n".encode()
    site.run("msmtp", f"--file={file}", "bob@books.example", given=mail)
    return _sent(site, b"by msmtp", b".a line with a dot\r\n")


def play_swaks(site: Site) -> str:
    """What was seen. Failed: something else."""
    bridge = site.bridge
    options = site.secret_file("swaksrc", f"--auth-user {bridge.user}\n--auth-password {bridge.password}\n")
    site.run(
        *("swaks", "--config", str(options), "--server", bridge.host, "--port", str(bridge.smtp_port), "--tls", "--auth", "PLAIN"),
        *("--tls-ca-path", str(site.certificate), "--tls-verify", "--from", bridge.user, "--to", "bob@books.example"),
        *("--header", "Subject: by swaks", "--body", "hello", "--suppress-data"),
    )
    return _sent(site, b"by swaks", b"hello\r\n")


def _sent(site: Site, subject: bytes, text: bytes) -> str:
    sent = site.bridge.sink()
    want([(one.sender, one.recipients) for one in sent], [(site.bridge.user, ("bob@books.example",))], "envelopes in the sink")
    want((b"Subject: " + subject in sent[0].literal, text in sent[0].literal), (True, True), "subject and text of what was sent")
    site.bridge.poll()
    want([message.subject.encode() for message in site.bridge.messages("Sent")], [subject], "subjects in Sent")
    return f"one mail of {len(sent[0].literal)} octets sent over STARTTLS, and its copy in Sent"
