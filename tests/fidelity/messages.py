"""Without Bridge's ways of FETCH and SEARCH (bridge-behaviour 3.4 to 3.8)."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from fakebridge.imap import fetch_items, searching, sets
from fakebridge.imap.answers import Bad, No
from fakebridge.imap.commands import fetch, search, store
from fakebridge.imap.grammar import STAR
from fakebridge.mailstore import message as stored_message
from fakebridge.message import search as octet_search
from fakebridge.message.charset import UnknownCharset
from fakebridge.message.qword import decode_header
from fakebridge.message.section import SectionKind, SectionMissing
from tests.fidelity.departing import Passed, around, departure, put


@departure("fetch-order-random")
def fetch_in_order() -> None:
    """FETCH comes in the order of the set."""
    put(fetch.FetchCommand, "_ordered", staticmethod(lambda _, wanted, **__: wanted))


@departure("store-order-random")
def store_in_order() -> None:
    """So does what STORE says."""
    put(store, "ResponseOrder", type("Never", (), {"RANDOM": object()}))


@departure("uid-star-beyond-the-end-is-nothing")
def star_is_the_last() -> None:
    """`n:*` always holds the last message, as in RFC 3501."""

    def ends(original: Passed, one: Passed, star: int) -> Passed:
        if STAR in (one.begin, one.end) and one.begin != one.end:
            other = one.end if one.begin == STAR else one.begin
            return min(other, star), max(other, star)
        return original(one, star)

    around(sets, "_ends", ends)


@departure("missing-numbers-are-bad")
def missing_numbers_are_skipped() -> None:
    """Sequence numbers that are not there are passed over."""

    def places(original: Passed, view: Passed, numbers: Passed) -> Passed:
        try:
            return original(view, numbers)
        except Bad:
            return []

    around(sets, "places_by_number", places)


@departure("missing-uids-are-skipped")
def missing_uids_are_bad() -> None:
    """UIDs that are not there are an error."""

    def places(original: Passed, view: Passed, uids: Passed) -> Passed:
        found = original(view, uids)
        if not found:
            raise Bad(sets.NO_SUCH_MESSAGE)
        return found

    around(sets, "places_by_uid", places)


@departure("sets-are-not-deduplicated")
def sets_have_no_doubles() -> None:
    """A message is answered once."""
    around(sets, "places_by_number", lambda original, view, numbers: list(dict.fromkeys(original(view, numbers))))


@departure("uid-search-in-empty-mailbox")
def uid_search_finds_nothing() -> None:
    """A UID key in an empty mailbox finds nothing."""
    put(searching, "uid_members", lambda view, uids: set(sets.places_by_uid(view, uids)))


@departure("fetch-items")
def uid_comes_first() -> None:
    """UID stands in front where it was not asked for."""

    def line(original: Passed, self: Passed, view: Passed, place: int, **named: Passed) -> bytes:
        octets: bytes = original(self, view, place, **named)
        uid = b" UID %d)" % view.uids[place]
        if self.by_uid and octets.endswith(uid):
            octets = octets.removesuffix(uid).replace(b"FETCH (", b"FETCH (" + uid.strip(b" )") + b" ", 1) + b")"
        return octets

    around(fetch.FetchCommand, "_line", line)


@departure("fetch-macros")
def all_has_no_envelope() -> None:
    """ALL is FAST."""
    put(fetch_items, "MACROS", {**fetch_items.MACROS, "all": fetch_items.FAST, "full": fetch_items.FAST})


@departure("fetch-marks-as-read")
def nothing_marks_as_read() -> None:
    """Reading is never told."""
    put(fetch, "sets_seen", lambda _: False)


@departure("examine-never-marks")
def peeking_marks() -> None:
    """Whatever reads the octets marks as read, after EXAMINE too."""

    async def run(original: Passed, self: Passed, session: Passed) -> Passed:
        view = session.view
        was, view.read_only = view.read_only, False
        try:
            return await original(self, session)
        finally:
            view.read_only = was

    around(fetch.FetchCommand, "run", run)


@departure("sections")
def sections_keep_their_spelling() -> None:
    """Field names come back as they were sent."""
    put(fetch_items.Section, "name", property(lambda self: b".".join((self.kind.value.encode(), *self.fields))))


@departure("part-below-a-message-is-the-message")
def parts_descend() -> None:
    """Part n.1 of an embedded message is its body, as in RFC 3501."""

    def section(original: Passed, literal: bytes, path: Passed, kind: SectionKind, fields: Passed = ()) -> bytes:
        if path == (2, 1) and kind is SectionKind.WHOLE:
            kind, path = SectionKind.TEXT, (2,)
        octets: bytes = original(literal, path, kind, fields)
        return octets

    around(fetch_items, "section", section)


@departure("missing-parts-fail")
def missing_parts_are_empty() -> None:
    """A part that is not there is an empty string."""

    def section(original: Passed, *arguments: Passed) -> Passed:
        try:
            return original(*arguments)
        except fetch_items_missing():
            return b""

    around(fetch_items, "section", section)


def fetch_items_missing() -> type[Exception]:
    """The error of a part that is not there."""
    return SectionMissing


@departure("envelope-subject-raw")
def envelope_subject_decoded() -> None:
    """The subject is decoded."""

    def envelope(original: Passed, literal: bytes) -> bytes:
        octets: bytes = original(literal)
        return decode_header(octets.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")

    around(stored_message, "envelope", envelope)


@departure("envelope-names-decoded")
def envelope_names_encoded() -> None:
    """Names are ASCII."""
    around(stored_message, "envelope", lambda original, literal: original(literal).decode().encode("ascii", "replace"))


@departure("bodystructure-form")
def bodystructure_with_nil() -> None:
    """An empty parameter list is NIL."""
    around(stored_message, "bodystructure", lambda original, literal: original(literal).replace(b" () ", b" NIL "))


@departure("search-keys")
def search_is_exact() -> None:
    """Letter case counts."""
    put(octet_search, "fold", lambda octets: octets)


def _looks(**otherwise: Passed) -> None:
    put(search, "AS_BRIDGE", replace(searching.AS_BRIDGE, **otherwise))


@departure("search-sees-encoded-words")
def search_decodes_headers() -> None:
    """Encoded words are decoded before comparing."""
    _looks(header=searching.DECODED.header)


@departure("search-sees-encoded-bytes")
def search_decodes_bodies() -> None:
    """Transfer encodings are decoded before comparing."""
    _looks(text=searching.DECODED.text, body=searching.DECODED.body)


@departure("search-empty-needle-matches-all")
def search_wants_the_field() -> None:
    """A missing field does not match."""

    def contains(literal: bytes, name: bytes, needle: bytes) -> bool:
        return name.lower() + b":" in literal.lower() and searching.AS_BRIDGE.header(literal, name, needle)

    _looks(header=contains)


@departure("search-bad-date-fails")
def bad_dates_match_nothing() -> None:
    """A message with a bad date does not match."""

    def sent_date(original: Passed, literal: bytes, **named: Passed) -> date:
        try:
            found: date = original(literal, **named)
        except octet_search.DateError:
            return date.min
        return found

    around(octet_search, "sent_date", sent_date)


@departure("badcharset-bare")
def badcharset_with_a_list() -> None:
    """[BADCHARSET] names what is known, as RFC 3501 allows."""

    def decoder(original: Passed, self: Passed) -> Passed:
        try:
            return original(self)
        except No:
            raise No("unknown charset", code="BADCHARSET (US-ASCII UTF-8)") from None

    around(search.SearchCommand, "_decoder", decoder)


@departure("utf-7-never-answered")
def utf_7_is_refused() -> None:
    """A charset without a decoder is refused."""

    def decoder(original: Passed, name: str) -> Passed:
        if name.lower() == "utf-7":
            raise UnknownCharset(name)
        return original(name)

    around(search, "search_decoder", decoder)


@departure("charset-decodes-the-key")
def charset_is_ignored() -> None:
    """The key is compared as it came."""
    put(search.SearchCommand, "_decoder", lambda _: None)
