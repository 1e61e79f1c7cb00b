"""Named behaviour switches, with Bridge 3.21.1 as installed for a default.

A switch exists where a behaviour is only inferred, differs between Bridge versions, or must be switched off to show that a test notices it.

Only plain values may live here: nothing in this module decides anything.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from enum import Enum, StrEnum

from fakebridge.message.accountserver import AccountServer


class ResponseOrder(StrEnum):
    """In which order parallel work comes out: FETCH rows, FETCH rows of a STORE, LIST and LSUB rows."""

    RANDOM = "random"
    STRICT = "strict"


class RefusalTexts(StrEnum):
    """How SMTP words its refusals: short, as in 3.21, or in whole sentences, as in the builds of 2026 (0.3, 7.2)."""

    SHORT = "short"
    SENTENCES = "sentences"


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """One value for each switch. Figures carry their unit in the name."""

    application_name: str = "Proton Mail Bridge"
    account_server: AccountServer = AccountServer.PROTON
    version: str = "03.21.01"
    auth_plain: bool = True
    """`AUTH=PLAIN` and AUTHENTICATE (since 3.16; bridge-behaviour 0.3)."""
    implicit_tls_imap: bool = False
    implicit_tls_smtp: bool = False
    response_order: ResponseOrder = ResponseOrder.RANDOM
    import_limit_octets: int = 31_457_280
    """Import limit of the account, counted on the literal (0.3: 30 MB in 3.21, more in 2026)."""
    import_limit_text: str = "30MB"
    literal_limit_octets: int = 31_457_280
    """A literal of this many octets or more ends the session without a word (1.8)."""
    literal_octets_counted: bool = True
    """Error offsets behind a literal count its octets."""
    max_errors: int = 20
    """So many bad commands in a row end the session (1.7)."""
    login_failure_limit: int = 3
    """The failure that has another text and zeroes the counter (1.6)."""
    login_jail_seconds: float = 0.0
    """How long every LOGIN waits after that failure. 3.21.1 leaves it at nothing (1.6)."""
    offline_hang_seconds: float = 45.0
    """How long a write waits before it fails while the account's server is away (8.2: 30 to 57 s)."""
    idle_bulk_seconds: float = 0.5
    """How long IDLE gathers news before it sends them (3.3)."""
    poll_seconds: float = 0.0
    """Period of the event poll in real time; 0 means that only the control channel polls."""
    poll_clock_seconds: float = 20.0
    """How far one poll moves a clock that the world has fixed."""
    duplicate_window_seconds: float = 1800.0
    """How long a sent message is remembered (5.5)."""
    smtp_refusal_texts: RefusalTexts = RefusalTexts.SHORT
    """Wording of refused sends (0.3, 7.2)."""
    show_all_mail: bool = True
    """Whether All Mail is listed (2.1)."""
    still_working_seconds: float = 0.0
    """Period of the untagged `* OK Still working` lines of later builds in long commands (0.3); 0 means none."""
    idle: bool = True
    """Bridge 3.21.0 and later can switch IDLE off from afar (0.3); then it is neither listed nor known."""
    quota: bool = False
    """QUOTA with GETQUOTA and GETQUOTAROOT, as in builds of 2026 (0.3)."""
    session_limit: int = 0
    """How many IMAP sessions there may be at once; later builds have a limit (0.3). A further one is closed without a greeting. 0: none."""
    keeps_appended_octets: bool = False
    """No behaviour of Bridge: mails are kept as they came, drafts with all their headers, and no line is put in front (`--strict-rfc`)."""
    decodes_searches: bool = False
    """No behaviour of Bridge: SEARCH looks at decoded headers and bodies (`--strict-rfc`)."""
    import_text_alternatives_as_pgp_mime: bool = True
    """Imports with more than one text part come back as the original multipart (5.8)."""

    def strict(self) -> Profile:
        """An ordinary server instead of Bridge, for contrast: keeps headers, decodes searches, answers in order."""
        return dataclasses.replace(
            self, keeps_appended_octets=True, decodes_searches=True, response_order=ResponseOrder.STRICT, application_name="Strict server"
        )

    def with_values(self, values: dict[str, object]) -> Profile:
        """A copy with some switches changed. ValueError names a switch that does not exist or a value of the wrong kind."""
        known = {field.name: field for field in dataclasses.fields(self)}
        changed: dict[str, object] = {}
        for name, value in values.items():
            if name not in known:
                raise ValueError(f"there is no switch named {name!r}; there are: {', '.join(known)}")
            changed[name] = _of_kind(name, value, getattr(self, name))
        return dataclasses.replace(self, **changed)  # type: ignore[arg-type]  # kinds are checked just above


def _of_kind(name: str, value: object, default: object) -> object:
    if isinstance(default, Enum):
        return type(default)(value)
    if isinstance(default, bool) or isinstance(value, bool):
        if isinstance(default, bool) and isinstance(value, bool):
            return value
        raise ValueError(f"switch {name!r} wants {type(default).__name__}")
    if isinstance(default, float) and isinstance(value, (int, float)):
        return float(value)
    if isinstance(value, type(default)):
        return value
    raise ValueError(f"switch {name!r} wants {type(default).__name__}")
