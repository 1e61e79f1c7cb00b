"""Captured names and generators become values."""

import hashlib
import io
import zipfile
from email import message_from_string, policy

import pytest

from conformance.model import Json
from conformance.sources import octets_of
from conformance.values import UID_KEY, UnknownName, at_path, captured_names, expand


def test_a_captured_name_becomes_its_value() -> None:
    """`$name` stands for what an earlier step captured, whole values only."""
    assert expand({"a": ["$uid", "not $uid", "$$5"]}, {"uid": "7"}) == {"a": ["7", "not $uid", "$5"]}


def test_a_name_that_nobody_captured_is_an_error() -> None:
    """A case that names nothing would otherwise send the name itself."""
    with pytest.raises(UnknownName):
        expand("$uid", {})


def test_a_mail_is_named_by_its_handle() -> None:
    """UIDs are places in a world's list and move when a mail is added."""
    names = {UID_KEY: {"nul-subject": "12"}, "uid": "7"}
    assert expand({"uid": {"$uid": "nul-subject"}, "other": "$uid"}, names) == {"uid": "12", "other": "7"}
    with pytest.raises(UnknownName):
        expand({"$uid": "no-such-mail"}, names)


def test_names_are_found_before_a_run() -> None:
    """Lint can tell whether each name is captured before it is used."""
    assert captured_names([{"a": "$one"}, ["$two"], "$$three", 4]) == {"one", "two"}


def test_a_path_leads_into_lists_and_objects() -> None:
    """Captures name a place in a result."""
    assert at_path({"rows": [{"uid": "1"}, {"uid": "2"}]}, "rows.1.uid") == "2"


@pytest.mark.parametrize(
    "value, expected",
    [
        ({"$repeat": ["ab", 3]}, "ababab"),
        ({"$join": ["a", {"$repeat": ["b", 2]}]}, "abb"),
        ({"$list": {"each": "r#@x.example", "times": 2}}, ["r1@x.example", "r2@x.example"]),
        ({"$list": {"each": {"n": "#"}, "times": 2, "from": 5}}, [{"n": "5"}, {"n": "6"}]),
        ({"$list": {"each": 1, "times": 2}}, [1, 1]),
        ({"$base64": {"text": "hello"}}, "aGVsbG8="),
        ({"$sha256": {"text": "hello"}}, hashlib.sha256(b"hello").hexdigest()),
        ({"$size": {"text": "é", "repeat": 3, "padded_to": 10}}, 10),
        ({"$size": {"text": "hello", "from": 1, "to": 3}}, 2),
    ],
)
def test_generators_make_values(value: Json, expected: Json) -> None:
    """Large or computed inputs stay one readable line."""
    assert expand(value, {}) == expected


@pytest.mark.parametrize("characters", [11, 66, 72, 73, 74, 134, 135, 253, 254, 255, 400])
def test_an_address_has_the_length_asked_for(characters: int) -> None:
    """RFC 5321 4.5.3.1: local parts of at most 64, RFC 1035 2.3.4: labels of at most 63 characters."""
    address = expand({"$address": characters}, {})
    local, _, domain = address.partition("@")
    assert len(address) == characters
    assert len(local) <= 64
    assert all(1 <= len(label) <= 63 for label in domain.split("."))


def test_an_address_of_impossible_length_is_an_error() -> None:
    """A generator never makes something else than was asked for."""
    with pytest.raises(ValueError, match="no address has 5 characters"):
        expand({"$address": 5}, {})


def test_a_mail_carries_its_attachment() -> None:
    """RFC 2046 5.1: what a case delivers is a real mail."""
    parts = {
        "headers": ["Subject: x"],
        "text": "See it.",
        "filename": "a.txt",
        "content_type": "text/plain",
        "attachment": {"text": "hello"},
    }
    mail = message_from_string(expand({"$mail": parts}, {}), policy=policy.default)
    assert [part.get_content_type() for part in mail.walk()] == ["multipart/mixed", "text/plain", "text/plain"]
    assert [(part.get_filename(), part.get_content().strip()) for part in mail.iter_parts()] == [(None, "See it."), ("a.txt", "hello")]


@pytest.mark.parametrize("kind, part", [("docx", "word/document.xml"), ("xlsx", "xl/workbook.xml"), ("pptx", "ppt/presentation.xml")])
def test_office_files_are_containers_of_their_kind(kind: str, part: str) -> None:
    """ECMA-376 part 2: the content types and the main part make the kind."""
    with zipfile.ZipFile(io.BytesIO(octets_of({"kind": kind}))) as container:
        assert {"[Content_Types].xml", "_rels/.rels", part} == set(container.namelist())


def test_a_container_has_as_many_entries_as_asked_for() -> None:
    """The bound on entries is met exactly."""
    with zipfile.ZipFile(io.BytesIO(octets_of({"container": {"entries": 50}}))) as container:
        assert len(container.namelist()) == 50


@pytest.mark.parametrize(
    "source, signature",
    [
        ({"kind": "png"}, b"\x89PNG\r\n\x1a\n"),
        ({"kind": "jpeg"}, b"\xff\xd8\xff"),
        ({"pdf": "pdf/tiny"}, b"%PDF-"),
        ({"bomb": "quadratic"}, b"%PDF-"),
        ({"bomb": "character-flood"}, b"%PDF-"),
        ({"hex": "7f454c46"}, b"\x7fELF"),
    ],
)
def test_sources_begin_with_their_signature(source: Json, signature: bytes) -> None:
    """A server that looks at signatures must see what the case means."""
    assert octets_of(source).startswith(signature)


def test_bombs_are_small_files() -> None:
    """What is large is the work, not the file."""
    assert all(len(octets_of({"bomb": name})) < 100_000 for name in ("inflating", "quadratic", "character-flood"))


def test_an_unknown_source_is_an_error() -> None:
    """The set of sources is closed."""
    with pytest.raises(ValueError, match="no such source"):
        octets_of({"nothing": 1})
