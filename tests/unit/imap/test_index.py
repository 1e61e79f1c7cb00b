"""The index of a folder: both readers agree, news keeps it true, lies are refused."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proton_safe.imap import items, responses
from proton_safe.imap.connection import fetched
from proton_safe.imap.grammar import BadSyntax
from proton_safe.imap.index import FAST_ROW, FolderIndex, IndexEntry, newest_first, utc

NEW_YEAR = 1_767_225_600


def _by_the_grammar(line: bytes, exists: int = 9) -> tuple[IndexEntry, ...]:
    index = FolderIndex(exists)
    response = responses.read((line.removesuffix(b"\r\n"),))
    index.put_row(response.number, items.row(fetched(response)))
    return index.newest()


def _by_the_pattern(line: bytes, exists: int = 9) -> tuple[IndexEntry, ...] | None:
    match = FAST_ROW.fullmatch(line)
    if match is None:
        return None
    index = FolderIndex(exists)
    index.put_fast(match.groups())
    return index.newest()


def test_bridge_s_rows_take_the_fast_path() -> None:
    """bridge-behaviour 3.5: items in the order of the request, dates in UTC."""
    line = b'* 2 FETCH (UID 20 FLAGS (\\Recent \\Seen) INTERNALDATE "01-Jan-2026 00:00:05 +0000")\r\n'
    expected = (IndexEntry(20, NEW_YEAR + 5, frozenset({"\\recent", "\\seen"})),)
    assert _by_the_pattern(line) == _by_the_grammar(line) == expected


_FLAGS = st.lists(st.sampled_from(["\\Seen", "\\seen", "\\Flagged", "$Forwarded", "NIL", "a]b", "BODY[1]", "%", "*"]), max_size=4).map(
    " ".join
)
_DATES = st.tuples(
    st.integers(0, 39).map("{:02}".format),
    st.sampled_from(["Jan", "Feb", "Dec", "Foo", "jan"]),
    st.integers(0, 9999).map("{:04}".format),
).map("-".join)
_TIMES = st.sampled_from(
    ["00:00:00 +0000", "23:59:59 -0000", "24:00:00 +0000", "12:60:00 +0130", "12:00:60 +0000", "07:30:00 -1200", "07:30:00 +9999"]
)


@given(sequence=st.integers(1, 9), uid=st.integers(1, 2**32 - 1), flags=_FLAGS, date=_DATES, time=_TIMES)
def test_the_fast_path_says_what_the_grammar_says(sequence: int, uid: int, flags: str, date: str, time: str) -> None:
    """One pattern may only ever be a faster way to the same entry."""
    line = f'* {sequence} FETCH (UID {uid} FLAGS ({flags}) INTERNALDATE "{date} {time}")\r\n'.encode("ascii")
    fast = _by_the_pattern(line)
    if fast is not None:
        assert fast == _by_the_grammar(line)


@given(st.binary(max_size=120))
def test_the_fast_path_takes_nothing_that_the_grammar_refuses(inside: bytes) -> None:
    """Octets inside a row's flags: both read them, or the pattern leaves them alone."""
    line = b"* 1 FETCH (UID 5 FLAGS (" + inside + b') INTERNALDATE "01-Jan-2026 00:00:00 +0000")\r\n'
    fast = _by_the_pattern(line)
    if fast is not None:
        assert fast == _by_the_grammar(line)


@pytest.mark.parametrize(
    "line",
    [
        b"* 1 FETCH (UID 4294967296 FLAGS () INTERNALDATE",
        b"* 99 FETCH (UID 5 FLAGS () INTERNALDATE",
        b"* 0 FETCH (UID 5 FLAGS () INTERNALDATE",
    ],
)
def test_places_and_uids_out_of_range_are_refused_or_left_to_the_grammar(line: bytes) -> None:
    """A message beyond EXISTS is a lie."""
    whole = line + b' "01-Jan-2026 00:00:00 +0000")\r\n'
    with pytest.raises(BadSyntax):
        _by_the_grammar(whole)
    if FAST_ROW.fullmatch(whole):
        with pytest.raises(BadSyntax):
            _by_the_pattern(whole)


