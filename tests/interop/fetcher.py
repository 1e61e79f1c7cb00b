"""curl: lists mailboxes, searches, and fetches a mail whole, over STARTTLS with the certificate verified."""

from __future__ import annotations

import hashlib

from tests.interop.site import Site, want


def play(site: Site) -> str:
    """What was seen. Failed: something else."""
    bridge = site.bridge
    url = f"imap://{bridge.host}:{bridge.imap_port}/"
    secret = site.secret_file("curlrc", f'user = "{bridge.user}:{bridge.password}"\n')
    common = ("curl", "--silent", "--show-error", "--ssl-reqd", "--cacert", str(site.certificate), "--config", str(secret))
    listed = site.run(*common, url).decode().splitlines()
    want(sum('"INBOX"' in line for line in listed), 1, "INBOX in the list of mailboxes")
    want(site.run(*common, f"{url}INBOX", "--request", "SEARCH SUBJECT second").strip(), b"* SEARCH 2", "the answer to a search")
    octets = site.run(*common, f"{url}INBOX;UID=2")
    want(hashlib.sha256(octets).hexdigest(), bridge.messages("INBOX")[1].sha256, "SHA-256 of the mail that was fetched")
    return f"{len(listed)} mailboxes, a search, a mail of {len(octets)} octets to the octet"
