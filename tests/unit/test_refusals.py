"""What a refusal tells its reader to do can be done."""

import json
import re
from pathlib import Path
from typing import Final

import pytest

from proton_safe.refusals import MEANINGS, Actor, Code

GOLDEN: Final = Path(__file__).resolve().parents[1] / "server" / "golden" / "tools-list.safe.modern.json"
_NAME: Final = re.compile(r"\b[a-z]+(?:_[a-z0-9]+)+\b")


def _names(schema: object) -> set[str]:
    """Every property name that stands somewhere in a schema."""
    if isinstance(schema, dict):
        return set(schema.get("properties", ())) | {name for value in schema.values() for name in _names(value)}
    return {name for value in schema for name in _names(value)} if isinstance(schema, list) else set()


@pytest.fixture(scope="module")
def published() -> set[str]:
    """The names of tools, arguments and results, as a client knows them."""
    tools = json.loads(GOLDEN.read_text(encoding="utf-8"))["tools"]
    return {tool["name"] for tool in tools} | _names(tools)


def test_each_code_has_a_meaning() -> None:
    """The set is closed."""
    assert set(MEANINGS) == set(Code)


@pytest.mark.parametrize("code", Code)
def test_a_next_step_names_only_what_a_client_knows(code: Code, published: set[str]) -> None:
    """A tool or a field that isn't published would send a model searching; each text is whole sentences."""
    meaning = MEANINGS[code]
    for text in (meaning.sentence, meaning.next_step):
        assert text.endswith(".")
        assert set(_NAME.findall(text)) <= published


def test_what_a_token_served_for_is_told_before_another_upload() -> None:
    """A model that repeats a draft with its used token must not upload the file again and store a second draft."""
    step = MEANINGS[Code.ATTACHMENT_TOKEN].next_step
    assert step.index("that draft is in the drafts folder") < step.index("begin_attachment_upload")


@pytest.mark.parametrize("code", [code for code in Code if MEANINGS[code].actor is Actor.BRIDGE_UNAVAILABLE])
def test_where_the_operator_must_act_the_person_is_asked(code: Code) -> None:
    """A model can start no Bridge and unlock no keyring: it asks, unless calling again is all that is needed."""
    assert re.search(r"\bperson\b|Call again", MEANINGS[code].next_step)
