"""Modified UTF-7 (RFC 3501 5.1.3) both ways, as strict as Bridge's decoder (bridge-behaviour 2.2)."""

from __future__ import annotations

import base64
import binascii


class InvalidName(Exception):
    """The octets are no modified UTF-7."""

    def __init__(self) -> None:
        super().__init__("utf7: invalid UTF-7")


def decode(name: bytes) -> str:
    """Octets of the wire to text. InvalidName: raw 8-bit or control octets, broken or needless base64."""
    result: list[str] = []
    at = 0
    after_base64 = False
    while at < len(name):
        octet = name[at]
        if octet < 0x20 or octet > 0x7E:
            raise InvalidName
        if octet != 0x26:
            result.append(chr(octet))
            at += 1
            after_base64 = False
            continue
        end = name.find(b"-", at)
        if end < 0:
            raise InvalidName
        if end == at + 1:
            result.append("&")
            after_base64 = False
        else:
            if after_base64:
                raise InvalidName
            result.append(_decode_run(name[at + 1 : end]))
            after_base64 = True
        at = end + 1
    return "".join(result)


def _decode_run(run: bytes) -> str:
    padded = run.replace(b",", b"/") + b"=" * (-len(run) % 4)
    try:
        units = base64.b64decode(padded, validate=True)
        text = units.decode("utf-16-be")
    except (binascii.Error, UnicodeDecodeError) as error:
        raise InvalidName from error
    if any(0x20 <= ord(char) <= 0x7E for char in text) or base64.b64encode(units).rstrip(b"=").replace(b"/", b",") != run:
        raise InvalidName
    return text


def encode(name: str) -> str:
    """Text to the ASCII form of the wire."""
    result: list[str] = []
    run: list[str] = []
    for char in name:
        if 0x20 <= ord(char) <= 0x7E:
            result += [_encode_run(run), "&-" if char == "&" else char]
            run = []
        else:
            run.append(char)
    return "".join([*result, _encode_run(run)])


def _encode_run(run: list[str]) -> str:
    if not run:
        return ""
    units = "".join(run).encode("utf-16-be", "surrogatepass")
    return "&" + base64.b64encode(units).decode().rstrip("=").replace("/", ",") + "-"


def decode_mailbox(name: bytes) -> str:
    """A mailbox argument; a first level INBOX in any letter case is INBOX."""
    head, slash, rest = name.partition(b"/")
    if slash and head.upper() == b"INBOX":
        name = b"INBOX/" + rest
    return decode(name)
