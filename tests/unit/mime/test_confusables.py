"""Domains that look like another: UTS 39 4, with a table of our own."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proton_safe.mime import confusables

KNOWN = ("keller.example", "modern.example", "proton.me", "mail.cloud.example")
LIKE = [
    "k\u0435ller.example",
    "\u043a\u0435ll\u0435r.example",
    "xn--kller-zwe.example",
    "xn--keller-.example",
    "ke11er.example",
    "keIIer.example",
    "ke\u04cf\u04cfer.example",
    "keller\u3002example",
    "\uff4b\uff45\uff4c\uff4c\uff45\uff52.example",
    "\U0001d424eller.example",
    "keller\u00ad.example",
    "mail.ke1ler.example",
    "rnodern.example",
    "mo\u0501ern.example",
    "moclern.example",
    "pr0ton.me",
    "pr\u03bfton.me",
    "PR0TON.ME",
    "\u0440\u0433\u043et\u043en.me",
    "prot\u0585\u0578.me",
    "mail.c1oud.example",
]
UNLIKE = [
    "keller.example",
    "KELLER.example",
    "mail.keller.example",
    "keiler.example",
    "k\xe9ller.example",
    "kellers.example",
    "notkeller.example",
    "keller.example.evil.example",
    "cloud.example",
    "example",
    "",
    ".",
    "ke1ler.example" + ".a" * 200,
]


@pytest.mark.parametrize("domain", LIKE)
def test_a_domain_that_looks_like_an_own_one_is_found(domain: str) -> None:
    """Product page 4; attack catalogue header/confusables."""
    assert confusables.imitates(domain, KNOWN)


@pytest.mark.parametrize("domain", UNLIKE)
def test_an_own_domain_and_one_that_looks_otherwise_are_not(domain: str) -> None:
    """Nothing else is claimed: a mark makes another letter, and a longer name is another one."""
    assert not confusables.imitates(domain, KNOWN)


def test_without_own_domains_nothing_looks_like_one() -> None:
    """Empty is decided on purpose."""
    assert not confusables.imitates("ke11er.example", ())


@given(st.text(max_size=300))
def test_any_text_has_a_skeleton_that_is_its_own(text: str) -> None:
    """UTS 39 4: the skeleton of a skeleton adds nothing; product page 4: reading never raises."""
    once = confusables.skeleton(text)
    assert confusables.skeleton(once[: confusables.MAX_DOMAIN_CHARS]) == confusables.skeleton(once)
    confusables.imitates(text, KNOWN)
    confusables.unicode_domain(text)


@given(st.text(alphabet=st.characters(min_codepoint=32, max_codepoint=126), max_size=confusables.MAX_DOMAIN_CHARS - 1))
def test_plain_domains_have_the_skeleton_that_all_steps_give(domain: str) -> None:
    """With a character that is left out at the end, no step is."""
    assert confusables.skeleton(domain) == confusables.skeleton(domain + "\0")
