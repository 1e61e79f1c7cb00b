"""The rows that stand for the calendar parts of a message: an invitation, a change, an answer. As written, nothing worked out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pydantic import Field

from proton_safe.mime.calendar import MAX_PEOPLE, MAX_RULES, Kind
from proton_safe.tools.definition import Part
from proton_safe.untrusted.leave import octets_left
from proton_safe.untrusted.marks import AddressText, HeaderText, PersonName

if TYPE_CHECKING:
    from proton_safe.mime.calendar import Calendar, Component, Person


MAX_ROWS_OCTETS: Final = 128_000


class CalendarPerson(Part):
    """An organizer or attendee as the part names them."""

    name: PersonName = ""
    address: AddressText = ""
    answer: HeaderText = Field(default="", description="PARTSTAT.")


class CalendarRow(Part):
    """One component of a calendar part."""

    kind: Kind
    method: HeaderText = ""
    status: HeaderText = ""
    summary: HeaderText = ""
    description: HeaderText = ""
    location: HeaderText = ""
    start: HeaderText = Field(default="", description="As written, then its zone; `end` alike.")
    end: HeaderText = ""
    duration: HeaderText = ""
    recurrence: list[HeaderText] = Field(default=[], max_length=MAX_RULES)
    uid: HeaderText = ""
    organizer: CalendarPerson = CalendarPerson()
    attendees: list[CalendarPerson] = Field(default=[], max_length=MAX_PEOPLE)
    attendee_count: int = Field(default=0, ge=0)


def calendar_rows(calendar: Calendar) -> list[CalendarRow]:
    """The rows of what was found, as many as leave room for the text; empty if the message has no calendar part."""
    rows: list[CalendarRow] = []
    octets = 0
    for component in calendar.components:
        row = _row(component)
        octets += octets_left(row)
        if rows and octets > MAX_ROWS_OCTETS:
            break
        rows.append(row)
    return rows


def _row(component: Component) -> CalendarRow:
    return CalendarRow(
        kind=component.kind,
        method=component.method,
        status=component.status,
        summary=component.summary,
        description=component.description,
        location=component.location,
        start=component.start,
        end=component.end,
        duration=component.duration,
        recurrence=list(component.recurrence),
        uid=component.uid,
        organizer=_person(component.organizer),
        attendees=[_person(person) for person in component.attendees],
        attendee_count=component.attendee_count,
    )


def _person(person: Person) -> CalendarPerson:
    return CalendarPerson(name=person.name, address=person.address, answer=person.answer)
