"""A Dovecot of the bench's own: in a folder of its own, on loopback, STARTTLS with a self-signed certificate, seeded by APPEND.

It announces what Bridge announces and no more, so that nobody profits from an extension that Bridge lacks. Nothing of the computer's own
configuration is read; any user name is let in with the bench's password, so that a mailbox of another size is another user.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import grp
import os
import pwd
import shutil
import socket
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.x509.oid import NameOID

from bench.bare_imap import BareImap, appended_uid
from bench.mailbox import PASSWORD, USER, placed

if TYPE_CHECKING:
    from collections.abc import Iterator

CAPABILITIES: Final = "ID IDLE IMAP4rev1 MOVE UIDPLUS UNSELECT"
HOW_TO_GET_IT: Final = (
    "The bench needs Dovecot 2.3 as Debian 12 has it, and runs one of its own:\n"
    "  apt-get install -y --no-install-recommends dovecot-imapd\n"
    "The package starts nothing that the bench needs; a service that it starts may be stopped."
)
START_S: Final = 20.0
_ELSEWHERE: Final = ("/usr/sbin", "/usr/local/sbin", "/sbin")
_VERSION: Final = "2.3."
_IN_FLIGHT: Final = 64
_MAILBOXES: Final = (
    "Drafts \\Drafts",
    "Sent \\Sent",
    "Archive \\Archive",
    "Spam \\Junk",
    "Trash \\Trash",
    "All Mail \\All",
    "Folders/Bills ",
)

_SETTINGS: Final = """
protocols = imap
listen = 127.0.0.1
base_dir = {folder}/run
state_dir = {folder}/state
log_path = {folder}/dovecot.log
info_log_path = {folder}/dovecot-info.log
instance_name = bench
default_internal_user = {internal}
default_internal_group = {internal_group}
default_login_user = {login}
ssl = yes
ssl_cert = <{folder}/certificate.pem
ssl_key = <{folder}/key.pem
disable_plaintext_auth = no
auth_mechanisms = plain
auth_cache_size = 1 M
auth_failure_delay = 0
mail_location = sdbox:{folder}/mail/%u
mail_uid = {owner}
mail_gid = {group}
first_valid_uid = 1
first_valid_gid = 1
mail_fsync = never
mail_max_userip_connections = 200
mail_always_cache_fields = flags date.received date.sent size.physical size.virtual imap.bodystructure imap.envelope hdr.message-id
imap_capability = {capabilities}
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid={owner} gid={group} home={folder}/mail/%u
}}
namespace inbox {{
  inbox = yes
  separator = /
{mailboxes}
}}
service imap-login {{
  chroot =
  service_count = 0
  process_min_avail = 2
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
service imap {{
  service_count = 10000
  process_min_avail = 4
  process_limit = 200
}}
service anvil {{
  chroot =
}}
service stats {{
  unix_listener stats-writer {{
    mode = 0666
  }}
}}
"""


class NoDovecot(Exception):
    """Dovecot isn't there, is another version, or doesn't start; the text says what to do."""


@dataclass(frozen=True, slots=True)
class Served:
    """A mailbox behind an IMAP port. `uids` names what is read by uid; `folder` holds certificate.pem and key.pem."""

    server: str
    port: int
    user: str
    password: str
    count: int
    uids: dict[str, int]
    folder: Path


def program() -> str:
    """Where Dovecot is. Raises NoDovecot."""
    found = shutil.which("dovecot", path=os.pathsep.join([os.environ.get("PATH", ""), *_ELSEWHERE]))
    if found is None:
        raise NoDovecot(HOW_TO_GET_IT)
    told = subprocess.run([found, "--version"], capture_output=True, text=True, check=False, timeout=30)  # noqa: S603 - the program that was found
    if not told.stdout.startswith(_VERSION):
        raise NoDovecot(f"This Dovecot is {told.stdout.split()[:1] or 'of an unknown version'}.\n{HOW_TO_GET_IT}")
    return found


@contextlib.contextmanager
def running(folder: Path) -> Iterator[int]:
    """A Dovecot while inside; gives its port. `folder` must be new or one that served before, and others must be able to enter it."""
    found = program()
    port = _free_port()
    settings = _prepare(folder, port)
    process = subprocess.Popen(  # noqa: S603 - the program that was found
        [found, "-F", "-c", str(settings)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    try:
        _wait_for(process, port, folder)
        yield port
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if process.stderr is not None:
            process.stderr.close()


def seed(folder: Path, port: int, count: int) -> Served:
    """The mailbox of `count` letters, filled if it is empty."""
    user = f"{count}.{USER}"
    uids: dict[str, int] = {}
    with BareImap(port, user, PASSWORD) as imap:
        if b"MESSAGES 0)" not in b"".join(imap.ask(b"STATUS INBOX (MESSAGES)")[0]):
            # Stored in order into a new mailbox, so places are uids.
            uids = {letter.name: place for place, letter in enumerate(placed(count), 1) if letter.name}
            return Served("dovecot", port, user, PASSWORD, count, uids, folder)
        waiting: list[tuple[bytes, str]] = []
        for letter in placed(count):
            arguments = b'(%s) "%s"' % (b"\\Seen" if letter.seen else b"", letter.received.strftime("%d-%b-%Y %H:%M:%S %z").encode())
            waiting.append((imap.push(b"INBOX", arguments, letter.octets), letter.name))
            if len(waiting) > _IN_FLIGHT:
                _settle(imap, waiting.pop(0), uids)
        for each in waiting:
            _settle(imap, each, uids)
        # Whoever comes first would pay for the server's caches.
        imap.ask(b"EXAMINE INBOX")
        imap.ask(b"UID FETCH 1:* (UID FLAGS INTERNALDATE RFC822.SIZE ENVELOPE)")
    return Served("dovecot", port, user, PASSWORD, count, uids, folder)


def _settle(imap: BareImap, waiting: tuple[bytes, str], uids: dict[str, int]) -> None:
    tag, name = waiting
    answer = imap.until(tag)
    if name:
        uids[name] = appended_uid(answer)


def _prepare(folder: Path, port: int) -> Path:
    for name in ("run", "state", "mail"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    me = pwd.getpwuid(os.getuid()).pw_name
    owner, internal, login = ("mail", "dovecot", "dovenull") if os.getuid() == 0 else (me, me, me)
    account = pwd.getpwnam(owner)
    if os.getuid() == 0:
        folder.chmod(0o755)
        os.chown(folder / "mail", account.pw_uid, account.pw_gid)
    if not (folder / "key.pem").exists():
        write_certificate(folder)
    boxes = "\n".join(
        f'  mailbox "{name}" {{\n    auto = create\n{f"    special_use = {use}" if use else ""}\n  }}'
        for name, _, use in (each.rpartition(" ") for each in _MAILBOXES)
    )
    settings = folder / "dovecot.conf"
    settings.write_text(
        _SETTINGS.format(
            folder=folder,
            port=port,
            internal=internal,
            internal_group=grp.getgrgid(pwd.getpwnam(internal).pw_gid).gr_name,
            login=login,
            owner=owner,
            group=grp.getgrgid(account.pw_gid).gr_name,
            password=PASSWORD,
            capabilities=CAPABILITIES,
            mailboxes=boxes,
        ),
        encoding="utf-8",
    )
    return settings


def write_certificate(folder: Path) -> None:
    """A new self-signed certificate for 127.0.0.1, good for a week: certificate.pem and key.pem."""
    key = rsa.generate_private_key(public_exponent=65_537, key_size=2_048)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = dt.datetime.now(dt.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=7))
        .sign(key, hashes.SHA256())
    )
    form = serialization.PrivateFormat.PKCS8
    (folder / "certificate.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    (folder / "key.pem").write_bytes(key.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption()))
    (folder / "key.pem").chmod(0o600)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


def _wait_for(process: subprocess.Popen[bytes], port: int, folder: Path) -> None:
    end = time.monotonic() + START_S
    while time.monotonic() < end and process.poll() is None:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=1) as connected:
                if connected.recv(4) == b"* OK":
                    return
        except OSError:
            time.sleep(0.05)
    said = process.stderr.read().decode(errors="replace") if process.stderr is not None and process.poll() is not None else ""
    raise NoDovecot(f"Dovecot did not start; its log is {folder / 'dovecot.log'}.\n{said}")


def main() -> int:
    """Say whether Dovecot can be run."""
    try:
        sys.stdout.write(program() + "\n")
    except NoDovecot as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
