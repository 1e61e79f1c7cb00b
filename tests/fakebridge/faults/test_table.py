"""The table of kinds, the rules' form and their published schema agree with each other and with the servers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fakebridge.faults.altering import steps
from fakebridge.faults.exchange import Exchange
from fakebridge.faults.kinds import MEANINGS, FaultKind, Place
from fakebridge.faults.lines import joined, split
from fakebridge.faults.rule import FaultError, FaultRule, rules_from_json
from fakebridge.faults.verbs import IMAP_VERBS
from fakebridge.imap.commands.catalog import COMMANDS

HERE = Path(__file__).parent


def example(kind: FaultKind) -> dict[str, object]:
    """The shortest rule of a kind."""
    return {"do": kind.value, **({} if MEANINGS[kind].on else {"on": "UID FETCH"})}


def test_every_kind_has_a_meaning_of_one_line() -> None:
    """`python -m fakebridge faults` prints them."""
    assert set(MEANINGS) == set(FaultKind)
    assert not [meaning.line for meaning in MEANINGS.values() if "\n" in meaning.line or len(meaning.line) > 110]


def test_every_kind_is_met_in_a_test_on_the_wire() -> None:
    """Each kind stands in a rule of these tests."""
    text = "".join(path.read_text(encoding="utf-8") for path in HERE.glob("test_*.py") if path.name != "test_table.py")
    assert [kind.value for kind in FaultKind if f'"{kind.value}"' not in text] == []


@pytest.mark.parametrize("kind", FaultKind)
def test_every_kind_has_defaults_for_all_it_reads(kind: FaultKind) -> None:
    """A rule may name the kind and nothing else."""
    rule = FaultRule.from_json(example(kind))
    meaning = MEANINGS[kind]
    assert (rule.do, rule.place) == (kind, meaning.place)
    for name in ("text", "octets", "count", "seconds"):
        assert getattr(rule, name) == (getattr(meaning, name) or type(getattr(rule, name))())
    if meaning.place in (Place.INSTEAD, Place.AFTER):
        assert isinstance(steps(Exchange(rule, b"a1", "UID FETCH", b"* 1 FETCH (UID 1)\r\na1 OK done\r\n")), tuple)


def test_the_verbs_of_rules_are_those_of_the_server() -> None:
    """A rule for a command that does not exist would never be met and nobody would know."""
    uids = {"UID COPY", "UID EXPUNGE", "UID FETCH", "UID MOVE", "UID SEARCH", "UID STORE"}
    assert set(IMAP_VERBS) == {name.upper() for name in COMMANDS if name != "uid"} | uids | {"DONE"}


@pytest.mark.parametrize(
    "rules,error",
    [
        ("drop", r"rules: a list is wanted"),
        ({"faults": 1}, r"faults: a list is wanted"),
        ({"fault": []}, r"a file of faults is a list of rules, or an object with about and faults"),
        ([{"on": "NOOP", "do": "drop"}, 1], r"rules\[1\]: an object is wanted"),
        ([{"on": "NOOP", "do": "explode"}], r"rules\[0\]\.do: one of drop, .* is wanted"),
        ([{"on": "NOOP"}], r"rules\[0\]\.do: one of .*"),
        ([{"do": "drop"}], r"rules\[0\]\.on: a command is wanted"),
        ([{"on": "NOPE", "do": "drop"}], r"rules\[0\]\.on: not a command; wanted is one of \*, CONNECT, .*"),
        ([{"on": "NOOP", "do": "preauth"}], r"rules\[0\]\.on: preauth goes with CONNECT"),
        ([{"on": "CONNECT", "do": "tls-stall"}], r"rules\[0\]\.on: tls-stall goes with STARTTLS"),
        ([{"on": "SMTP NOOP", "do": "uid-zero"}], r"rules\[0\]\.do: uid-zero is of IMAP only"),
        ([{"on": "NOOP", "do": "drop", "nth": 0}], r"rules\[0\]\.nth: a whole number from 1 is wanted"),
        ([{"on": "NOOP", "do": "drop", "nth": True}], r"rules\[0\]\.nth: a whole number from 1 is wanted"),
        ([{"on": "NOOP", "do": "drop", "times": "x"}], r"rules\[0\]\.times: a whole number from 1 is wanted"),
        ([{"on": "NOOP", "do": "drop", "mailbox": 1}], r"rules\[0\]\.mailbox: a text is wanted"),
        ([{"on": "NOOP", "do": "drop", "octets": 1}], r"rules\[0\]\.octets: not read by drop, which reads none of these"),
        ([{"on": "NOOP", "do": "drip", "octets": -1}], r"rules\[0\]\.octets: a whole number from 0 is wanted"),
        ([{"do": "greeting-late", "seconds": 1e9}], r"rules\[0\]\.seconds: a number from 0 to 86400 is wanted"),
        ([{"on": "NOOP", "do": "drop", "canary": 1}], r"rules\[0\]: 1 unknown field\(s\); a rule has .*"),
    ],
    ids=str,
)
def test_errors_name_the_field_and_no_value(rules: object, error: str) -> None:
    """What is wrong and how it is meant."""
    with pytest.raises(FaultError) as caught:
        rules_from_json(rules)
    assert re.fullmatch(error, str(caught.value))
    assert "canary" not in str(caught.value)


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"* 1 FETCH (UID 1)\r\na1 OK done\r\n",
        b"* 1 FETCH (BODY[] {5}\r\na\r\nbc UID 1)\r\n* 2 FETCH (A {0}\r\n B {3}\r\n{9} C)\r\n",
        b"* 1 FETCH ({3}\r\nabc{2}\r\nde)\r\n",
    ],
)
def test_split_and_joined_are_inverse(answer: bytes) -> None:
    """A fault that changes nothing changes nothing."""
    assert joined(split(answer)) == answer
