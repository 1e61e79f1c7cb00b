"""The codes with which every tool that asks Bridge can answer: the connection, the credentials, what Bridge sends."""

from __future__ import annotations

from typing import Final

from proton_safe.refusals import Code

BRIDGE_REFUSALS: Final = frozenset(
    {
        Code.BRIDGE_UNREACHABLE,
        Code.BRIDGE_REFUSED,
        Code.CONNECTION_LOST,
        Code.TLS_REQUIRED,
        Code.CERTIFICATE_CHANGED,
        Code.LOGIN_FAILED,
        Code.LOGIN_UNANSWERED,
        Code.CREDENTIAL_MISSING,
        Code.KEYRING_UNAVAILABLE,
        Code.KEYRING_LOCKED,
        Code.BAD_RESPONSE,
        Code.STATE_FOLDER_UNUSABLE,
    }
)
