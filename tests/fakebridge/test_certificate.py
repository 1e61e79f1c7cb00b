"""The certificate is the one that Bridge makes for itself (bridge-behaviour 1.4)."""

from __future__ import annotations

import ipaddress
from datetime import timedelta

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.x509.oid import ExtendedKeyUsageOID

from fakebridge.tls import make_certificate


@pytest.fixture(scope="module")
def certificate() -> x509.Certificate:
    """One that was just made."""
    return x509.load_der_x509_certificate(make_certificate().der)


def test_subject_issuer_key_and_validity(certificate: x509.Certificate) -> None:
    """Self-signed, RSA 2048 with SHA-256, 20 years."""
    assert certificate.subject.rfc4514_string() == "CN=127.0.0.1,OU=Proton Mail,O=Proton AG,C=CH"
    assert certificate.issuer == certificate.subject
    key = certificate.public_key()
    assert isinstance(key, rsa.RSAPublicKey)
    assert key.key_size == 2048
    assert isinstance(certificate.signature_hash_algorithm, SHA256)
    assert certificate.not_valid_after_utc - certificate.not_valid_before_utc == timedelta(days=7300)


def test_extensions(certificate: x509.Certificate) -> None:
    """One name, an IP address: verifying localhost must fail."""
    critical = {extension.oid._name: extension.critical for extension in certificate.extensions}
    assert critical == {
        "keyUsage": True,
        "extendedKeyUsage": False,
        "basicConstraints": True,
        "subjectKeyIdentifier": False,
        "subjectAltName": False,
    }
    names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert list(names) == [x509.IPAddress(ipaddress.IPv4Address("127.0.0.1"))]
    assert certificate.extensions.get_extension_for_class(x509.BasicConstraints).value.ca
    usage = certificate.extensions.get_extension_for_class(x509.KeyUsage).value
    assert (usage.digital_signature, usage.key_encipherment, usage.key_cert_sign, usage.crl_sign) == (True, True, True, False)
    extended = certificate.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    assert set(extended) == {ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH}


def test_each_installation_has_its_own() -> None:
    """A pin breaks after a reinstallation."""
    assert make_certificate().sha256 != make_certificate().sha256
