"""Where a link leads, by the habits of browsers, and which host its text names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proton_safe.mime import links
from proton_safe.mime.html_text import html_text

TARGETS = [
    ("https://a.example/x?y#z", "https://a.example/x?y#z", "a.example"),
    ("HTTPS://A.Example:8443/x", "https://a.example:8443/x", "a.example"),
    ("https://u:p@a.example/", "https://a.example/", "a.example"),
    ("https:\\\\a.example\\x", "https://a.example\\x", "a.example"),
    ("https:a.example/x", "https://a.example/x", "a.example"),
    ("https:/a.example/x", "https://a.example/x", "a.example"),
    ("https:////a.example/x", "https://a.example/x", "a.example"),
    ("//a.example/x", "https://a.example/x", "a.example"),
    ("\\\\a.example/x", "https://a.example/x", "a.example"),
    ("https://%61.example/", "https://a.example/", "a.example"),
    ("https://\uff41\u3002example/", "https://a.example/", "a.example"),
    ("https://b\u00fccher.example/", "https://xn--bcher-kva.example/", "xn--bcher-kva.example"),
    ("mailto:x@a.example?subject=y", "mailto:x@a.example?subject=y", "a.example"),
    ("mailto:x", "mailto:x", ""),
    ("tel:+411", "tel:+411", ""),
    ("javascript:alert(1)", "javascript:", ""),
    ("https://", "https://", ""),
]


@pytest.mark.parametrize("href, shown, host", TARGETS)
def test_a_target_is_what_a_click_reaches(href: str, shown: str, host: str) -> None:
    """WHATWG URL 4.4."""
    assert links.target(href) == links.Target(shown, host)


@pytest.mark.parametrize("href", ["#a", "cid:a", "mid:a", "a.html", "", "/x", "?x"])
def test_a_place_inside_the_mail_is_no_target(href: str) -> None:
    """Nothing leads out."""
    assert links.target(href) is None


BASED = [
    ("x", "https://a.example/b/c", "https://a.example/b/x"),
    ("/x", "https://a.example/b/c", "https://a.example/x"),
    ("//b.example/x", "https://a.example/", "https://b.example/x"),
    ("..\\x", "https://a.example/b/c", "https://a.example/x"),
    ("mailto:x@b.example", "https://a.example/", "mailto:x@b.example"),
]


@pytest.mark.parametrize("href, base, shown", BASED)
def test_a_base_completes_a_relative_target(href: str, base: str, shown: str) -> None:
    """WHATWG HTML 4.2.3; attack catalogue html/base-refresh."""
    found = links.target(href, base=base)
    assert found is not None
    assert found.shown == shown


@pytest.mark.parametrize("base", ["b/", "", "https://[", "data:x,y"])
def test_a_base_that_is_none_completes_nothing(base: str) -> None:
    """And raises nothing."""
    assert links.target("x", base=base) in (None, links.Target("data:", ""))


NAMED = [
    ("bank.example", "bank.example"),
    ("https://bank.example/x", "bank.example"),
    ("pay@bank.example", "bank.example"),
    ("Log in at https://bank.example now", "bank.example"),
    ("or at www.bank.example now", "www.bank.example"),
    ("https://x@bank.example and more", "bank.example"),
    ("ban\u212a.example", "bank.example"),
    ("Visit our bank", ""),
    ("report.pdf", ""),
    ("Mr.Smith is here", ""),
    ("1.5 EUR", ""),
]


@pytest.mark.parametrize("text, host", NAMED)
def test_a_text_names_a_host(text: str, host: str) -> None:
    """Attack catalogue html/link-mismatch."""
    assert links.named_host(text) == host


def test_a_mail_address_that_is_another_is_a_mismatch() -> None:
    """Who writes there writes to somebody else."""
    assert html_text('<a href="mailto:a@evil.example">a@bank.example</a>').mismatches == 1
    assert html_text('<a href="mailto:a@bank.example">a@bank.example</a>').mismatches == 0


@given(st.text(max_size=80), st.text(max_size=20))
def test_any_text_is_read(href: str, base: str) -> None:
    """No input raises."""
    links.target(href, base=base)
    links.target(f"https://{href}", base=f"https://{base}")
    links.named_host(href)


@pytest.mark.parametrize(
    "text", ["b\u200bank.example", "bank\xad.example", "bank\u2060.exam\ufeffple", "bank\u2024example", "bank\uff61example"]
)
def test_what_nobody_sees_in_a_link_hides_no_host(text: str) -> None:
    """Attack catalogue html/link-mismatch: a person reads bank.example in each."""
    assert links.named_host(text) == "bank.example"
