"""Faults of arguments become field and rule, never a value; what no schema should judge is refused before."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel, Field, ValidationError

from proton_safe.protocol.argument_faults import refusal_of, refuse_unreadable
from proton_safe.protocol.arguments import NO_NUMBER
from proton_safe.refusals import Code, Refusal
from proton_safe.tools.create_confirmed_draft import CreateConfirmedDraftArguments

GOOD: dict[str, Any] = {"to": ["bob@example.org"], "subject": "s", "body_text": "b", "user_confirmed": True}


def refused(arguments: dict[str, Any]) -> tuple[str | None, str | None, str]:
    """Field, rule and text of the refusal for these arguments."""
    with pytest.raises(ValidationError) as raised:
        CreateConfirmedDraftArguments.model_validate(arguments)
    refusal = refusal_of(raised.value)
    assert refusal.code is Code.ARGUMENTS_INVALID
    return refusal.field, refusal.rule, refusal.text


@pytest.mark.parametrize(
    "change,field,rule",
    [
        ({"to": "CANARY"}, "to", "must be a list"),
        ({"to": [5]}, "to.0", "must be a string"),
        ({"to": []}, "to", "must hold at least 1 items"),
        ({"subject": "x" * 999}, "subject", "must hold at most 998 characters"),
        ({"subject": "CANARY\nBcc: x"}, "subject", "must fit the pattern in the schema"),
        ({"user_confirmed": 1}, "user_confirmed", "must be true"),
        ({"allow_unthreaded_reply": "true"}, "allow_unthreaded_reply", "must be true or false"),
        ({"reply_to_uid": "4294967296"}, "reply_to_uid", "must be at most 4294967295"),
        ({"surprise": "CANARY"}, "surprise", "is not an argument of this tool"),
        ({"CANARY \x1b[31m": 1}, "(unreadable name)", "is not an argument of this tool"),
    ],
)
def test_refusal_names_field_and_rule_and_no_value(change: dict[str, Any], field: str, rule: str) -> None:
    """The field is our schema's path, the rule our words with our figures."""
    found_field, found_rule, text = refused(GOOD | change)
    assert (field, rule) == (found_field, found_rule)
    assert "CANARY" not in text


def test_missing_argument_is_named() -> None:
    """A required argument that is absent."""
    assert refused({key: value for key, value in GOOD.items() if key != "to"})[:2] == ("to", "is required")


def test_fault_that_the_wire_found_is_refused_first() -> None:
    """What no schema should have to judge never reaches a model."""
    with pytest.raises(Refusal) as raised:
        refuse_unreadable({"arguments": NO_NUMBER})
    assert (raised.value.code, raised.value.field, raised.value.rule) == (Code.ARGUMENTS_INVALID, "arguments", NO_NUMBER.rule)
    refuse_unreadable(GOOD)


def test_rule_that_has_no_words_of_ours_is_said_in_general() -> None:
    """Pydantic's own text is never shown."""

    class Odd(BaseModel):
        when: float = Field(multiple_of=2)

    with pytest.raises(ValidationError) as raised:
        Odd.model_validate({"when": 3})
    assert refusal_of(raised.value).rule == "must fit the schema"
