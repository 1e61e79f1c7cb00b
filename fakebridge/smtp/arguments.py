"""SMTP command lines taken apart as Bridge's server does: a four-letter verb and a blank, MAIL and RCPT with their addresses.

Pure functions; a line that cannot be taken is answered by the reply that ``BadArgument`` carries (bridge-behaviour 7.1, 7.2).
"""

from __future__ import annotations

from typing import Final

_MAIL_SYNTAX: Final = "501 5.5.2 Was expecting MAIL arg syntax of FROM:<address>"
_RCPT_SYNTAX: Final = "501 5.5.2 Was expecting RCPT arg syntax of TO:<address>"
_OFF: Final = {"SMTPUTF8": "SMTPUTF8", "REQUIRETLS": "REQUIRETLS"}
_BODIES: Final = frozenset({"7BIT", "8BITMIME"})
_INT32: Final = 1 << 31


class BadArgument(Exception):
    """An argument is refused; ``reply`` is the whole answer."""

    def __init__(self, reply: str) -> None:
        super().__init__(reply)
        self.reply = reply


def command(line: str) -> tuple[str, str] | None:
    """Verb in capitals and argument; an empty verb for an empty line, None for a line that is no command."""
    if line.upper().startswith("STARTTLS"):
        return "STARTTLS", ""
    if not line:
        return "", ""
    if len(line) == 4:
        return line.upper(), ""
    if len(line) < 6 or line[4] != " ":
        return None
    return line[:4].upper(), line[5:].strip(" \n\r")


def mail(argument: str) -> str:
    """The sender of a MAIL command, without brackets.

    Raises:
        BadArgument: no address, or a parameter that is not taken.
    """
    if len(argument) < 6 or argument[:5].upper() != "FROM:":
        raise BadArgument(_MAIL_SYNTAX)
    sender, *params = argument[5:].strip(" ").split(" ")
    if not sender:
        raise BadArgument(_MAIL_SYNTAX)
    pairs = [param.split("=") for param in params if param]
    if any(len(pair) > 2 for pair in pairs):
        raise BadArgument("501 5.5.4 Unable to parse MAIL ESMTP parameters")
    for name, *value in pairs:
        _parameter(name.upper(), value[0] if value else "")
    return sender.strip("<>")


def _parameter(name: str, value: str) -> None:
    if name in _OFF:
        raise BadArgument(f"504 5.5.4 {_OFF[name]} is not implemented")
    match name:
        case "SIZE":
            digits = value.removeprefix("+").removeprefix("-")
            if not (digits.isascii() and digits.isdigit()) or int(digits) >= _INT32:
                raise BadArgument("501 5.5.4 Unable to parse SIZE as an integer")
        case "BODY":
            if value == "BINARYMIME":
                raise BadArgument("504 5.5.4 BINARYMIME is not implemented")
            if value not in _BODIES:
                raise BadArgument("500 5.5.4 Unknown BODY value")
        case "AUTH":
            if not value.startswith("<"):
                raise BadArgument("500 5.5.4 Missing opening angle bracket")
            if not value.endswith(">"):
                raise BadArgument("500 5.5.4 Missing closing angle bracket")
        case _:
            raise BadArgument("500 5.5.4 Unknown MAIL FROM argument")


def rcpt(argument: str) -> str:
    """The recipient of a RCPT command, without brackets; it may be empty.

    Raises:
        BadArgument: no ``TO:``.
    """
    if len(argument) < 4 or argument[:3].upper() != "TO:":
        raise BadArgument(_RCPT_SYNTAX)
    return argument[3:].strip("<> ")


def bdat(argument: str, *, ready: bool) -> tuple[int, bool]:
    """Size of a chunk and whether it is the last one. ``ready``: there are a sender and a recipient.

    Raises:
        BadArgument: no size, not ready, or anything but ``LAST`` behind the size.
    """
    words = argument.split()
    if not words:
        raise BadArgument("501 5.5.4 Missing chunk size argument")
    if len(words) > 2:
        raise BadArgument("501 5.5.4 Too many arguments")
    if not ready:
        raise BadArgument("502 5.5.1 Missing RCPT TO command.")
    if len(words) == 2 and words[1].upper() != "LAST":
        raise BadArgument("501 5.5.4 Unknown BDAT argument")
    if not (words[0].isascii() and words[0].isdigit()) or int(words[0]) >= 1 << 32:
        raise BadArgument("501 5.5.4 Malformed size argument")
    return int(words[0]), len(words) == 2


def host(argument: str) -> str:
    """The client's name in EHLO or HELO.

    Raises:
        BadArgument: there is none.
    """
    name = argument.split(" ", 1)[0]
    if not name:
        raise BadArgument("501 5.5.2 Domain/address argument required for HELO")
    return name
