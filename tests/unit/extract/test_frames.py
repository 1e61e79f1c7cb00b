"""The frames between server and child: what was put in comes out, and nothing else does."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proton_safe.extract import frames
from proton_safe.extract.frames import BadFrame, Request

_FIGURE = st.integers(min_value=0, max_value=2**53)


@given(st.builds(Request, st.text(max_size=40).filter(str.isascii), _FIGURE, _FIGURE, _FIGURE), st.binary(max_size=2_000))
def test_a_request_comes_out_as_it_went_in(request_: Request, octets: bytes) -> None:
    """The frame format of `frames`, both ways."""
    stream = io.BytesIO(frames.encode_request(request_, octets))
    assert frames.decode_request(frames.read_frame(stream, at_most=frames.MAX_REQUEST_OCTETS)) == request_
    assert frames.read_frame(stream, at_most=2_000) == octets
    assert stream.read() == b""


@given(st.binary(max_size=300))
def test_any_octets_are_a_request_or_a_bad_frame(octets: bytes) -> None:
    """Attack catalogue, box/stdout-lies: no octets make the reader fail in another way."""
    try:
        frames.decode_request(frames.read_frame(io.BytesIO(octets), at_most=4_096))
    except BadFrame:
        return


@pytest.mark.parametrize(
    "octets",
    [b"", b"\0\0", b"\0\0\0\5abcd", b"\0\0\x10\1" + b"x" * 4_097, b"\xff\xff\xff\xff"],
    ids=["nothing", "half a length", "cut short", "one too long", "a lie"],
)
def test_a_frame_that_is_cut_or_too_long_is_refused(octets: bytes) -> None:
    """Attack catalogue, box/stdout-lies: the reader names the longest frame, not the writer."""
    with pytest.raises(BadFrame):
        frames.read_frame(io.BytesIO(octets), at_most=4_096)


@pytest.mark.parametrize(
    "payload",
    [
        b"[]",
        b"1",
        b"{",
        b"\xff",
        b"[" * 4_000,
        b'{"nonce": "n"}',
        b'{"nonce": 1, "max_pages": 1, "offset_chars": 0, "max_chars": 1}',
        b'{"nonce": "n", "max_pages": true, "offset_chars": 0, "max_chars": 1}',
        b'{"nonce": "n", "max_pages": 1, "offset_chars": 0, "max_chars": 1, "more": 1}',
    ],
)
def test_what_is_no_request_is_refused(payload: bytes) -> None:
    """Closed shape: each field once, of its type, and no other."""
    with pytest.raises(BadFrame):
        frames.decode_request(payload)