def _index(*entries: tuple[int, int]) -> FolderIndex:
    index = FolderIndex(len(entries))
    for place, (uid, received) in enumerate(entries, 1):
        index.put(place, IndexEntry(uid, received, frozenset()))
    return index


def test_newest_is_by_date_then_uid() -> None:
    """After Bridge's first sync low uids are the newest mail (bridge-behaviour 1.11)."""
    assert [entry.uid for entry in _index((1, 30), (2, 20), (3, 30), (4, 10)).newest()] == [3, 1, 2, 4]
    assert newest_first([]) == ()
    # Bridge answers in any order, and mail that comes later takes its place among equal dates.
    index = FolderIndex(3)
    for place, uid in ((3, 7), (1, 2), (2, 5)):
        index.put(place, IndexEntry(uid, 30, frozenset()))
    assert newest_first(index.of((2, 5, 7))) == index.newest()
    assert [entry.uid for entry in index.newest()] == [7, 5, 2]
    assert index.highest_uid == 7
    index.exist(4)
    index.put(4, IndexEntry(9, 30, frozenset()))
    assert [entry.uid for entry in index.newest()] == [9, 7, 5, 2]


def test_an_entry_twice_is_refused() -> None:
    """Neither a place nor a uid is described twice."""
    index = _index((1, 0), (2, 0))
    index.exist(3)
    for place, uid in ((1, 9), (3, 2)):
        with pytest.raises(BadSyntax):
            index.put(place, IndexEntry(uid, 0, frozenset()))


def test_news_moves_places() -> None:
    """RFC 3501 7.3.1, 7.4.1: EXPUNGE renumbers, EXISTS adds places that are still unknown, FETCH changes flags."""
    index = _index((1, 0), (2, 0), (3, 0))
    index.expunge(2)
    index.exist(4)
    assert (index.unknown, index.left_out, index.highest_uid, index.doubtful) == (2, 0, 3, False)
    index.reflag(2, frozenset({"\\seen"}))
    index.put(3, IndexEntry(8, 5, frozenset()))
    index.expunge(4)
    assert (index.unknown, index.left_out, index.doubtful) == (0, 0, False)
    assert index.newest() == (IndexEntry(8, 5, frozenset()), IndexEntry(3, 0, frozenset({"\\seen"})), IndexEntry(1, 0, frozenset()))
    assert [entry.unread for entry in index.newest()] == [True, False, True]


@pytest.mark.parametrize("news", ["exist", "expunge", "reflag", "reflag of another", "reflag of one that stands elsewhere"])
def test_news_that_does_not_fit_makes_the_index_doubtful(news: str) -> None:
    """It is built again rather than guessed at."""
    index = _index((1, 0), (2, 0))
    if news == "exist":
        index.exist(1)
    elif news == "expunge":
        index.expunge(3)
    elif news == "reflag":
        index.reflag(0, frozenset())
    elif news == "reflag of another":
        index.reflag(1, frozenset({"\\seen"}), uid=99)
    else:
        index.exist(3)
        index.reflag(3, frozenset({"\\seen"}), uid=2)
    assert index.doubtful
    assert all(entry.unread for entry in index.newest())


def test_an_unreadable_date_comes_last_and_is_none() -> None:
    """Such a message is listed, behind all others."""
    index = FolderIndex(2)
    index.put_row(1, items.RowItems(7))
    index.put(2, IndexEntry(6, -5, frozenset()))
    assert [entry.uid for entry in index.newest()] == [6, 7]
    assert [utc(entry) for entry in index.newest()] == [datetime(1969, 12, 31, 23, 59, 55, tzinfo=UTC), None]
