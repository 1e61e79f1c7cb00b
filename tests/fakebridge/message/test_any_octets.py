"""Any octets give a value or the one documented error, and hostile nesting stays bounded."""

from collections.abc import Callable
from typing import TypeVar

from hypothesis import given, settings
from hypothesis import strategies as st

from fakebridge.message.accountserver import AccountServer, keep_draft
from fakebridge.message.addresses import Address, AddressError, format_list, parse_list
from fakebridge.message.build import build
from fakebridge.message.dates import DateError, parse_date_time
from fakebridge.message.draft import AppendRefused, draft_from, recipients
from fakebridge.message.envelope import envelope
from fakebridge.message.hashing import HashRefused, message_hash
from fakebridge.message.header import HeaderError, fields, split
from fakebridge.message.imported import import_from
from fakebridge.message.mbox import MboxError
from fakebridge.message.mediatype import MediaType, MediaTypeError, parse
from fakebridge.message.part import MAX_DEPTH
from fakebridge.message.part import parse as parse_parts
from fakebridge.message.section import SectionKind, SectionMissing, section
from fakebridge.message.stored import Origin
from fakebridge.message.structure import body, bodystructure
from fakebridge.message.validate import Invalid, check_rfc5322
from fakebridge.message.whitespace import trim_space

_PIECES = (
    *(b"From: a@b\r\n", b"To: ", b"Subject: =?utf-8?q?", b"Date: Tue, 03 Feb 2026 10:11:12 +0100\r\n", b"Content-Type: ", b"text/plain"),
    *(b"multipart/mixed; boundary=x\r\n", b"message/rfc822\r\n", b"\r\n", b"\r\n\r\n", b"--x\r\n", b"--x--\r\n", b"--x--", b"base64\r\n"),
    *(b"Content-Transfer-Encoding: ", b"quoted-printable\r\n", b"=C3=A9", b"=", b"From x\r\n", b"charset=iso-8859-1", b"image/png\r\n"),
    *(b"Content-Disposition: inline\r\n", b"\n", b"\r", b" ", b"\xc3\xa9", b"\xff", b"\x00", b'"', b"(", b"<", b"?=", b";", b",", b"@"),
)
_MAILS = st.lists(st.one_of(st.sampled_from(_PIECES), st.binary(max_size=6)), max_size=24).map(b"".join)
_SMALL = settings(max_examples=150, deadline=None)
_Value = TypeVar("_Value")


def _outcome(call: Callable[[], _Value], *errors: type[Exception]) -> _Value | Exception:
    """What a call returns, or the documented error that it raises."""
    try:
        return call()
    except errors as raised:
        return raised


@_SMALL
@given(_MAILS)
def test_any_octets_have_a_header_a_tree_and_a_structure(literal: bytes) -> None:
    """The IMAP side never fails on a message: it is a leaf at worst (bridge-behaviour 3.7)."""
    block, rest = split(literal)
    assert block + rest == literal
    found = _outcome(lambda: b"".join(field.raw for field in fields(block)), HeaderError)
    assert isinstance(found, HeaderError) or found == block
    root = parse_parts(literal)
    assert literal[root.begin : root.end] == literal
    for written in (envelope(literal), body(literal), bodystructure(literal)):
        assert written.startswith(b"(")
        assert written.endswith(b")")
        assert b"\r" not in written
        assert b"\n" not in written


@_SMALL
@given(_MAILS, st.lists(st.integers(1, 3), max_size=3), st.sampled_from(SectionKind))
def test_any_section_of_any_octets_is_octets_of_the_message_or_missing(literal: bytes, path: list[int], kind: SectionKind) -> None:
    """bridge-behaviour 3.5: two texts, nothing else."""
    found = _outcome(lambda: section(literal, path, kind, [b"to"]), SectionMissing)
    if isinstance(found, SectionMissing):
        assert found.text in {"no such parts exists", "invalid part index"}
    else:
        assert isinstance(found, bytes)
        assert kind in {SectionKind.FIELDS, SectionKind.FIELDS_NOT} or found in literal


@_SMALL
@given(st.one_of(st.binary(max_size=60), _MAILS))
def test_any_octets_are_an_address_list_or_an_address_error(value: bytes) -> None:
    """bridge-behaviour 5.2: an error's offset says how often the value was read, at most three times for each address."""
    found = _outcome(lambda: format_list(parse_list(value)), AddressError)
    if isinstance(found, AddressError):
        assert 0 <= found.offset <= 5 * len(value) * (value.count(b",") + value.count(b";") + 1)
    else:
        assert isinstance(found, str)


