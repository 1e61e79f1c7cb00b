"""Whether a message matches the keys of a SEARCH, exactly as Bridge looks: on stored octets, nothing decoded (bridge-behaviour 3.8)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

from fakebridge.imap import grammar
from fakebridge.imap.answers import No
from fakebridge.imap.search_keys import All, Dated, Every, HasFlag, HeaderHas, Key, New, Not, Numbers, OctetsHave, Or, Size
from fakebridge.imap.sets import number_ranges, uid_members
from fakebridge.mailstore import flags as flagset
from fakebridge.mailstore.view import View
from fakebridge.message import decoded_search, search
from fakebridge.message.dates import DateError
from fakebridge.message.header import HeaderError

DAY_SECONDS = 86_400
Decoder = Callable[[bytes], str]


Match = Callable[[int], bool]


@dataclass(frozen=True, slots=True)
class Looking:
    """How keys look into a message."""

    header: Callable[[bytes, bytes, bytes], bool]
    text: Callable[[bytes, bytes], bool]
    body: Callable[[bytes, bytes], bool]


AS_BRIDGE = Looking(search.header_contains, search.text_contains, search.body_contains)
DECODED = Looking(decoded_search.header_contains, decoded_search.text_contains, decoded_search.body_contains)


class Program:
    """Keys made ready for a view; they match positions. No: a UID set in an empty mailbox.

    `is_cheap`: no message has to be read. `candidates` are the positions that can match at all.
    """

    def __init__(self, keys: Sequence[Key], view: View, decoder: Decoder | None, *, this_year: int, looking: Looking = AS_BRIDGE) -> None:
        self._looking = looking
        self._this_year = this_year
        self._view = view
        self._decoder = decoder
        self.is_cheap = True
        self._matches = [self._compile(key) for key in keys if not isinstance(key, All)]
        self.candidates: Sequence[int] = range(len(view))
        for key in keys:
            if isinstance(key, Numbers) and key.by_uid:
                members = uid_members(view, key.numbers)
                self.candidates = sorted(members.intersection(self.candidates))

    def matches(self, place: int) -> bool:
        """Whether all keys match."""
        return all(match(place) for match in self._matches)

    def _literal(self, place: int) -> bytes:
        return self._view.messages[place].literal()

    def _compile(self, key: Key) -> Match:
        if isinstance(key, Not):
            inner = self._compile(key.key)
            return lambda place: not inner(place)
        if isinstance(key, Or):
            left, right = self._compile(key.left), self._compile(key.right)
            return lambda place: left(place) or right(place)
        if isinstance(key, Every):
            inside = [self._compile(one) for one in key.keys]
            return lambda place: all(match(place) for match in inside)
        if isinstance(key, Numbers):
            return self._numbers(key)
        if isinstance(key, HasFlag | New | All):
            return _flag_match(key, self._view)
        return self._reading(key)

    def _numbers(self, key: Numbers) -> Match:
        if key.by_uid:
            members = uid_members(self._view, key.numbers)
            return lambda place: place in members
        ranges = number_ranges(self._view, key.numbers)
        return lambda place: any(low <= place + 1 <= high for low, high in ranges)

    def _reading(self, key: HeaderHas | OctetsHave | Size | Dated) -> Match:
        if isinstance(key, Dated) and not key.name.startswith("sent"):
            return _date_match(key, self._view)
        self.is_cheap = False
        if isinstance(key, HeaderHas):
            needle = self._needle(key.needle)
            return lambda place: self._header_contains(place, key.field, needle)
        if isinstance(key, OctetsHave):
            needle = self._needle(key.needle)
            contains = self._looking.text if key.name == "TEXT" else self._looking.body
            return lambda place: contains(self._literal(place), needle)
        if isinstance(key, Size):
            if key.name == "LARGER":
                return lambda place: self._view.messages[place].size() > key.octets
            return lambda place: self._view.messages[place].size() < key.octets
        return self._sent_match(key)

    def _sent_match(self, key: Dated) -> Match:
        wanted = grammar.real_date(*key.day)
        if key.name == "sentbefore":
            return lambda place: self._sent_day(place) < wanted
        if key.name == "sentsince":
            return lambda place: self._sent_day(place) >= wanted
        return lambda place: self._sent_day(place) == wanted

    def _sent_day(self, place: int) -> date:
        """The day of the Date header in its own zone. No: it cannot be read, which ends the whole SEARCH."""
        try:
            return search.sent_date(self._literal(place), this_year=self._this_year)
        except DateError as error:
            raise No(str(error)) from error
        except HeaderError as error:
            raise No(error.text) from error

    def _header_contains(self, place: int, name: bytes, needle: bytes) -> bool:
        try:
            return self._looking.header(self._literal(place), name, needle)
        except HeaderError as error:
            raise No(error.text) from error

    def _needle(self, octets: bytes) -> bytes:
        return search.fold(octets if self._decoder is None else self._decoder(octets).encode("utf-8", "surrogateescape"))


def _flag_match(key: HasFlag | New | All, view: View) -> Match:
    if isinstance(key, All):
        return lambda _: True
    if isinstance(key, New):
        return lambda place: view.uids[place] in view.recent and not flagset.has(view.stored_flags(place), flagset.SEEN)
    if key.flag.lower() == "\\recent":
        return lambda place: (view.uids[place] in view.recent) is key.present
    flag = key.flag.lower()
    lowered = flagset.lowered
    return lambda place: (flag in lowered(view.stored_flags(place))) is key.present


def _date_match(key: Dated, view: View) -> Match:
    wanted = grammar.real_date(*key.day)
    midnight = (wanted.toordinal() - date(1970, 1, 1).toordinal()) * DAY_SECONDS
    if key.name == "before":
        return lambda place: view.messages[place].date < midnight
    if key.name == "since":
        return lambda place: view.messages[place].date >= midnight
    return lambda place: midnight <= view.messages[place].date < midnight + DAY_SECONDS
