"""What to look at before trusting a sender, and the hosts and addresses that a text names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proton_safe.mime import addresses, links, mentions, scripts, sender
from proton_safe.mime.addresses import MailAddress
from proton_safe.mime.sender import Domain, SenderFlag, SenderLook

OWN = ("keller.example",)


def look(*reply_to: MailAddress, flags: tuple[SenderFlag, ...] = (), domains: tuple[tuple[str, str], ...] = ()) -> SenderLook:
    """What the panel says."""
    return SenderLook(reply_to, (), flags, tuple(Domain(*spellings) for spellings in domains))


LOOKS: list[tuple[str, str, SenderLook]] = [
    ("Anna <anna@a.example>", "", look()),
    ("Anna <anna@a.example>", "ANNA@a.example", look()),
    ("anna@a.example", "x@y.example", look(MailAddress("", "x@y.example"), flags=("reply-to-differs",))),
    ('"support@bank.example" <e@evil.example>', "", look(flags=("address-in-display-name",))),
    ('"e@evil.example" <e@evil.example>', "", look()),
    ("a@a.example, b@b.example", "", look(flags=("several-from",))),
    # names of other people that full case folding would take for the same: two registrable domains, LONG S, KELVIN SIGN
    (
        "a@strasse.example",
        "a@stra\xdfe.example",
        look(
            MailAddress("", "a@stra\xdfe.example"),
            flags=("reply-to-differs",),
            domains=(("xn--strae-oqa.example", "stra\xdfe.example"),),
        ),
    ),
    ("sales@a.example", "\u017fales@a.example", look(MailAddress("", "\u017fales@a.example"), flags=("reply-to-differs",))),
    ("kim@a.example", "\u212aim@a.example", look(MailAddress("", "\u212aim@a.example"), flags=("reply-to-differs",))),
    ('"a@stra\xdfe.example" <a@strasse.example>', "", look(flags=("address-in-display-name",))),
    ('"support\uff20bank.example" <e@evil.example>', "", look(flags=("address-in-display-name",))),
    ('"support\ufe6bbank.example" <e@evil.example>', "", look(flags=("address-in-display-name",))),
    # one Cyrillic letter among Latin ones; a whole word in one script
    ("a@p\u0430ypal.example", "", look(flags=("mixed-script-domain",), domains=(("xn--pypal-4ve.example", "p\u0430ypal.example"),))),
    ("a@xn--pypal-4ve.example", "", look(flags=("mixed-script-domain",), domains=(("xn--pypal-4ve.example", "p\u0430ypal.example"),))),
    ("a@b\xfccher.example", "", look(domains=(("xn--bcher-kva.example", "b\xfccher.example"),))),
    (
        "a@\u043f\u043e\u0447\u0442\u0430.example",
        "",
        look(domains=(("xn--80a1acny.example", "\u043f\u043e\u0447\u0442\u0430.example"),)),
    ),
    # domains that look like one's own
    ("a@ke11er.example", "", look(flags=("looks-like-own-domain",), domains=(("ke11er.example", "ke11er.example"),))),
    ("a@mail.keller.example", "", look()),
]


@pytest.mark.parametrize("from_, reply_to, expected", LOOKS)
def test_the_panel_tells_facts_and_nothing_else(from_: str, reply_to: str, expected: SenderLook) -> None:
    """Product page 4; attack catalogue header/display-name-address and header/confusables."""
    found = sender.look_at(
        addresses.parse(from_.encode()), addresses.parse(reply_to.encode()), sender=addresses.parse(b""), own_domains=OWN
    )
    assert found == expected


def test_a_sender_that_is_not_the_author_is_told() -> None:
    """RFC 5322 3.6.2: the Sender field names the agent; attack catalogue header/multi-from-sender."""
    author, agent = addresses.parse(b"a@a.example"), addresses.parse(b"Agent <b@b.example>")
    found = sender.look_at(author, addresses.parse(b""), sender=agent, own_domains=())
    assert found == SenderLook(sent_by=(MailAddress("Agent", "b@b.example"),), flags=("sender-differs",))
    assert sender.look_at(author, addresses.parse(b""), sender=author, own_domains=()) == SenderLook()


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


def test_signs_are_no_script() -> None:
    """`evil.example>` is no domain, but nothing in it is mixed."""
    assert not scripts.mixed("example>")
    assert scripts.mixed("p\u0430ypal>")


def test_all_of_ascii_is_of_one_script() -> None:
    """So a label of it mixes none, whatever its letters are."""
    assert {scripts._script(chr(code)) for code in range(128)} == {"", "LATIN"}
    assert not scripts.mixed("".join(chr(code) for code in range(128)))
