"""Address lists as the recordings' account server reads them on import."""

import pytest

from fakebridge.message.addresses import Address, format_list
from fakebridge.message.serveraddresses import address_of, addresses_of


@pytest.mark.parametrize(
    "value,written",
    [
        ('a@b, , "D, Dave" <d@e>,', '<a@b>, "D, Dave" <d@e>'),
        ("John Q. Public (c) <j@x>", '"John Q. Public" <j@x>'),
        ("bob@x (Bob (B) \\) )", '"Bob (B) \\\\) " <bob@x>'),
        ("=?utf-8?q?R=C3=A9?= =?iso-8859-1?q?=E9?= x <a@b>", "=?utf-8?q?R=C3=A9=C3=A9_x?= <a@b>"),
        ("=?nonsense?q?x?= <a@b>", '"=?nonsense?q?x?=" <a@b>'),
        ("g: a@b, c@d;, e@f", "<a@b>, <c@d>, <e@f>"),
        ("undisclosed-recipients:;", ""),
        ('"quoted local"@[127.0.0.1]', '<"quoted local"@[127.0.0.1]>'),
        ("", ""),
    ],
)
def test_a_list_is_read_by_the_letter(value: str, written: str) -> None:
    """An artefact of the recordings: RFC 5322, names decoded, comments kept as names."""
    assert format_list(addresses_of(value)) == written


@pytest.mark.parametrize(
    "value",
    ["a@x; b@x", "bob", "a@b c@d", "<a@b", "a@.b", "<>", "(open", '"open', "g: a@b", "a@[open", "x <", ",", "@b", '""@b', "a@b (open"],
)
def test_a_list_that_cannot_be_read_is_one_name(value: str) -> None:
    """An artefact of the recordings: the whole text as a display name."""
    assert addresses_of(value) == (Address(value, ""),)


def test_a_sender_is_one_address_or_a_name() -> None:
    """An artefact of the recordings: two addresses are no sender."""
    assert address_of("A <a@b>") == Address("A", "a@b")
    assert address_of("a@b, c@d") == Address("a@b, c@d", "")
    assert address_of("") is None
