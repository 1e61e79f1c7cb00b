"""The certificate that Bridge makes for itself (bridge-behaviour 1.4) and the TLS context around it."""

from __future__ import annotations

import hashlib
import ipaddress
import os
import ssl
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

KEY_BITS = 2048
SHORT_KEY_BITS = 1024
VALID_DAYS = 7300


@dataclass(frozen=True, slots=True)
class Certificate:
    """A certificate with its context for servers. `sha256` is the fingerprint of the DER form, lower-case hex."""

    context: ssl.SSLContext
    der: bytes
    sha256: str

    def pem(self) -> str:
        """The certificate without its key, for clients."""
        return ssl.DER_cert_to_PEM_cert(self.der)


def make_certificate(variant: str = "") -> Certificate:
    """A new key and certificate with the subject, extensions and validity that Bridge uses; not the same twice.

    `variant`: what is unlike Bridge's (`faults.rule.CERTIFICATES`): expired, localhost, signed, short-key.
    """
    key = rsa.generate_private_key(public_exponent=65537, key_size=SHORT_KEY_BITS if variant == "short-key" else KEY_BITS)
    name = _name("localhost" if variant == "localhost" else "127.0.0.1")
    signer, issuer = (
        (rsa.generate_private_key(public_exponent=65537, key_size=KEY_BITS), _name("An authority")) if variant == "signed" else (key, name)
    )
    begin = datetime.now(UTC).replace(microsecond=0) - timedelta(days=VALID_DAYS + 1 if variant == "expired" else 0)
    usage = x509.KeyUsage(
        digital_signature=True,
        content_commitment=False,
        key_encipherment=True,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=True,
        crl_sign=False,
        encipher_only=False,
        decipher_only=False,
    )
    alternative = x509.DNSName("localhost") if variant == "localhost" else x509.IPAddress(ipaddress.IPv4Address("127.0.0.1"))
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(begin)
        .not_valid_after(begin + timedelta(days=VALID_DAYS))
        .add_extension(usage, critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(x509.SubjectAlternativeName([alternative]), critical=False)
        .sign(signer, hashes.SHA256())
    )
    der = certificate.public_bytes(serialization.Encoding.DER)
    pem = certificate.public_bytes(serialization.Encoding.PEM) + key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    context = _context(pem, weak=variant == "short-key")
    return Certificate(context=context, der=der, sha256=hashlib.sha256(der).hexdigest())


def _name(common: str) -> x509.Name:
    return x509.Name(
        [
            x509.NameAttribute(NameOID.COUNTRY_NAME, "CH"),
            x509.NameAttribute(NameOID.ORGANIZATION_NAME, "Proton AG"),
            x509.NameAttribute(NameOID.ORGANIZATIONAL_UNIT_NAME, "Proton Mail"),
            x509.NameAttribute(NameOID.COMMON_NAME, common),
        ]
    )


def _context(pem: bytes, *, weak: bool = False) -> ssl.SSLContext:
    """`weak`: with keys that are refused nowadays."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    if weak:
        context.set_ciphers("ALL:@SECLEVEL=0")
    # The ssl module reads keys from files only; this one lives for a moment and is readable by its owner alone.
    handle, path = tempfile.mkstemp(prefix="fakebridge-")
    try:
        os.write(handle, pem)
        os.close(handle)
        context.load_cert_chain(path)
    finally:
        Path(path).unlink()
    return context
