"""Calendar parts: what is told of them, what is not worked out, and that no octets raise."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proton_safe.mime.calendar import (
    MAX_COUNTED,
    MAX_OCTETS,
    MAX_PEOPLE,
    MAX_RULES,
    MAX_SHOWN,
    MAX_VALUE_CHARS,
    Calendar,
    Component,
    Person,
    calendar_parts,
    joined,
    parse,
)
from proton_safe.mime.structure import Part, Tree
from tests.unit.mime.counted_calls import growth

INVITATION = r"""BEGIN:VCALENDAR
METHOD:request
BEGIN:VTIMEZONE
TZID:Europe/Lisbon
BEGIN:STANDARD
DTSTART:19701025T020000
END:STANDARD
END:VTIMEZONE
BEGIN:VEVENT
UID:hanging-2026@fixtures.example
DTSTART;TZID=Europe/Lisbon:20270529T090000
DTEND;X-A="a;b:c";TZID="Europe/Lisbon":20270529T120000
RRULE:FREQ=WEEKLY;COUNT=4
SUMMARY;LANGUAGE=en:Hanging\, the \nexhibi
 tion\;\\
LOCATION:Net Loft
DESCRIPTION:Bring a lamp.
ORGANIZER;CN="Silva, Marta":mailto:marta@paperandsea.example
ATTENDEE;CN=Ada ^'Press^' Keller;PARTSTAT=NEEDS-ACTION:MAILTO:ada@keller.example
ATTENDEE:urn:uuid:1
BEGIN:VALARM
ACTION:PROCEDURE
ATTACH:file:///etc/passwd
SUMMARY:alarm
END:VALARM
SUMMARY:a second one
STATUS:CONFIRMED
END:VEVENT
END:VCALENDAR
""".replace("\n", "\r\n")
EVENT = Component(
    kind="event",
    method="REQUEST",
    status="CONFIRMED",
    summary="Hanging, the \nexhibition;\\",
    description="Bring a lamp.",
    location="Net Loft",
    start="20270529T090000 Europe/Lisbon",
    end="20270529T120000 Europe/Lisbon",
    recurrence=("RRULE:FREQ=WEEKLY;COUNT=4",),
    uid="hanging-2026@fixtures.example",
    organizer=Person("Silva, Marta", "marta@paperandsea.example"),
    attendees=(Person('Ada "Press" Keller', "ada@keller.example", "NEEDS-ACTION"), Person("", "urn:uuid:1")),
    attendee_count=2,
)


@pytest.mark.parametrize("end", ["\r\n", "\n", "\r"])
def test_an_invitation_is_told_as_it_is_written(end: str) -> None:
    """RFC 5545 3.1 and 3.6: first values, escapes undone, zones as words, nothing of alarms and zones' own times."""
    assert parse(INVITATION.replace("\r\n", end).encode(), "utf-8") == Calendar((EVENT,), 1)


def test_a_fold_inside_a_character_is_undone_before_decoding() -> None:
    """Attack catalogue text/ics-unfold: lines are folded by octets."""
    octets = b"BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:caf\xc3\n \xa9\n \n s\nEND:VEVENT\nEND:VCALENDAR\n"
    assert parse(octets, "").components[0].summary == "caf\xe9s"


def test_a_calendar_in_utf_16_is_read() -> None:
    """RFC 5545 says UTF-8; some programs write files otherwise."""
    assert parse(INVITATION.encode("utf-16"), "") == Calendar((EVENT,), 1)


@pytest.mark.parametrize("value", ["99991231T235959Z", "00000101", "20240230", "never", "P1W"])
def test_times_are_words(value: str) -> None:
    """Attack catalogue text/ics-dates: raw strings only; a zone is not looked up."""
    found = parse(f"BEGIN:VCALENDAR\nBEGIN:VTODO\nDTSTART;TZID=../../x:{value}\nEND:VTODO\nEND:VCALENDAR".encode(), "")
    assert found == Calendar((Component("to-do", start=f"{value} ../../x"),), 1)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no calendar",
        "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:x",
        "BEGIN:VCALENDAR\nBEGIN:VEVENT\nEND:VTODO\nEND:VEVENT\nEND:VCALENDAR",
        "BEGIN:VCALENDAR\nBEGIN:VEVENT\n:x\nEND:VEVENT\nEND:VCALENDAR",
        "BEGIN:VCALENDAR\n" * 30,
    ],
)
def test_what_is_damaged_is_told(text: str) -> None:
    """Product page 4: never a failed read, always a warning."""
    assert parse(text.encode(), "utf-8").warnings == ("calendar-damaged",)


