"""Rules that a draft meets before it is composed, as far as no case of the conformance suite reaches them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proton_safe.config import Config
from proton_safe.drafts import checks
from proton_safe.drafts.addresses import is_recipient
from proton_safe.drafts.reply import trimmed
from proton_safe.refusals import Code, Refusal

_CONFIG = Config("Alik@Harbour.example", ("me@harbour.example",), 1143, None, Path("/nowhere"))


@pytest.mark.parametrize("address", [None, "alik@harbour.example", "ALIK@HARBOUR.EXAMPLE"])
def test_the_configured_spelling_of_the_sender_is_used(address: str | None) -> None:
    """Seed contract 1.3: stored with the configured spelling."""
    assert checks.allowed_sender(_CONFIG, address) == "Alik@Harbour.example"


@pytest.mark.parametrize(
    "address",
    [
        "ali\u212a@harbour.example",
        "me+x@harbour.example",
        "m.e@harbour.example",
        "Me <me@harbour.example>",
        "me@harbour.example.",
        "me@harbour.example,x@y.example",
        "",
        "me@harbour\u3002example",
        "me@harbour.example\u200b",
    ],
)
def test_what_only_resembles_a_sender_is_refused(address: str) -> None:
    """Attack catalogue, address/case-fold-allowlist and draft/from-spoof."""
    with pytest.raises(Refusal) as raised:
        checks.allowed_sender(_CONFIG, address)
    assert raised.value.code is Code.SENDER_NOT_ALLOWED


@pytest.mark.parametrize(
    "address", ["a@b.example", "a.b+c@b-c.d.example", "x" * 64 + "@b.example", "o'neil@b.example", "a@xn--exmple-cua.example"]
)
def test_ordinary_addresses_pass(address: str) -> None:
    """Seed contract 1.2."""
    assert is_recipient(address)


@pytest.mark.parametrize(
    "address",
    [
        *(
            "alice@example.org)bob@evil.example",
            "alice@example.org(<bob@evil.example>",
            "<alice@example.org>bob@evil.example",
            '"a b"@c.example',
        ),
        *(
            "undisclosed:a@b.c;",
            "@r,@s:a@b.c",
            "a%b@c.example",
            "a!b@c.example",
            "a(b)@c.example",
            "a@b.c,x@y.z",
            "a@b.c x@y.z",
            "a@b.c\nx@y.z",
        ),
        *(
            "=?utf-8?q?a?=@b.example",
            "a @b.example",
            "a@b.example ",
            "a@b.example\0",
            "a@b.example\u200b",
            "a@ex\u00e4mple.example",
            "\u0430@b.example",
        ),
        *(
            "a@b",
            "a@.example",
            "a@b..example",
            ".a@b.example",
            "a.@b.example",
            "a..b@c.example",
            "a@-b.example",
            "a@b-.example",
            "a@127.0.0.1",
            "a@[127.0.0.1]",
        ),
        *("x" * 65 + "@b.example", "a@" + "b" * 64 + ".example", "a|b@c.example", "a`b@c.example", "a@b@c.example", "@b.example", "a@"),
    ],
)
def test_addresses_that_readers_disagree_about_are_refused(address: str) -> None:
    """Attack catalogue, family address."""
    assert not is_recipient(address)


@pytest.mark.parametrize("char", [*"\0\x08\x0b\x0c\x1b\x1f\x7f\x80\x9f", "\ud800", "\ufdd0", "\ufffe", "\U0010ffff"])
def test_characters_that_are_no_text_are_refused_in_body_and_subject(char: str) -> None:
    """Attack catalogue, draft/body-line-ends, draft/body-surrogate, draft/subject-injection."""
    for act in (lambda: checks.checked_body(f"a{char}b", max_chars=100), lambda: checks.check_subject(f"a{char}b")):
        with pytest.raises(Refusal) as raised:
            act()
        assert raised.value.code is Code.ARGUMENTS_INVALID


@pytest.mark.parametrize("char", [*"\t\n\r\x85\u2028\u2029\u202e\u2066\u200b\u200e\ufeff\u00ad", "\U000e0041"])
def test_characters_that_hide_or_reorder_are_refused_in_the_subject(char: str) -> None:
    """Attack catalogue, draft/subject-injection and draft/unicode-deception."""
    with pytest.raises(Refusal) as raised:
        checks.check_subject(f"a{char}b")
    assert (raised.value.code, raised.value.field) == (Code.ARGUMENTS_INVALID, "subject")


@given(st.text(alphabet="a\r\n\t\u0085\u2028\u202e \U0001f468\u200d", max_size=60))
def test_line_ends_of_a_body_become_line_feeds_and_nothing_else_changes(text: str) -> None:
    """Attack catalogue, draft/body-line-ends: normalised before the digest; NEL and U+2028 are kept."""
    body = checks.checked_body(text, max_chars=60)
    assert "\r" not in body
    assert body.replace("\n", "") == text.replace("\r", "").replace("\n", "")
    assert body.count("\n") == text.replace("\r\n", "\n").replace("\r", "\n").count("\n")


@given(st.lists(st.from_regex(r"<[a-z]{1,40}@[a-z]{1,200}>", fullmatch=True), min_size=1, max_size=60).map(tuple))
def test_references_keep_root_and_parent_within_their_bounds(identifiers: tuple[str, ...]) -> None:
    """Seed contract 1.7: at most 20 entries and 2,000 characters, trimmed after the root."""
    kept = trimmed(identifiers)
    assert kept[-1] == identifiers[-1]
    assert len(kept) == len(set(kept)) <= 20
    assert len(" ".join(kept)) <= 2_000
    root = next((each for each in identifiers if each != identifiers[-1]), identifiers[-1])
    assert kept[0] == root
    assert [each for each in dict.fromkeys(identifiers) if each in kept and each != kept[-1]] == list(kept[:-1])
