"""What to look at before trusting a sender: facts from the headers, none of them verified."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from proton_safe.addr_spec import folded
from proton_safe.mime import scripts
from proton_safe.mime.addresses import AddressList, MailAddress
from proton_safe.mime.links import ascii_host

if TYPE_CHECKING:
    from collections.abc import Iterable

SenderFlag = Literal["address-in-display-name", "mixed-script-domain", "reply-to-differs", "several-from"]

MAX_DOMAINS: Final = 10
# FULLWIDTH and SMALL COMMERCIAL AT look the part in a display name.
_AT_SIGNS: Final = str.maketrans("\uff20\ufe6b", "@@")
_ADDRESS_IN_NAME: Final = re.compile(r"[^\s@<>\"'(),;:]{1,64}@[^\s@<>\"'(),;:]{1,253}")


@dataclass(frozen=True, slots=True)
class SenderLook:
    """`reply_to`: where answers would go, if elsewhere; `flags`: what differs; `domains`: those that are not plain ASCII, as `xn--`."""

    reply_to: tuple[MailAddress, ...]
    flags: tuple[SenderFlag, ...]
    domains: tuple[str, ...]


def look_at(from_: AddressList, reply_to: AddressList) -> SenderLook:
    """Compare From and Reply-To, names and addresses, and look at the scripts of their domains."""
    elsewhere = reply_to.addresses if _keys(reply_to.addresses) - _keys(from_.addresses) else ()
    domains = dict.fromkeys(address.domain for address in (*from_.addresses, *elsewhere) if address.domain)
    unusual = [domain for domain in domains if not domain.isascii() or "xn--" in domain.lower() or _mixes(domain)]
    found: dict[SenderFlag, bool] = {
        "address-in-display-name": any(_names_another(address) for address in from_.addresses),
        "mixed-script-domain": any(_mixes(domain) for domain in unusual),
        "reply-to-differs": bool(elsewhere),
        "several-from": from_.count > 1,
    }
    return SenderLook(elsewhere, tuple(flag for flag, holds in found.items() if holds), tuple(map(ascii_host, unusual[:MAX_DOMAINS])))


def _keys(addresses: Iterable[MailAddress]) -> set[str]:
    return {folded(address.address) for address in addresses if address.address}


def _names_another(address: MailAddress) -> bool:
    return any(folded(named) != folded(address.address) for named in _ADDRESS_IN_NAME.findall(address.name.translate(_AT_SIGNS)))


def _mixes(domain: str) -> bool:
    return any(scripts.mixed(label) for label in domain.split("."))
