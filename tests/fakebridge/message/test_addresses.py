"""Address lists: what passes, what is dropped, which offset an error has, how they are written."""

import pytest

from fakebridge.message.addresses import Address, AddressError, domain_and_local, format_address, format_list, parse_first, parse_list


@pytest.mark.parametrize(
    "value,written",
    [
        ("bob@example.test", "<bob@example.test>"),
        ('"Bob" <>', '"Bob" <@>'),
        ("a@b c@d", "<a@b>"),
        ("a@x; b@x", "<a@x>, <b@x>"),
        ("undisclosed-recipients:;", ""),
        ("", ""),
        (" , ", ""),
        ("g: a@b, c@d;", "<a@b>"),
        ("g: a@b,c@d;, x@y", "<a@b>, <c@d>, <x@y>"),
        ('"g: a@b"', "<a@b>"),
        ("René <r@x>", "=?utf-8?q?Ren=C3=A9?= <r@x>"),
        ("=?utf-8?q?R=C3=A9?= =?utf-8?b?w6k=?= x <a@b>", "=?utf-8?q?R=C3=A9=C3=A9_x?= <a@b>"),
        ("a@b.example. (comment (nested)), <@relay,@other:c@d>", "<a@b.example.>, <c@d>"),
        ("John Q. Public <j@x>", '"John Q.Public" <j@x>'),
        ("me@home <me@home>", '"me@home" <me@home>'),
        ('"quoted \\" local"@x', '<"quoted \\" local"@x>'),
        ("a@[127.0.0.1]:2525", "<a@[127.0.0.1]:2525>"),
        ("a@b.example:25", "<a@b.example:25>"),
    ],
)
def test_a_list_is_read_with_bridges_tolerance_and_written_its_way(value: str, written: str) -> None:
    """bridge-behaviour 5.2, 4.2; dialogues 20, 23, 43."""
    assert format_list(parse_list(value.encode())) == written


@pytest.mark.parametrize(
    "value,text",
    [
        ("bob", "[Error offset=7]: expected ':' for group start"),
        ("bob@", "[Error offset=10]: expected ':' for group start"),
        ('"unterminated <a@example.test>', "[Error offset=72]: expected ':' for group start"),
        ("=x <a@b>", "[Error offset=1]: expected byte value 3f"),
        ("<a@b", "[Error offset=4]: expected > for angle-addr end"),
        ("g: a@b,x;", "[Error offset=13]: expected @ after local-part"),
        ("(open", "[Error offset=5]: expected ) for comment end"),
    ],
)
def test_a_refusal_counts_every_octet_that_was_read(value: str, text: str) -> None:
    """Dialogue 23: the value is tried three times and the offset counts on."""
    with pytest.raises(AddressError) as refused:
        parse_list(value.encode())
    assert str(refused.value) == text


def test_only_the_first_address_is_looked_at_if_only_it_is_wanted() -> None:
    """bridge-behaviour 5.1: Sender is one address."""
    assert parse_first(b"a@b, junk") == (Address("", "a@b"),)


@pytest.mark.parametrize(
    "address,written",
    [
        (Address("", "no at"), '<"no at"@>'),
        (Address("", ".dots..@x"), '<".dots.."@x>'),
        (Address("Tab\there", "a@b"), '"Tab\there" <a@b>'),
        (Address("é, (x)", "a@b"), "=?utf-8?b?w6ksICh4KQ==?= <a@b>"),
        (Address("Back\\slash", "a@b"), '"Back\\\\slash" <a@b>'),
    ],
)
def test_an_odd_address_is_quoted_or_encoded(address: Address, written: str) -> None:
    """bridge-behaviour 4.2: names with specials that need encoding are base64, local parts are quoted."""
    assert format_address(address) == written


def test_an_address_with_two_at_signs_has_no_parts() -> None:
    """bridge-behaviour 3.6: user and host are NIL then."""
    assert domain_and_local("a@b@c") == ("", "")
    assert domain_and_local("a@b") == ("a", "b")
    assert domain_and_local("a") == ("", "")
