"""The front door's short look at the settings never passes what the full reading would refuse."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from proton_safe import config
from proton_safe.plain_settings import _HIGHEST, are_plain
from proton_safe.settings import from_environment

PLAIN = {"PROTON_BRIDGE_USER": "ada@keller.example", "PROTON_MCP_STATE_DIR": "/var/lib/safe"}
BOUNDS = {
    "PROTON_IMAP_PORT": config.IMAP_PORT,
    "PROTON_MCP_MAX_ATTACHMENT_BYTES": config.MAX_ATTACHMENT_BYTES,
    "PROTON_MCP_MAX_RECEIVED_ATTACHMENT_BYTES": config.MAX_RECEIVED_ATTACHMENT_BYTES,
    "PROTON_MCP_MAX_CHUNK_BYTES": config.MAX_CHUNK_BYTES,
    "PROTON_MCP_UPLOAD_TTL_SECONDS": config.UPLOAD_TTL_SECONDS,
    "PROTON_MCP_MAX_BODY_CHARS": config.MAX_BODY_CHARS,
}

_WORDS = st.text("ab9-_+.@ ,\n\u00e9\u0665", max_size=12)
_ADDRESSES = st.one_of(st.just("ada@keller.example"), st.builds("{}@{}.{}".format, _WORDS, _WORDS, _WORDS), _WORDS)
_FIGURES = st.one_of(st.integers(-2, 30_000_000).map(str), _WORDS, st.just("0123"), st.just("\u0661"))
_SETTINGS: dict[str, st.SearchStrategy[str]] = {
    "PROTON_BRIDGE_USER": _ADDRESSES,
    "PROTON_BRIDGE_ALIASES": st.lists(_ADDRESSES, max_size=30).map(",".join),
    "PROTON_BRIDGE_PASSWORD": st.one_of(st.text(max_size=4), st.just("")),
    "PROTON_BRIDGE_HOST": st.just("127.0.0.1"),
    "PROTON_MCP_STATE_DIR": st.sampled_from(["", "/x", "x", "~", "./x"]),
    "HOME": st.sampled_from(["", "/root", "x"]),
    "XDG_STATE_HOME": st.sampled_from(["", "/x", "x"]),
    **dict.fromkeys(BOUNDS, _FIGURES),
}
# Of settings drawn at random none is plain: these nearly all are, and one of the others stands among them or none.
_LABELS = st.text("ab9-", min_size=1, max_size=4)
_NEAR_ADDRESSES = st.builds("{}@{}.{}".format, st.text("ab9-_+", min_size=1, max_size=6), _LABELS, _LABELS)
_NEAR = st.fixed_dictionaries(
    {"PROTON_BRIDGE_USER": _NEAR_ADDRESSES, "PROTON_MCP_STATE_DIR": st.sampled_from(["/x", "/x/y z"])},
    optional={
        "PROTON_BRIDGE_ALIASES": st.lists(_NEAR_ADDRESSES, max_size=3).map(",".join),
        "PROTON_BRIDGE_PASSWORD": st.text(st.characters(max_codepoint=127), min_size=1, max_size=4),
        **{name: st.integers(1, bound.highest).map(str) for name, bound in BOUNDS.items()},
    },
)
_ODD: st.SearchStrategy[dict[str, str]] = st.just({}) | st.one_of(
    *(st.fixed_dictionaries({name: values}) for name, values in _SETTINGS.items())
)


@given(_NEAR, _ODD)
def test_plain_settings_are_taken_without_a_word(near: dict[str, str], odd: dict[str, str]) -> None:
    """What passes here is read by `settings` without a ConfigError."""
    environment = {**near, **odd}
    assume(are_plain(environment))
    from_environment(environment)


def test_ordinary_settings_are_plain() -> None:
    """What most people set must not cost the long way."""
    assert are_plain(PLAIN)
    assert are_plain({"PROTON_BRIDGE_USER": "ada.b+c@mail.keller.example", "HOME": "/home/ada"})
    ordinary = {"PROTON_BRIDGE_ALIASES": "a@keller.example,b@keller.example", "PROTON_BRIDGE_PASSWORD": "x y!", "PROTON_IMAP_PORT": "1143"}
    assert are_plain({**PLAIN, **ordinary})


@pytest.mark.parametrize("name", BOUNDS)
def test_bounds_are_those_of_the_settings(name: str) -> None:
    """At the bounds and beyond, both ways of reading agree."""
    bound = BOUNDS[name]
    assert _HIGHEST[name] == bound.highest
    assert bound.lowest == 1
    for text, plain in ((str(bound.highest), True), ("1", True), (str(bound.highest + 1), False), ("0", False), ("", False), ("-1", False)):
        assert are_plain({**PLAIN, name: text}) is plain
    from_environment({**PLAIN, name: str(bound.highest)})


@pytest.mark.parametrize(
    "change",
    [
        {"PROTON_BRIDGE_HOST": "127.0.0.1"},
        {"PROTON_BRIDGE_USER": ""},
        {"PROTON_BRIDGE_USER": "ada"},
        {"PROTON_BRIDGE_USER": "Ada <ada@keller.example>"},
        {"PROTON_BRIDGE_PASSWORD": ""},
        {"PROTON_BRIDGE_PASSWORD": "x\n"},
        {"PROTON_MCP_STATE_DIR": "state"},
        {"PROTON_BRIDGE_ALIASES": "a@keller.example\n"},
        {"PROTON_BRIDGE_ALIASES": ",".join(["a@keller.example"] * 26)},
    ],
    ids=str,
)
def test_anything_else_is_left_to_the_full_reading(change: dict[str, str]) -> None:
    """The sentences that stop a start live in one place."""
    assert not are_plain({**PLAIN, **change})