def _as_draft(literal: bytes) -> bytes:
    recipients(literal)
    message_hash(literal)
    sender = Address("Ada", "ada@proton.local")
    return build(keep_draft(draft_from(literal), sender=sender, internal_id="id", time=1, server=AccountServer.PROTON))


@_SMALL
@given(_MAILS)
def test_any_octets_become_a_draft_that_can_be_built_or_are_refused(literal: bytes) -> None:
    """bridge-behaviour 5.4: one error for all refusals; building again gives the same octets."""
    found = _outcome(lambda: _as_draft(literal), AppendRefused, HashRefused, MboxError)
    if isinstance(found, bytes):
        assert found == _as_draft(literal)
        assert b"X-Pm-Internal-Id: id\r\n" in found


def _as_import(literal: bytes, server: AccountServer) -> bytes:
    return build(import_from(literal, internal_id="id", origin=Origin.RECEIVED, time=1_770_000_000, server=server))


@_SMALL
@given(_MAILS, st.sampled_from(AccountServer))
def test_any_octets_are_imported_or_refused(literal: bytes, server: AccountServer) -> None:
    """bridge-behaviour 5.8: taken apart, kept whole or refused."""
    assert _outcome(lambda: check_rfc5322(literal), Invalid) is None or check_fails(literal)
    found = _outcome(lambda: _as_import(literal, server), AppendRefused, MboxError)
    assert not isinstance(found, bytes) or b"X-Pm-Internal-Id: id\r\n" in found


def check_fails(literal: bytes) -> bool:
    """Whether the check refuses a second time."""
    return isinstance(_outcome(lambda: check_rfc5322(literal), Invalid), Invalid)


@_SMALL
@given(st.text(max_size=60))
def test_any_text_is_a_media_type_or_a_media_type_error(value: str) -> None:
    """RFC 2045, 2231: parameters have lower-case names."""
    found = _outcome(lambda: parse(value), MediaTypeError)
    assert isinstance(found, MediaTypeError | MediaType)
    assert isinstance(found, MediaTypeError) or all(name == name.lower() for name in found.params)


@_SMALL
@given(st.one_of(st.binary(max_size=40), st.from_regex(rb"\A\d{1,2} Feb \d{2,4} \d\d:\d\d( [+-]\d{4}| GMT)?\Z")))
def test_any_octets_are_a_date_or_a_date_error(value: bytes) -> None:
    """bridge-behaviour 3.8: an unreadable Date has a text."""
    found = _outcome(lambda: parse_date_time(value, this_year=2026), DateError)
    assert str(found).startswith("[Error offset=") or getattr(found, "month", 0) in range(1, 13)


@_SMALL
@given(st.text(max_size=20))
def test_trimming_agrees_with_trimming_of_text(text: str) -> None:
    """The wire's tools trim the white space of Unicode."""
    spaces = "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
    assert trim_space(text.encode("utf-8", "replace")).decode() == text.encode("utf-8", "replace").decode().strip(spaces)


def test_nesting_is_read_to_a_depth_and_no_deeper() -> None:
    """Ours: hostile nesting must not recurse without bound, in either reader."""
    levels = 300
    inner = b"Content-Type: text/plain\r\n\r\nx"
    for level in range(levels):
        boundary = b"b%d" % level
        inner = b"Content-Type: multipart/mixed; boundary=%b\r\n\r\n--%b\r\n%b\r\n--%b--\r\n" % (boundary, boundary, inner, boundary)
    part, depth = parse_parts(inner), 0
    while part.children:
        part, depth = part.children[0], depth + 1
    assert depth == MAX_DEPTH
    assert bodystructure(inner).count(b'"mixed"') == MAX_DEPTH + 1
    assert draft_from(inner).mime_type == "text/plain"


def test_messages_inside_messages_are_read_to_a_depth_and_no_deeper() -> None:
    """Ours: a chain of embedded messages is bounded too."""
    literal = b"Content-Type: message/rfc822\r\n\r\n" * 400
    written = bodystructure(literal)
    assert written.count(b'"message" "rfc822"') == MAX_DEPTH + 1
