"""Certificates for trying things out: an authority made for this server, and one for its names.

The only user of the library that makes certificates.
"""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from interpreter.errors import ConfigurationError

#: A year: who serves for longer has certificates that somebody renews.
_LIFETIME: Final = timedelta(days=365)
#: Clocks of clients may be behind.
_SKEW: Final = timedelta(hours=1)
_AUTHORITY: Final = "resource-interpreter self-signed authority"


@dataclass(frozen=True, slots=True)
class SelfSigned:
    """Files in PEM.

    Attributes:
        certificate: The server's.
        key: Its private key, readable for this user alone.
        authority: The authority's certificate: what clients are told to trust. Its key is nowhere.
    """

    certificate: Path
    key: Path
    authority: Path


def make_certificates(
    folder: Path, names: Iterable[str], *, now: datetime | None = None
) -> SelfSigned:
    """Makes certificates.

    Args:
        folder: Where the files are written: ``tls.crt``, ``tls.key`` and ``ca.crt``.
        names: DNS names and addresses that clients use.
        now: The current time.

    Raises:
        ConfigurationError: A name is none, or a file cannot be written.
    """
    moment = now or datetime.now(UTC)
    authority_key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, _AUTHORITY)])
    authority = (
        _builder(subject, subject, authority_key.public_key(), moment)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs=True), critical=True)
        .sign(authority_key, hashes.SHA256())
    )
    key = ec.generate_private_key(ec.SECP256R1())
    alternatives = [_alternative(name) for name in dict.fromkeys(names)]
    issuer = x509.AuthorityKeyIdentifier.from_issuer_public_key(authority_key.public_key())
    usages = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH])
    certificate = (
        _builder(x509.Name([]), subject, key.public_key(), moment)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.SubjectAlternativeName(alternatives), critical=True)
        .add_extension(_usage(signs=False), critical=True)
        .add_extension(usages, critical=False)
        .add_extension(issuer, critical=False)
        .sign(authority_key, hashes.SHA256())
    )
    secret = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    pem = serialization.Encoding.PEM
    made = SelfSigned(folder / "tls.crt", folder / "tls.key", folder / "ca.crt")
    try:
        _write(made.key, secret, mode=0o600)
        _write(made.certificate, certificate.public_bytes(pem), mode=0o644)
        _write(made.authority, authority.public_bytes(pem), mode=0o644)
    except OSError as error:
        raise ConfigurationError(
            f"cannot write certificates to {folder}: {error.strerror or error}"
        ) from None
    return made


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey, now: datetime
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _SKEW)
        .not_valid_after(now + _LIFETIME)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)
    )


def _usage(*, signs: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=signs,
        crl_sign=signs,
        encipher_only=False,
        decipher_only=False,
    )


def _alternative(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        pass
    try:
        return x509.DNSName(name)
    except ValueError:
        raise ConfigurationError("is no DNS name for a certificate", value=name) from None


def _write(path: Path, content: bytes, *, mode: int) -> None:
    # Never readable for others, not even for the moment between making and closing.
    path.unlink(missing_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
