"""Each row of the attack catalogue has its forms as cases, or a reason to have none."""

import pytest
from pydantic import ValidationError

from conformance import attack_rows
from conformance.attack_rows import AttackRow, attack_findings
from conformance.library import all_cases
from conformance.model import Case
from conformance.peer_faults import unshown


def _form(case_id: str) -> Case:
    family, name, _ = case_id.split(":")
    call = {"call": "mailbox_status", "expect": {"ok": {}}}
    return Case.model_validate(
        {
            "id": case_id,
            "tool": "mailbox_status",
            "attack": f"{family}/{name}",
            "world": "small",
            "script": [call],
            "allowed": "read-only",
            "reason": "A reason of some length.",
            "source": "attack: tried",
        }
    )


def test_every_form_of_every_row_stands_as_a_case() -> None:
    """The lists in conformance/attacks and the cases are the same set."""
    assert list(attack_findings(all_cases())) == []


def test_each_difference_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A form without a case, a case without its form, an id that nobody lists, a row in the wrong file, an outcome that no case shows."""
    nul, gone = "A NUL in a field.", "Nothing to be seen from outside."
    rows = {
        "header": {
            "header/nul": AttackRow(attack=nul, outcome="Either `mailbox_status` or `deadline`", forms=["from", "subject"]),
            "header/gone": AttackRow(attack=nul, left_out=gone),
            "mime/astray": AttackRow(attack=nul, left_out=gone),
            "header/empty": AttackRow(attack=nul, outcome="It is answered."),
        }
    }
    monkeypatch.setattr(attack_rows, "families", lambda: rows)
    assert list(attack_findings([_form("header:nul:from"), _form("header:nul:to"), _form("html:other:only")])) == [
        "the attack html/other stands in no file of conformance/attacks",
        "header/nul names deadline, which stands in none of its cases",
        "no case shows the form subject of header/nul",
        "header/nul does not list the form to",
        "attacks/header.json: mime/astray belongs to another family",
        "header/empty has neither a form nor a reason to have none",
    ]


@pytest.mark.parametrize(
    "row",
    [
        {"outcome": "It is answered.", "forms": ["a"], "left_out": "Nothing to be seen from outside."},
        {"outcome": "It is answered.", "left_out": "Nothing to be seen from outside."},
        {"outcome": "It is answered.", "forms": ["b", "a"]},
        {"outcome": "It is answered.", "forms": ["a", "a"]},
        {"forms": ["a"]},
        {"left_out": "short"},
    ],
)
def test_a_row_that_says_two_things_is_refused(row: dict[str, object]) -> None:
    """Either forms and what is safe, or a reason; sorted, so that two people write the same file."""
    with pytest.raises(ValidationError):
        AttackRow.model_validate({"attack": "A NUL in a field.", **row})


def test_the_absence_of_every_known_fault_is_shown() -> None:
    """Each id of peer_faults.json is named by a case or has a test."""
    assert list(unshown(all_cases())) == []
    assert len(list(unshown([]))) > 10
