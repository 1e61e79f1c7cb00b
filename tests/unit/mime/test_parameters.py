"""File names and other parameters: RFC 2231 and what mail programs write instead."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proton_safe.mime import parameters

KNOWN: list[tuple[dict[str, bytes], str]] = [
    ({}, ""),
    ({"filename": b"a.pdf"}, "a.pdf"),
    # bridge-behaviour 3.7: Bridge sends the value decoded, as 8-bit octets
    ({"filename": "résumé.csv".encode()}, "résumé.csv"),
    ({"filename": b"=?utf-8?q?r=C3=A9sum=C3=A9.csv?="}, "r\xe9sum\xe9.csv"),
    # RFC 2231 sections 3, 4 and 4.1
    ({"filename*": b"us-ascii'en-us'This%20is%20fun"}, "This is fun"),
    ({"filename*0": b"a", "filename*1": b"b.pdf"}, "ab.pdf"),
    ({"filename*0*": b"utf-8'en'%C3%A9%20", "filename*1*": b"%2A", "filename*2": b"%41.pdf"}, "\xe9 *%41.pdf"),
    ({"filename*0*": b"windows-1251''%EF%F0", "filename*1*": b"%EE.HTM"}, "\u043f\u0440\u043e.HTM"),
    ({"filename*0": b"a", "filename*2": b"c"}, "a"),
    ({"filename*0": b"=?utf-8?q?=C3=A9", "filename*1": b"x?="}, "\xe9x"),
    ({"filename*": b"x%20y"}, "x y"),
    ({"filename*": b"=?utf-8?Q?somed=C3=A4.zip?="}, "somed\xe4.zip"),
    ({"filename*": b"utf-8''a", "filename": b"b"}, "a"),
    ({"filename": b"utf-8''%C3%A9.pdf"}, "\xe9.pdf"),
    ({"filename": b"it's 5% of 'all'.pdf"}, "it's 5% of 'all'.pdf"),
    ({"filename*": b"utf-7''+ADw-"}, "+ADw-"),
]


@pytest.mark.parametrize("given_as, text", KNOWN)
def test_a_parameter_reads_as_its_sender_meant_it(given_as: dict[str, bytes], text: str) -> None:
    """RFC 2231; RFC 2047 where it has no place and is used all the same."""
    assert parameters.value(given_as, "filename") == text


@given(
    st.dictionaries(st.sampled_from(["filename", "filename*", "filename*0", "filename*1*", "filename*999", "x*y"]), st.binary(max_size=60))
)
def test_any_parameters_give_a_text(given_as: dict[str, bytes]) -> None:
    """Product page 4: reading never raises."""
    parameters.value(given_as, "filename").encode("utf-8")
