"""What to look at before trusting a sender: facts from the headers, none of them verified."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from proton_safe.addr_spec import folded
from proton_safe.mime import confusables, scripts
from proton_safe.mime.addresses import UNSEEN, AddressList, MailAddress
from proton_safe.mime.links import ascii_host

if TYPE_CHECKING:
    from collections.abc import Iterable

SenderFlag = Literal[
    "address-in-display-name",
    "looks-like-own-domain",
    "mixed-script-domain",
    "reply-to-differs",
    "sender-differs",
    "several-from",
]

MAX_DOMAINS: Final = 10
# FULLWIDTH and SMALL COMMERCIAL AT look the part in a display name.
_AT_SIGNS: Final = str.maketrans("\uff20\ufe6b", "@@")
_ADDRESS_IN_NAME: Final = re.compile(r"[^\s@<>\"'(),;:]{1,64}@[^\s@<>\"'(),;:]{1,253}")


@dataclass(frozen=True, slots=True)
class Domain:
    """A domain in both spellings: labels as `xn--`, and as the letters that they stand for."""

    ascii: str
    unicode: str


@dataclass(frozen=True, slots=True)
class SenderLook:
    """What the fields claim. `reply_to` and `sent_by`: Reply-To and Sender where they name others than From; `flags`: what differs.

    `domains`: those of these fields and of From that are not plain ASCII, mix scripts, or look like an own one.
    """

    reply_to: tuple[MailAddress, ...] = ()
    sent_by: tuple[MailAddress, ...] = ()
    flags: tuple[SenderFlag, ...] = ()
    domains: tuple[Domain, ...] = ()


def look_at(from_: AddressList, reply_to: AddressList, *, sender: AddressList, own_domains: Iterable[str]) -> SenderLook:
    """Compare From, Reply-To and Sender, names and addresses, and look at the letters of their domains.

    `own_domains`: those of the configured senders. A domain is told to look like one of them by its skeleton (`confusables`).
    """
    elsewhere, sent_by = (_others(listed, from_) for listed in (reply_to, sender))
    domains = dict.fromkeys(address.domain for address in (*from_.addresses, *elsewhere, *sent_by) if _is_name(address.domain))
    mixing = [domain for domain in domains if _mixes(domain)]
    own = tuple(own_domains)
    imitating = [domain for domain in domains if confusables.imitates(domain, own)]
    unusual = [domain for domain in domains if not domain.isascii() or "xn--" in domain.lower() or domain in (*mixing, *imitating)]
    found: dict[SenderFlag, bool] = {
        "address-in-display-name": any(names_another(address) for address in from_.addresses),
        "looks-like-own-domain": bool(imitating),
        "mixed-script-domain": bool(mixing),
        "reply-to-differs": bool(elsewhere),
        "sender-differs": bool(sent_by),
        "several-from": from_.count > 1,
    }
    spellings = tuple(Domain(ascii_host(domain), confusables.unicode_domain(domain)) for domain in unusual[:MAX_DOMAINS])
    return SenderLook(elsewhere, sent_by, tuple(flag for flag, holds in found.items() if holds), spellings)


def _is_name(domain: str) -> bool:
    """Whether it can be a domain at all: neither absent nor longer than one, and all of it seen."""
    return 0 < len(domain) <= confusables.MAX_DOMAIN_CHARS and UNSEEN not in domain


def _others(listed: AddressList, from_: AddressList) -> tuple[MailAddress, ...]:
    """The addresses of a field if it names any that From does not, or one that can't be read."""
    if not listed.addresses:
        return ()
    known = _keys(from_.addresses)
    return listed.addresses if any(folded(each.address) not in known for each in listed.addresses) else ()


def _keys(addresses: Iterable[MailAddress]) -> set[str]:
    return {folded(address.address) for address in addresses if address.address}


def names_another(address: MailAddress) -> bool:
    """Whether the display name holds an address that is not its own."""
    name = address.name.translate(_AT_SIGNS)
    return "@" in name and any(folded(named) != folded(address.address) for named in _ADDRESS_IN_NAME.findall(name))


def _mixes(domain: str) -> bool:
    return any(scripts.mixed(label) for label in domain.split("."))
