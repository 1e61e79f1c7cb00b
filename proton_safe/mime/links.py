"""A link's target as it is shown beside its text, and whether the text names another host.

Nothing is fetched and nothing resolved. Browsers' habits are followed where they decide where a click goes: backslashes count as
slashes, blanks and controls inside a URL vanish, what stands before an `@` is not the host.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

MAX_TARGET_CHARS: Final = 200
_MAX_URL_CHARS: Final = 4_096
_CONTROLS: Final = re.compile(r"[\x00-\x20\x7f-\xa0\xad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]+")
_URL: Final = re.compile(r"([a-z][a-z0-9+.-]{0,30}):(?:[/\\]{2}([^/\\?#]*))?", re.IGNORECASE)
_SHOWN_SCHEMES: Final = frozenset({"http", "https", "ftp"})
_BARE_SCHEMES: Final = frozenset({"mailto", "tel", "sms"})
# The text of a link that looks like an address on the web: a scheme or a dotted name with a last label of letters.
_NAMED: Final = re.compile(
    r"(?:https?:[/\\]{2})?(?:[^\s/@?#]{1,100}@)?((?:[^\W_](?:[\w-]{0,61}[^\W_])?\.){1,10}[^\W\d_][\w-]{0,61}[^\W_])(?::[0-9]{1,5})?(?:[/?#]\S*)?",
    re.IGNORECASE,
)
_FILE_ENDS: Final = frozenset(
    {"pdf", "txt", "doc", "docx", "xls", "xlsx", "ppt", "pptx", "zip", "jpg", "jpeg", "png", "gif", "html", "htm", "csv", "exe", "js"}
)


@dataclass(frozen=True, slots=True)
class Target:
    """`shown`: the URL, at most 200 characters, host in ASCII; `host`: that host ('' if it has none)."""

    shown: str
    host: str


def target(href: str) -> Target | None:
    """What an `href` leads to; None for a place inside the mail (`#x`, `cid:`) and for a URL without a scheme."""
    url = _CONTROLS.sub("", href[:_MAX_URL_CHARS])
    match = _URL.match(url)
    if match is None:
        return None
    scheme = match[1].lower()
    if scheme in _BARE_SCHEMES:
        return Target(_cut(f"{scheme}:{url[match.end() :]}"), "")
    if scheme not in _SHOWN_SCHEMES:
        return None if scheme in {"cid", "mid"} else Target(f"{scheme}:", "")
    host = ascii_host((match[2] or "").rpartition("@")[2])
    return Target(_cut(f"{scheme}://{host}{url[match.end() :]}"), host.partition(":")[0])


def named_host(text: str) -> str:
    """The host that a link's text names, in ASCII; '' if it does not look like an address on the web."""
    match = _NAMED.fullmatch(text.strip()[:MAX_TARGET_CHARS])
    if match is None or match[1].rpartition(".")[2].lower() in _FILE_ENDS:
        return ""
    return ascii_host(match[1])


def same_site(one: str, other: str) -> bool:
    """Whether two hosts are equal or one lies under the other (`www.bank.example` and `bank.example`)."""
    return one == other or one.endswith(f".{other}") or other.endswith(f".{one}")


def same_place(text: str, place: Target) -> bool:
    """Whether the text already says where the link leads, but for the scheme and a slash at the end."""
    return _bare(text) == _bare(place.shown)


def ascii_host(host: str) -> str:
    """A host in lower case with its labels in `xn--` form where they are not ASCII (RFC 5891, without its checks)."""
    return ".".join(label.lower() if label.isascii() else _a_label(label.lower()) for label in host.split("."))


def _a_label(label: str) -> str:
    # Punycode costs the square of a label's length; longer ones than DNS allows stay as they are.
    return "xn--" + label.encode("punycode").decode("ascii") if len(label) <= 63 else label


def _bare(text: str) -> str:
    bare = text.strip().lower()
    for prefix in ("http://", "https://", "mailto:", "tel:"):
        bare = bare.removeprefix(prefix)
    return bare.removeprefix("www.").rstrip("/")


def _cut(url: str) -> str:
    return url if len(url) <= MAX_TARGET_CHARS else url[:MAX_TARGET_CHARS] + "\u2026"
