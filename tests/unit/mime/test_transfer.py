"""Transfer encodings: RFC 2045 section 6 and damaged ones."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proton_safe.mime import transfer
from proton_safe.mime.transfer import Octets

KNOWN: list[tuple[bytes, str, bytes, tuple[str, ...]]] = [
    (b"QUJD\r\nREVG", "base64", b"ABCDEF", ()),
    (b"QUI=", "BASE64 ", b"AB", ()),
    (b"QUI", "base64", b"AB", ("body-damaged",)),
    (b"QUJDQ", "base64", b"ABC", ("body-damaged",)),
    (b"QU!JD", "base64", b"ABC", ("body-damaged",)),
    # the first padding ends the data
    (b"QQ==QUJD", "base64", b"A", ("body-damaged",)),
    (b"QUJD====", "base64", b"ABC", ()),
    (b"", "base64", b"", ()),
    (b"=", "base64", b"", ()),
    (b"a=3Db=\r\nc", "quoted-printable", b"a=bc", ()),
    (b"a=3db= \t\r\nc", "quoted-printable", b"a=bc", ()),
    (b"=ZZ=", "quoted-printable", b"=ZZ", ("body-damaged",)),
    (b"=00", "Quoted-Printable", b"\0", ()),
    (b"\xff=41", "8bit", b"\xff=41", ()),
    (b"=41", "x-unknown", b"=41", ()),
    (b"QUJD", '"base64"', b"ABC", ()),
    (b"x\r\nbegin 644 a.txt\r\n#0V%T\r\n`\r\nend\r\nx", "x-uuencode", b"Cat", ()),
    (b"begin 644 a.txt\n#0V%T\n", "UUENCODE", b"Cat", ("body-damaged",)),
    (b"begin 644 a.txt\n#0V%T!!!!!!\n\xff\nend", "x-uue", b"Cat", ("body-damaged",)),
    (b"no begin", "x-uue", b"no begin", ("body-damaged",)),
    (b"=41", "", b"=41", ()),
]


@pytest.mark.parametrize("encoded, encoding, octets, warnings", KNOWN)
def test_an_encoding_is_undone_by_one_rule(encoded: bytes, encoding: str, octets: bytes, warnings: tuple[str, ...]) -> None:
    """RFC 2045 6; attack catalogue mime/base64-garbage and mime/qp-garbage."""
    assert transfer.decode(encoded, encoding) == Octets(octets, warnings)  # type: ignore[arg-type] # the literal type of warnings


def test_an_end_that_was_cut_is_no_defect() -> None:
    """Product page 4: sections are fetched with octet ranges."""
    assert transfer.decode(b"QUJDQ", "base64", complete=False) == Octets(b"ABC")


@given(st.binary(max_size=200))
def test_base64_gives_back_what_was_encoded(octets: bytes) -> None:
    """RFC 4648."""
    assert transfer.decode(base64.encodebytes(octets), "base64") == Octets(octets)


@given(st.binary(max_size=200), st.sampled_from(["base64", "quoted-printable", "7bit", "x"]))
def test_any_octets_are_decoded(octets: bytes, encoding: str) -> None:
    """Product page 4: reading never raises."""
    assert len(transfer.decode(octets, encoding).octets) <= len(octets)
