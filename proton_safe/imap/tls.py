"""TLS towards Bridge: a plain client context, since the certificate is Bridge's own and is compared with its pin instead.

Never used without that comparison (`imap.opening`). No CA bundle is loaded: none could vouch for a self-signed certificate, and
loading it costs more than the handshake.
"""

from __future__ import annotations

import hashlib
import ssl


def client_context() -> ssl.SSLContext:
    """TLS 1.2 or newer, no authority asked."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def fingerprint(certificate: bytes) -> str:
    """SHA-256 of the DER, 64 hex digits in lower case."""
    return hashlib.sha256(certificate).hexdigest()