def test_a_calendar_that_was_cut_is_not_called_damaged() -> None:
    """Fetching stops at a limit."""
    assert parse(INVITATION[:300].encode(), "utf-8", complete=False).warnings == ("calendar-truncated",)
    assert parse((INVITATION + "x" * MAX_OCTETS).encode(), "utf-8").components == (EVENT,)


def test_components_people_and_rules_have_limits() -> None:
    """Attack catalogue text/ics-bombs: the first hundred are counted, the first ten told."""
    many = "BEGIN:VEVENT\nSUMMARY:x\nEND:VEVENT\n" * (MAX_COUNTED + 1)
    found = parse(f"BEGIN:VCALENDAR\n{many}END:VCALENDAR".encode(), "utf-8")
    assert found == Calendar((Component("event", summary="x"),) * MAX_SHOWN, MAX_COUNTED, ("calendar-truncated",))
    crowd = "ATTENDEE:mailto:a@b.example\n" * 50 + "RDATE:20270101\n" * 50 + "SUMMARY:" + "y" * 5_000 + "\n"
    (event,) = parse(f"BEGIN:VCALENDAR\nBEGIN:VEVENT\n{crowd}END:VEVENT\nEND:VCALENDAR".encode(), "utf-8").components
    assert (len(event.attendees), event.attendee_count, len(event.recurrence)) == (MAX_PEOPLE, 50, MAX_RULES)
    assert event.summary == "y" * MAX_VALUE_CHARS


def test_nested_components_keep_their_own_facts() -> None:
    """Attack catalogue text/ics-bombs: a calendar in a calendar, an event in an event."""
    inner = "BEGIN:VCALENDAR\nMETHOD:CANCEL\nBEGIN:VEVENT\nSUMMARY:inner\nEND:VEVENT\nEND:VCALENDAR\n"
    found = parse(f"BEGIN:VCALENDAR\nMETHOD:PUBLISH\nBEGIN:VEVENT\n{inner}SUMMARY:outer\nEND:VEVENT\nEND:VCALENDAR".encode(), "utf-8")
    assert [(each.summary, each.method) for each in found.components] == [("outer", "PUBLISH"), ("inner", "PUBLISH")]


def test_twins_are_told_once() -> None:
    """An invitation often comes twice, as alternative and as file."""
    one, other = Calendar((EVENT,), 1), Calendar((Component("to-do"),), 1, ("calendar-damaged",))
    assert joined([one, one, other]) == Calendar((EVENT, Component("to-do")), 2, ("calendar-damaged",))
    assert joined([]) == Calendar()


def test_declared_calendars_are_read_before_attached_ones() -> None:
    """At most two parts are fetched."""
    text, file, other = (Part(str(at), kind) for at, kind in enumerate(("text/calendar", "application/ics", "text/plain")))
    assert calendar_parts(Tree(Part("", "multipart/mixed", children=(other, file, text, text, text)))) == (text, text)
    assert calendar_parts(Tree(Part("", "multipart/mixed", children=(other, file)))) == (file,)
    assert calendar_parts(Tree(other)) == ()


@given(st.binary(max_size=300) | st.lists(st.sampled_from(INVITATION.encode().split(b"\r\n")), max_size=30).map(b"\r\n".join))
def test_any_octets_give_a_calendar(octets: bytes) -> None:
    """Product page 4: nothing that a sender wrote raises."""
    for complete in (True, False):
        found = parse(octets, "utf-8", complete=complete)
        assert len(found.components) <= found.count <= MAX_COUNTED


@pytest.mark.parametrize(
    "unit", [";a=b", '"', ";", ":", '"a', ';a="', "=", "\\n", "^n", "\n ", "BEGIN:VEVENT\n", "\nATTENDEE;CN=a:b", "\nEND:x"]
)
@pytest.mark.parametrize("start", ["SUMMARY", "ATTENDEE"])
def test_the_work_grows_with_the_text(unit: str, start: str) -> None:
    """Attack catalogue text/ics-unfold and text/regex-strippers: linear."""
    before = f"BEGIN:VCALENDAR\nBEGIN:VEVENT\n{start}".encode()
    assert growth(lambda size: parse(before + unit.encode() * size, "utf-8"), small=200, large=2_000) < 15
