"""The addresses of the account: which log in, which send, and how one is recognised (bridge-behaviour 1.6, 5.3)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OwnAddress:
    """One address; a disabled one neither logs in (combined mode) nor sends."""

    address: str
    display_name: str
    enabled: bool = True

    @property
    def id(self) -> str:
        """The account's id of the address."""
        return self.address.lower()


def without_tag(address: str) -> str:
    """`ada+tag@x` without its tag; anything else as it is."""
    local, at, domain = address.rpartition("@")
    return local.partition("+")[0] + at + domain if at else address


@dataclass(frozen=True, slots=True)
class AddressBook:
    """All addresses, the primary one first."""

    all: tuple[OwnAddress, ...]

    @property
    def primary(self) -> OwnAddress:
        """The address that stands in for any other."""
        return self.all[0]

    def exact(self, address: str) -> OwnAddress | None:
        """The own address of that spelling, letter case ignored."""
        return next((own for own in self.all if own.address.lower() == address.lower()), None)

    def find(self, address: str) -> OwnAddress | None:
        """The own address that is meant, letter case and `+tag` ignored."""
        return self.exact(address) or self.exact(without_tag(address))
