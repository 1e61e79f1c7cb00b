"""ENVELOPE, BODY, BODYSTRUCTURE and sections of every recorded message come out as Bridge answered them."""

import re
from collections.abc import Callable, Sequence

import pytest

from fakebridge.message.envelope import envelope
from fakebridge.message.section import SectionKind, SectionMissing, section
from fakebridge.message.structure import body, bodystructure
from tests.fakebridge.recordings import fetched, inbox, literal_of, named, rows

_ITEM = re.compile(rb"\* (\d+) FETCH \((ENVELOPE|BODYSTRUCTURE|BODY) (\(.*\))\)\r\n", re.DOTALL)
_DRAFT = re.compile(rb"(ENVELOPE|BODYSTRUCTURE) (\(.*?\))(?= ENVELOPE \(| BODYSTRUCTURE \(| UID \d+\)\r\n|\)\r\n$)", re.DOTALL)
_SECTION = re.compile(rb"\S+ FETCH (\d+) \(BODY(?:\.PEEK)?\[(.*?)\](?:<(\d+)\.(\d+)>)?\)\r\n", re.IGNORECASE)
_MAKERS: dict[bytes, Callable[[bytes], bytes]] = {b"ENVELOPE": envelope, b"BODYSTRUCTURE": bodystructure, b"BODY": body}


def _recorded_items() -> list[tuple[int, bytes, bytes]]:
    found = [_ITEM.fullmatch(row.octets) for row in rows("13") if row.direction == "S"]
    return [(int(item.group(1)), item.group(2), item.group(3)) for item in found if item is not None]


def test_every_recorded_item_of_the_inbox_is_written_octet_for_octet() -> None:
    """Dialogue 13: ENVELOPE and BODYSTRUCTURE of 14 mails, BODY of three."""
    recorded = _recorded_items()
    assert len(recorded) == 31
    assert [named(_MAKERS[kind](inbox()[number - 1])) for number, kind, _ in recorded] == [named(wanted) for _, _, wanted in recorded]


@pytest.mark.parametrize("number", ["20", "21", "43"])
def test_recorded_drafts_have_the_recorded_envelope_and_structure(number: str) -> None:
    """Dialogues 20, 21, 43: items of rebuilt drafts, with 8-bit names, inline parts and an embedded message."""
    messages = fetched(number)
    seen = 0
    for row in rows(number):
        answer = re.match(rb"\* (\d+) FETCH ", row.octets)
        if row.direction != "S" or answer is None:
            continue
        for kind, wanted in _DRAFT.findall(row.octets):
            assert _MAKERS[kind](messages[int(answer.group(1))]) == wanted
            seen += 1
    assert seen >= 2


def _asked(text: str) -> tuple[list[int], SectionKind, Sequence[bytes]]:
    found = re.match(r"((?:\d+\.?)*)(.*)", text.upper())
    assert found is not None
    kind, _, names = found.group(2).partition(" (")
    return [int(number) for number in found.group(1).split(".") if number], SectionKind(kind), names.rstrip(")").encode().split()


def _served(question: re.Match[bytes]) -> bytes:
    path, kind, names = _asked(question.group(2).decode())
    try:
        octets = section(inbox()[int(question.group(1)) - 1], path, kind, names)
    except SectionMissing as missing:
        return missing.text.encode()
    if question.group(3) is not None:
        start = int(question.group(3))
        octets = octets[start : start + int(question.group(4))]
    return octets


@pytest.mark.parametrize("number", ["15", "40"])
def test_every_recorded_section_is_cut_octet_for_octet(number: str) -> None:
    """Dialogues 15, 40: HEADER, TEXT, MIME, fields, parts, partials, and the two errors of part numbers."""
    question: re.Match[bytes] | None = None
    seen = 0
    for row in rows(number):
        if row.direction == "C":
            question = _SECTION.fullmatch(row.octets)
        elif question is not None and row.octets.startswith(b"*"):
            assert named(_served(question)) == named(literal_of(row.octets))
            seen += 1
        elif question is not None and b" NO " in row.octets:
            assert _served(question) == row.octets.split(b" NO ")[1].rstrip()
            seen += 1
    assert seen >= 3
