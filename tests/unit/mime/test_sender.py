"""What to look at before trusting a sender, and the hosts and addresses that a text names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proton_safe.mime import addresses, links, mentions, scripts, sender
from proton_safe.mime.addresses import MailAddress
from proton_safe.mime.sender import SenderLook

LOOKS: list[tuple[str, str, SenderLook]] = [
    ("Anna <anna@a.example>", "", SenderLook((), (), ())),
    ("Anna <anna@a.example>", "ANNA@a.example", SenderLook((), (), ())),
    ("anna@a.example", "x@y.example", SenderLook((MailAddress("", "x@y.example"),), ("reply-to-differs",), ())),
    ('"support@bank.example" <e@evil.example>', "", SenderLook((), ("address-in-display-name",), ())),
    ('"e@evil.example" <e@evil.example>', "", SenderLook((), (), ())),
    ("a@a.example, b@b.example", "", SenderLook((), ("several-from",), ())),
    # names of other people that full case folding would take for the same: two registrable domains, LONG S, KELVIN SIGN
    (
        "a@strasse.example",
        "a@stra\xdfe.example",
        SenderLook((MailAddress("", "a@stra\xdfe.example"),), ("reply-to-differs",), ("xn--strae-oqa.example",)),
    ),
    ("sales@a.example", "\u017fales@a.example", SenderLook((MailAddress("", "\u017fales@a.example"),), ("reply-to-differs",), ())),
    ("kim@a.example", "\u212aim@a.example", SenderLook((MailAddress("", "\u212aim@a.example"),), ("reply-to-differs",), ())),
    ('"a@stra\xdfe.example" <a@strasse.example>', "", SenderLook((), ("address-in-display-name",), ())),
    ('"support\uff20bank.example" <e@evil.example>', "", SenderLook((), ("address-in-display-name",), ())),
    ('"support\ufe6bbank.example" <e@evil.example>', "", SenderLook((), ("address-in-display-name",), ())),
    # one Cyrillic letter among Latin ones; a whole word in one script
    ("a@p\u0430ypal.example", "", SenderLook((), ("mixed-script-domain",), ("xn--pypal-4ve.example",))),
    ("a@xn--pypal-4ve.example", "", SenderLook((), ("mixed-script-domain",), ("xn--pypal-4ve.example",))),
    ("a@b\xfccher.example", "", SenderLook((), (), ("xn--bcher-kva.example",))),
    ("a@\u043f\u043e\u0447\u0442\u0430.example", "", SenderLook((), (), ("xn--80a1acny.example",))),
]


@pytest.mark.parametrize("from_, reply_to, look", LOOKS)
def test_the_panel_tells_facts_and_nothing_else(from_: str, reply_to: str, look: SenderLook) -> None:
    """Product page 4; attack catalogue header/display-name-address and header/confusables."""
    assert sender.look_at(addresses.parse(from_.encode()), addresses.parse(reply_to.encode())) == look


@pytest.mark.parametrize(
    "label", ["\u6771\u4eac\u30bf\u30ef\u30fc", "kimchi\ud55c\uad6d", "a1-b", "", "xn--", "xn--99999999999", "xn--" + "a" * 80]
)
def test_scripts_that_one_language_writes_together_are_not_mixed(label: str) -> None:
    """UTS 39 5.2; a broken xn-- label is as it is."""
    assert not scripts.mixed(label)


@given(st.text(max_size=80))
def test_any_label_has_an_answer(label: str) -> None:
    """Product page 4: reading never raises."""
    scripts.mixed(label)
    links.ascii_host(label)
    links.target(label)
    links.named_host(label)


@pytest.mark.parametrize(
    "text, host",
    [
        ("https://bank.example/login?x", "bank.example"),
        ("www.Bank.Example", "www.bank.example"),
        ("bank.example:443", "bank.example"),
        ("https://user@bank.example", "bank.example"),
        ("b\xfccher.example", "xn--bcher-kva.example"),
        ("click here", ""),
        ("report.pdf", ""),
        ("3.14", ""),
        ("a@b.example", "b.example"),
        ("", ""),
    ],
)
def test_a_host_is_found_in_a_links_text(text: str, host: str) -> None:
    """Attack catalogue html/link-mismatch."""
    assert links.named_host(text) == host


def test_addresses_in_a_text_are_found_once_and_in_order() -> None:
    """Product page 6: a recipient that only a mail's body named is marked so."""
    assert mentions.mentioned("Write to <a@b.example>, c+d@e.example. Again: a@b.example!") == ("a@b.example", "c+d@e.example")
    many = " ".join(f"user{number}@x.example" for number in range(500))
    assert len(mentions.mentioned(many)) == mentions.MAX_MENTIONED
    assert mentions.mentioned("a" * 100_000) == ()
