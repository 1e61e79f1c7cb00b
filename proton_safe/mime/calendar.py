"""Calendar parts (iCalendar, RFC 5545) as a few facts about each of their components: who, what, when, where, as written.

Nothing is worked out: a rule of recurrence is not expanded, a zone is a word, an attachment or alarm is passed over, no address is
visited. Linear; never raises; what is damaged or too long is told.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal

from proton_safe.mime import charsets, transfer
from proton_safe.mime.defects import merged

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from proton_safe.mime.defects import Defect
    from proton_safe.mime.structure import Part, Tree

Kind = Literal["event", "to-do", "journal", "free-busy"]

MAX_PARTS: Final = 2
MAX_OCTETS: Final = 262_144
MAX_COUNTED: Final = 100
MAX_SHOWN: Final = 10
MAX_PEOPLE: Final = 20
MAX_VALUE_CHARS: Final = 2_000
MAX_RULES: Final = 5
MAX_RULE_CHARS: Final = 300
MAX_ANSWER_CHARS: Final = 40
MAX_PARAMETERS: Final = 20
_MAX_NAME_CHARS: Final = 64
_TYPES: Final = frozenset({"text/calendar", "application/ics"})
_KINDS: Final[Mapping[str, Kind]] = MappingProxyType({"VEVENT": "event", "VTODO": "to-do", "VJOURNAL": "journal", "VFREEBUSY": "free-busy"})
_TEXTS: Final = frozenset({"SUMMARY", "DESCRIPTION", "LOCATION", "UID"})
_FACTS: Final = frozenset({"STATUS", "DTSTART", "DTEND", "DUE", "DURATION"})
_RULES: Final = frozenset({"RRULE", "RDATE", "EXDATE", "EXRULE", "RECURRENCE-ID"})
_ESCAPE: Final = re.compile(r"\\([\\;,nN])")
_CARET: Final = MappingProxyType({"^n": "\n", "^'": '"', "^^": "^"})
_DELIMITER: Final = re.compile("[;:]")
_CARETS: Final = re.compile(r"\^[n'^]")


@dataclass(frozen=True, slots=True)
class Person:
    """An organizer or attendee: the common name, the address without `mailto:`, and what the part says of the answer."""

    name: str = ""
    address: str = ""
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Component:
    """One component as written. `start` and `end` are followed by the name of their zone; `recurrence` are whole lines."""

    kind: Kind
    method: str = ""
    status: str = ""
    summary: str = ""
    description: str = ""
    location: str = ""
    start: str = ""
    end: str = ""
    duration: str = ""
    recurrence: tuple[str, ...] = ()
    uid: str = ""
    organizer: Person = field(default_factory=Person)
    attendees: tuple[Person, ...] = ()
    attendee_count: int = 0


@dataclass(frozen=True, slots=True)
class Calendar:
    """The first ten components of a message's calendar parts, how many there are (counted up to 100), and what was wrong."""

    components: tuple[Component, ...] = ()
    count: int = 0
    warnings: tuple[Defect, ...] = ()


@dataclass(slots=True)
class _Begun:
    """A component while its lines come in: its texts and facts by property name."""

    kind: Kind
    facts: dict[str, str] = field(default_factory=dict)
    organizers: list[Person] = field(default_factory=list)
    attendees: list[Person] = field(default_factory=list)
    attendee_count: int = 0
    rules: list[str] = field(default_factory=list)

    def component(self, method: str) -> Component:
        """What came of it."""
        told = defaultdict(str, self.facts)
        return Component(
            self.kind,
            method=method,
            status=told["STATUS"],
            summary=told["SUMMARY"],
            description=told["DESCRIPTION"],
            location=told["LOCATION"],
            start=told["DTSTART"],
            end=told["DTEND"] or told["DUE"],
            duration=told["DURATION"],
            recurrence=tuple(self.rules),
            uid=told["UID"],
            organizer=self.organizers[0] if self.organizers else Person(),
            attendees=tuple(self.attendees),
            attendee_count=self.attendee_count,
        )


@dataclass(slots=True)
class _Reading:
    """`open` are the components that were begun and not ended: the name, and the place in `found` or -1."""

    method: str = ""
    open: list[tuple[str, int]] = field(default_factory=list)
    found: list[_Begun] = field(default_factory=list)
    count: int = 0
    warnings: set[Defect] = field(default_factory=set)


def calendar_parts(tree: Tree) -> tuple[Part, ...]:
    """The parts that are read as calendars, at most two: those declared as such, else those that are attached as such."""
    leaves = [part for part in tree.leaves() if part.media_type in _TYPES]
    declared = [part for part in leaves if part.media_type == "text/calendar"]
    return tuple((declared or leaves)[:MAX_PARTS])


def read(parts: Iterable[tuple[Part, bytes]]) -> Calendar:
    """The calendar of a message: its parts with the first `MAX_OCTETS` of their octets, still in their transfer encoding."""
    return joined(_of_part(part, encoded) for part, encoded in parts)


def _of_part(part: Part, encoded: bytes) -> Calendar:
    complete = len(encoded) < MAX_OCTETS
    octets = transfer.decode(encoded, part.encoding, complete=complete)
    found = parse(octets.octets, part.charset, complete=complete)
    return Calendar(found.components, found.count, merged(found.warnings, octets.warnings))


def addresses(calendar: Calendar) -> tuple[str, ...]:
    """The addresses of all organizers and attendees that are told, as written."""
    return tuple(person.address for each in calendar.components for person in (each.organizer, *each.attendees))


