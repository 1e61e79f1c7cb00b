"""Whether a message matches the keys of a SEARCH, exactly as Bridge looks: on stored octets, nothing decoded (bridge-behaviour 3.8)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date

from fakebridge.imap import grammar
from fakebridge.imap.answers import No
from fakebridge.imap.search_keys import All, Dated, Every, HasFlag, HeaderHas, Key, New, Not, Numbers, OctetsHave, Or, Size
from fakebridge.imap.sets import number_ranges, uid_members
from fakebridge.mailstore import flags as flagset
from fakebridge.mailstore.view import View
from fakebridge.message import search
from fakebridge.message.dates import DateError
from fakebridge.message.header import HeaderError

DAY_SECONDS = 86_400
Decoder = Callable[[bytes], str]


class Candidate:
    """One message under the keys; its octets are read once, and only if a key wants them."""

    def __init__(self, view: View, place: int) -> None:
        self.view = view
        self.place = place
        self._literal: bytes | None = None

    @property
    def literal(self) -> bytes:
        """The stored octets."""
        if self._literal is None:
            self._literal = self.view.messages[self.place].literal()
        return self._literal


Match = Callable[[Candidate], bool]


class Program:
    """Keys made ready for a view. `is_cheap`: no message has to be read. No: a UID set in an empty mailbox."""

    def __init__(self, keys: Sequence[Key], view: View, decoder: Decoder | None, *, this_year: int) -> None:
        self._this_year = this_year
        self._view = view
        self._decoder = decoder
        self.is_cheap = True
        self._matches = [self._compile(key) for key in keys]

    def matches(self, candidate: Candidate) -> bool:
        """Whether all keys match."""
        return all(match(candidate) for match in self._matches)

    def _compile(self, key: Key) -> Match:
        if isinstance(key, Not):
            inner = self._compile(key.key)
            return lambda candidate: not inner(candidate)
        if isinstance(key, Or):
            left, right = self._compile(key.left), self._compile(key.right)
            return lambda candidate: left(candidate) or right(candidate)
        if isinstance(key, Every):
            inside = [self._compile(one) for one in key.keys]
            return lambda candidate: all(match(candidate) for match in inside)
        if isinstance(key, Numbers):
            return self._numbers(key)
        if isinstance(key, HasFlag | New | All):
            return _flag_match(key)
        return self._reading(key)

    def _numbers(self, key: Numbers) -> Match:
        if key.by_uid:
            members = uid_members(self._view, key.numbers)
            return lambda candidate: candidate.place in members
        ranges = number_ranges(self._view, key.numbers)
        return lambda candidate: any(low <= candidate.place + 1 <= high for low, high in ranges)

    def _reading(self, key: HeaderHas | OctetsHave | Size | Dated) -> Match:
        if isinstance(key, Dated) and not key.name.startswith("sent"):
            return _date_match(key)
        self.is_cheap = False
        if isinstance(key, HeaderHas):
            needle = self._needle(key.needle)
            return lambda candidate: _header_contains(candidate.literal, key.field, needle)
        if isinstance(key, OctetsHave):
            needle = self._needle(key.needle)
            contains = search.text_contains if key.name == "TEXT" else search.body_contains
            return lambda candidate: contains(candidate.literal, needle)
        if isinstance(key, Size):
            if key.name == "LARGER":
                return lambda candidate: candidate.view.messages[candidate.place].size() > key.octets
            return lambda candidate: candidate.view.messages[candidate.place].size() < key.octets
        return _sent_match(key, self._this_year)

    def _needle(self, octets: bytes) -> bytes:
        return search.fold(octets if self._decoder is None else self._decoder(octets).encode("utf-8", "surrogateescape"))


def _header_contains(literal: bytes, name: bytes, needle: bytes) -> bool:
    try:
        return search.header_contains(literal, name, needle)
    except HeaderError as error:
        raise No(error.text) from error


def _flag_match(key: HasFlag | New | All) -> Match:
    if isinstance(key, All):
        return lambda _: True
    if isinstance(key, New):
        return lambda candidate: _has(candidate, flagset.RECENT) and not _has(candidate, flagset.SEEN)
    return lambda candidate: _has(candidate, key.flag) is key.present


def _has(candidate: Candidate, flag: str) -> bool:
    return flagset.has(candidate.view.flags(candidate.place), flag)


def _date_match(key: Dated) -> Match:
    wanted = grammar.real_date(*key.day)
    midnight = (wanted.toordinal() - date(1970, 1, 1).toordinal()) * DAY_SECONDS
    if key.name == "before":
        return lambda candidate: _seconds(candidate) < midnight
    if key.name == "since":
        return lambda candidate: _seconds(candidate) >= midnight
    return lambda candidate: midnight <= _seconds(candidate) < midnight + DAY_SECONDS


def _seconds(candidate: Candidate) -> int:
    return candidate.view.messages[candidate.place].date


def _sent_match(key: Dated, this_year: int) -> Match:
    wanted = grammar.real_date(*key.day)
    if key.name == "sentbefore":
        return lambda candidate: _sent_day(candidate, this_year) < wanted
    if key.name == "sentsince":
        return lambda candidate: _sent_day(candidate, this_year) >= wanted
    return lambda candidate: _sent_day(candidate, this_year) == wanted


def _sent_day(candidate: Candidate, this_year: int) -> date:
    """The day of the Date header in its own zone. No: it cannot be read, which ends the whole SEARCH."""
    try:
        return search.sent_date(candidate.literal, this_year=this_year)
    except DateError as error:
        raise No(str(error)) from error
    except HeaderError as error:
        raise No(error.text) from error
