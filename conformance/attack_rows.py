"""The rows of the attack catalogue: what each does, what must come of it, which forms stand as cases, and which are left out and why.

`attacks/<family>.json` lists every id of a family. A form is a case `family:name:form`.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Final

from pydantic import Field, model_validator

from conformance.model import ATTACK_ID, Case, Closed

_FOLDER: Final = Path(__file__).with_name("attacks")
_QUOTED: Final = re.compile(r"`([^`]+)`")
Reason = Annotated[str, Field(min_length=10)]


class AttackRow(Closed):
    """One id: what is sent, what must come back, and the forms of it as cases, or why there is none."""

    attack: Reason = Field(description="What the mail, the file, the server or the caller does.")
    outcome: Reason | None = Field(default=None, description="What is safe; what it names in backticks stands in one of its cases.")
    forms: list[str] = Field(default=[])
    forms_left_out: dict[str, Reason] = Field(default={})
    left_out: Reason | None = Field(default=None, description="Why the whole row has no case.")

    @model_validator(mode="after")
    def _not_both(self) -> AttackRow:
        if self.left_out is not None and (self.forms or self.forms_left_out):
            raise ValueError("has forms, or a reason why it is left out, not both")
        if (self.left_out is None) != (self.outcome is not None):
            raise ValueError("has an outcome if it has forms")
        if self.forms != sorted(set(self.forms)):
            raise ValueError("the forms are not sorted")
        return self


class _Family(Closed):
    about: str
    rows: dict[Annotated[str, Field(pattern=ATTACK_ID)], AttackRow]


@cache
def families() -> dict[str, dict[str, AttackRow]]:
    """Family → id → row. Raises ValueError (pydantic's) for a file that breaks the schema."""
    return {path.stem: _Family.from_file(path).rows for path in sorted(_FOLDER.glob("*.json"))}


def attack_row(attack: str) -> AttackRow | None:
    """The row of this id (`family/name`), None where there is none."""
    return families().get(attack.partition("/")[0], {}).get(attack)


def attack_findings(cases: Sequence[Case]) -> Iterator[str]:
    """Each form without a case, each case without its form, each id in the file of another family, each outcome that no case shows."""
    forms: defaultdict[str, set[str]] = defaultdict(set)
    texts: defaultdict[str, str] = defaultdict(str)
    for case in cases:
        if case.attack is not None:
            forms[case.attack].add(case.id.rpartition(":")[2])
            texts[case.attack] += case.model_dump_json(by_alias=True)
    rows = {attack: row for family in families().values() for attack, row in family.items()}
    yield from (f"the attack {attack} stands in no file of conformance/attacks" for attack in sorted(forms.keys() - rows.keys()))
    for family, listed in families().items():
        for attack, row in listed.items():
            if not attack.startswith(f"{family}/"):
                yield f"attacks/{family}.json: {attack} belongs to another family"
            if row.left_out is None and not row.forms:
                yield f"{attack} has neither a form nor a reason to have none"
            named = (json.dumps(word, ensure_ascii=False)[1:-1] for word in _QUOTED.findall(row.outcome or ""))
            yield from (f"{attack} names {word}, which stands in none of its cases" for word in named if word not in texts[attack])
            yield from (f"no case shows the form {form} of {attack}" for form in row.forms if form not in forms[attack])
            yield from (f"{attack} does not list the form {form}" for form in sorted(forms[attack] - set(row.forms)))
