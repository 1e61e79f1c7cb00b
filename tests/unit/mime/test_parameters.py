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


FIELDS: list[tuple[bytes, str, dict[str, bytes]]] = [
    (b"", "", {}),
    (b"text/plain", "text/plain", {}),
    (b"Text/HTML ; Charset = utf-8 ;; format=flowed", "text/html", {"charset": b"utf-8", "format": b"flowed"}),
    (b"text/html(a (nested; one) comment); charset=x", "text/html", {"charset": b"x"}),
    (b'a/b; name="x;y=\\"z\\""; n=1', "a/b", {"name": b'x;y="z"', "n": b"1"}),
    (b'a/b; name="C:\\Users\\x.pdf"; name=second', "a/b", {"name": b"C:\\Users\\x.pdf"}),
    (b"attachment; filename=a b, c.pdf", "attachment", {"filename": b"a b, c.pdf"}),
    (b'attachment; filename="never closed', "attachment", {"filename": b"never closed"}),
    (b"attachment;\r\n filename*0=a;\r\n\tfilename*1=b", "attachment", {"filename*0": b"a", "filename*1": b"b"}),
    (b'a/b; "odd"; =x; name; c=d', "a/b", {"c": b"d"}),
]


@pytest.mark.parametrize("raw, word, found", FIELDS)
def test_a_field_is_split_as_leniently_as_senders_write_it(raw: bytes, word: str, found: dict[str, bytes]) -> None:
    """RFC 2045 5.1, and what stands in real mails."""
    assert parameters.split(raw) == (word, found)


def test_numbers_of_parameters_and_pieces_have_their_limits() -> None:
    """Attack catalogue filename/rfc2231-continuations and mime/content-type-junk: 128 pieces, contiguous from 0."""
    assert len(parameters.split(b"a/b" + b"".join(b";p%d=1" % at for at in range(1_000)))[1]) == parameters.MAX_PARAMETERS
    pieces = {f"filename*{at}": b"x" for at in range(200)}
    assert parameters.value(pieces, "filename") == "x" * parameters.MAX_SECTIONS
    assert parameters.value({"filename*00": b"x", "filename*999999999": b"y", "filename*" + "9" * 5_000: b"z"}, "filename") == ""


def test_every_way_of_naming_is_told() -> None:
    """Attack catalogue filename/multiple-sources: RFC 6266's order, and all of them."""
    known = {"filename": b"b.exe", "filename*": b"utf-8''c.js", "filename*0": b"d.pdf"}
    assert parameters.values(known, "filename") == ("c.js", "d.pdf", "b.exe")


@given(st.lists(st.sampled_from([b";", b"=", b'"', b"\\", b"(", b")", b"name", b" ", b"\r\n", b"\xff"]), max_size=60))
def test_any_field_is_split(pieces: list[bytes]) -> None:
    """Reading never raises."""
    parameters.split(b"".join(pieces))


@given(
    st.dictionaries(st.sampled_from(["filename", "filename*", "filename*0", "filename*1*", "filename*999", "x*y"]), st.binary(max_size=60))
)
def test_any_parameters_give_a_text(given_as: dict[str, bytes]) -> None:
    """Product page 4: reading never raises."""
    parameters.value(given_as, "filename").encode("utf-8")


@given(
    st.dictionaries(
        st.sampled_from(["filename", "name", "charset"]), st.sampled_from([b"", b" ", b"a", b"utf-8''%41", b"=?utf-8?q?x?=", b"'"])
    )
)
def test_plain_parameters_read_as_among_extended_ones(given_as: dict[str, bytes]) -> None:
    """Where no name has an asterisk, no extended value is looked for."""
    assert parameters.values(given_as, "filename") == parameters.values({**given_as, "x*": b"y"}, "filename")


def test_what_is_read_again_can_not_have_been_changed() -> None:
    """Short fields are split once; who has one gets no hold of the next reader's."""
    _, found = parameters.split(b"text/plain; charset=utf-8")
    assert parameters.split(b"text/plain; charset=utf-8")[1] == found == {"charset": b"utf-8"}
    with pytest.raises(TypeError):
        found["charset"] = b"x"  # type: ignore[index]  # that it is refused is what is tested
