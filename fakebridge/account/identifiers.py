"""Ids as the account's server makes them; from a given source of chance, so that equal worlds get equal ids."""

from __future__ import annotations

import base64
import random
import uuid

from fakebridge.message.accountserver import AccountServer


def message_id(chance: random.Random, server: AccountServer) -> str:
    """A UUID for the recordings' server, 88 characters ending in == for Proton (bridge-behaviour 4.2)."""
    if server is AccountServer.SIMULATED:
        return str(uuid.UUID(int=chance.getrandbits(128), version=4))
    return base64.urlsafe_b64encode(chance.randbytes(64)).decode()
