"""What a rule can be bound to: the commands of both protocols, and the moments of connecting. A test compares them with the servers."""

from __future__ import annotations

from typing import Final

CONNECT: Final = "CONNECT"
SMTP_CONNECT: Final = "SMTP CONNECT"
STARTTLS: Final = "STARTTLS"
IMAP_VERBS: Final = (
    "APPEND",
    "AUTHENTICATE",
    "CAPABILITY",
    "CHECK",
    "CLOSE",
    "COPY",
    "CREATE",
    "DELETE",
    "DONE",
    "EXAMINE",
    "EXPUNGE",
    "FETCH",
    "GETQUOTA",
    "GETQUOTAROOT",
    "ID",
    "IDLE",
    "LIST",
    "LOGIN",
    "LOGOUT",
    "LSUB",
    "MOVE",
    "NOOP",
    "RENAME",
    "SEARCH",
    "SELECT",
    "STARTTLS",
    "STATUS",
    "STORE",
    "SUBSCRIBE",
    "UID COPY",
    "UID EXPUNGE",
    "UID FETCH",
    "UID MOVE",
    "UID SEARCH",
    "UID STORE",
    "UNSELECT",
    "UNSUBSCRIBE",
)
SMTP_VERBS: Final = (
    "SMTP AUTH",
    "SMTP BDAT",
    "SMTP DATA",
    "SMTP EHLO",
    "SMTP HELO",
    "SMTP MAIL",
    "SMTP NOOP",
    "SMTP QUIT",
    "SMTP RCPT",
    "SMTP RSET",
    "SMTP STARTTLS",
    "SMTP VRFY",
)
VERBS: Final = ("*", CONNECT, SMTP_CONNECT, *IMAP_VERBS, *SMTP_VERBS)