def joined(calendars: Iterable[Calendar]) -> Calendar:
    """Several calendars as one. A part that says the same as one before it, as attached twins do, says nothing new."""
    kept: dict[tuple[Component, ...], Calendar] = {}
    warnings: set[Defect] = set()
    for calendar in calendars:
        kept.setdefault(calendar.components, calendar)
        warnings.update(calendar.warnings)
    components = tuple(component for calendar in kept.values() for component in calendar.components)
    return Calendar(components[:MAX_SHOWN], min(sum(calendar.count for calendar in kept.values()), MAX_COUNTED), merged(warnings))


def parse(octets: bytes, charset: str, *, complete: bool = True) -> Calendar:
    """The calendar that these octets hold. `complete=False`: they were cut from a longer text."""
    reading = _Reading()
    if not complete:
        reading.warnings.add("calendar-truncated")
    decoded = _unfolded(octets[:MAX_OCTETS], charset, complete=complete)
    reading.warnings.update(decoded.warnings)
    for line in decoded.text.split("\n"):
        if line.strip() and not _line(line, reading):
            break
    if not reading.count or (complete and reading.open and "calendar-truncated" not in reading.warnings):
        reading.warnings.add("calendar-damaged")
    return Calendar(tuple(each.component(reading.method) for each in reading.found), reading.count, merged(reading.warnings))


def _unfolded(octets: bytes, charset: str, *, complete: bool) -> charsets.Decoded:
    """The text, its long lines whole again (RFC 5545 3.1). Lines are joined as octets, since folding may part a character."""
    if b"\0" in octets:
        octets, charset = charsets.decode(octets, charset or "utf-16", complete=complete).text.encode("utf-8", "replace"), "utf-8"
    lines = octets.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return charsets.decode(lines.replace(b"\n ", b"").replace(b"\n\t", b""), charset or "utf-8", complete=complete)


def _line(line: str, reading: _Reading) -> bool:
    """Take in one content line; False when enough was counted."""
    name = line[: _delimiter(line[:_MAX_NAME_CHARS], 0)].strip().upper()
    inside, place = reading.open[-1] if reading.open else ("", -1)
    if name == "BEGIN":
        return _begin(_value(line)[1][:_MAX_NAME_CHARS].strip().upper(), reading)
    if name == "END":
        _end(_value(line)[1][:_MAX_NAME_CHARS].strip().upper(), reading)
    elif not name or len(name) >= _MAX_NAME_CHARS:
        reading.warnings.add("calendar-damaged")
    elif inside == "VCALENDAR" and len(reading.open) == 1 and name == "METHOD":
        reading.method = reading.method or _value(line)[1][:MAX_VALUE_CHARS].strip().upper()
    elif place >= 0:
        _note(reading.found[place], name, line)
    return True


def _begin(name: str, reading: _Reading) -> bool:
    place = -1
    if name in _KINDS:
        if reading.count == MAX_COUNTED:
            reading.warnings.add("calendar-truncated")
            return False
        reading.count += 1
        if reading.count <= MAX_SHOWN:
            place = len(reading.found)
            reading.found.append(_Begun(_KINDS[name]))
    reading.open.append((name, place))
    return True


def _end(name: str, reading: _Reading) -> None:
    if reading.open and reading.open[-1][0] == name:
        reading.open.pop()
    else:
        reading.warnings.add("calendar-damaged")


def _note(begun: _Begun, name: str, line: str) -> None:
    """Note a property of a component. Of those that may stand once, the first one counts."""
    if name in _TEXTS and name not in begun.facts:
        begun.facts[name] = _ESCAPE.sub(lambda escape: "\n" if escape[1] in "nN" else escape[1], _value(line)[1][:MAX_VALUE_CHARS])
    elif name in _FACTS and name not in begun.facts:
        parameters, value = _value(line)
        begun.facts[name] = f"{value[:MAX_VALUE_CHARS].strip()} {parameters.get('TZID', '')[:MAX_VALUE_CHARS]}".strip()
    elif name == "ORGANIZER" and not begun.organizers:
        begun.organizers.append(_person(line))
    elif name == "ATTENDEE":
        begun.attendee_count += 1
        if begun.attendee_count <= MAX_PEOPLE:
            begun.attendees.append(_person(line))
    elif name in _RULES and len(begun.rules) < MAX_RULES:
        begun.rules.append(line[:MAX_RULE_CHARS])


def _person(line: str) -> Person:
    parameters, value = _value(line)
    name = _CARETS.sub(lambda caret: _CARET[caret[0]], parameters.get("CN", "")[:MAX_VALUE_CHARS])
    address = value[:MAX_VALUE_CHARS].strip()
    return Person(name, address[7:] if address[:7].lower() == "mailto:" else address, parameters.get("PARTSTAT", "")[:MAX_ANSWER_CHARS])


def _value(line: str) -> tuple[dict[str, str], str]:
    """The first parameters of a content line by upper-case name, quotes undone, and its value."""
    parameters: dict[str, str] = {}
    at = _delimiter(line, 0)
    while line[at : at + 1] == ";":
        name, equals, _ = line[at + 1 : at + 66].partition("=")
        begin = at + len(name) + 2 if equals else at + 1
        closing = line.find('"', begin + 1) if line[begin : begin + 1] == '"' else -1
        at = _delimiter(line, max(begin, closing))
        if equals and len(parameters) < MAX_PARAMETERS:
            parameters.setdefault(name.strip().upper(), line[begin + 1 : closing] if closing > 0 else line[begin:at])
    return parameters, line[at + 1 :]


def _delimiter(line: str, begin: int) -> int:
    """Where the next parameter or the value begins; the line's length if nowhere."""
    found = _DELIMITER.search(line, begin)
    return found.start() if found else len(line)
