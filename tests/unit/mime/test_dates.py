"""The Date field: RFC 5322 3.3 and 4.3, ISO 8601, and values that are no date."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proton_safe.mime import dates

KNOWN = [
    (b"Fri, 21 Nov 1997 09:55:06 -0600", "1997-11-21T09:55:06-06:00"),
    (b"1 Jul 2003 10:52 +0200", "2003-07-01T10:52:00+02:00"),
    (b"Thu,\r\n 13\r\n Feb\r\n 1969 23:32 -0330 (Newfoundland Time)", "1969-02-13T23:32:00-03:30"),
    (b"21 Nov 97 09:55:06 GMT", "1997-11-21T09:55:06+00:00"),
    (b"Fri Nov 21 1997 09:55:06 GMT-0600 (CST)", "1997-11-21T09:55:06-06:00"),
    (b"Fri, 21 Nov 1997 09(comment):   55  :  06 -0600", "1997-11-21T09:55:06-06:00"),
    (b"Mon, 12 Mar 20 10:00:00-0500", "2020-03-12T10:00:00-05:00"),
    (b"12-Mar-2020 10:00 EST", "2020-03-12T10:00:00-05:00"),
    (b"Thu Jan 15 12:00:00 2021", "2021-01-15T12:00:00+00:00"),
    (b"31 Dec 2016 23:59:60 +0000", "2016-12-31T23:59:59+00:00"),
    (b"2020-01-02T03:04:05.678Z", "2020-01-02T03:04:05+00:00"),
    (b"Fri, 31 Dec 9999 23:59:59 -0001", "9999-12-31T23:59:59-00:01"),
    (b"1 January 102 10:00:00 +0000", "2002-01-01T10:00:00+00:00"),
    (b"Wed, 2 Mar 2011 12:00:00.123456 +0100", "2011-03-02T12:00:00+01:00"),
    (b"Wed, 2 Mar 2011 12:00:00 +0100 (\x01)", "2011-03-02T12:00:00+01:00"),
]
NONE = [
    b"yesterday",
    b"1 Jan 0000 00:00:00 +0000",
    b"31 Feb 2020 10:00:00 +0000",
    b"1 Jan 2020 25:00:00 +0000",
    b"1 Jan 2020 10:00:00 +9999",
    b"1 Jan 2020",
    b"1 Jan 20201 10:00:00 +0000",
    b"1 Jan 2020 10:00:00 +00000",
    b"1 Jan 2020 10:00:00 +999999999",
    b"1 Jan\0 2020 10:00:00 +0000",
    b"1 Jan 2020 10:00:00\x1b[2J +0000",
    b"1 Jan 2020 \xff\xc3\xa9 10:00:00 +0000",
    b"9" * 5_000,
    b"1 Jan 2020 10:00:00 +0000" + b" " * 300 + b"x",
]


@pytest.mark.parametrize("raw, iso", KNOWN)
def test_a_date_keeps_the_offset_of_its_sender(raw: bytes, iso: str) -> None:
    """RFC 5322 3.3 and 4.3; product page 14."""
    found = dates.parse(raw)
    assert (found.iso, found.warnings) == (iso, ())


@pytest.mark.parametrize("raw", NONE)
def test_what_is_no_date_keeps_its_text_and_has_no_instant(raw: bytes) -> None:
    """Attack catalogue header/date-extremes."""
    found = dates.parse(raw)
    assert found.text
    assert (found.iso, found.warnings) == (None, ("date-unreadable",))


@pytest.mark.parametrize("raw", [None, b"", b"   "])
def test_no_date_is_no_defect(raw: bytes | None) -> None:
    """Product page 14: '' if absent."""
    found = dates.parse(raw)
    assert (found.text, found.iso, found.warnings) == ("", None, ())


@given(st.binary(max_size=100) | st.text(alphabet="0123456789:+- JanMarT()Z", max_size=60).map(str.encode))
def test_any_octets_give_a_date_or_none(raw: bytes) -> None:
    """Product page 4: no header value may raise."""
    found = dates.parse(raw)
    assert found.iso is None or len(found.iso) == 25
