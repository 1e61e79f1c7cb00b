"""A link's target as it is shown beside its text, and whether the text names another host.

Nothing is fetched and nothing resolved. Browsers' habits are followed where they decide where a click goes: backslashes count as
slashes, blanks and controls inside a URL vanish, what stands before an `@` is not the host, a relative URL belongs to `<base href>`,
a host may be written with per cent signs or in wide letters (WHATWG URL 3 and 4).
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote, urljoin

MAX_TARGET_CHARS: Final = 200
_MAX_URL_CHARS: Final = 4_096
_MAX_HOST_CHARS: Final = 260
_CONTROLS: Final = re.compile(r"[\x00-\x20\x7f-\xa0\xad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]+")
# What nobody sees inside a word; a link's text is read without it.
_UNSEEN: Final = re.compile(r"[\xad\u034f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]+")
_URL: Final = re.compile(r"([a-z][a-z0-9+.-]{0,30}):(?:[/\\]{2}([^/\\?#]*))?", re.IGNORECASE)
# `http:host` and `http:/host` lead where `http://host` leads.
_FEW_SLASHES: Final = re.compile(r"(https?|ftp):[/\\]*", re.IGNORECASE)
_SHOWN_SCHEMES: Final = frozenset({"http", "https", "ftp"})
_BARE_SCHEMES: Final = frozenset({"mailto", "tel", "sms"})
# What looks like a host: a dotted name with a last label of letters.
_HOST: Final = r"((?:[^\W_](?:[\w-]{0,61}[^\W_])?[.\u2024\u3002\uff0e\uff61]){1,10}[^\W\d_][\w-]{0,61}[^\W_])"
# The text of a link that is an address on the web or of mail, and one that holds such an address among other words.
_NAMED: Final = re.compile(rf"(?:https?:[/\\]{{2}})?(?:[^\s/@?#]{{1,100}}@)?{_HOST}(?::[0-9]{{1,5}})?(?:[/?#]\S*)?", re.IGNORECASE)
_MENTIONED: Final = re.compile(rf"(?:https?:[/\\]{{2}}(?:[^\s/@?#]{{1,100}}@)?|(?<![\w.-])(?=www[.])){_HOST}", re.IGNORECASE)
_FILE_ENDS: Final = frozenset(
    {"pdf", "txt", "doc", "docx", "xls", "xlsx", "ppt", "pptx", "zip", "jpg", "jpeg", "png", "gif", "html", "htm", "csv", "exe", "js"}
)


@dataclass(frozen=True, slots=True)
class Target:
    """`shown`: the URL, at most 200 characters, host in ASCII; `host`: that host, or the domain of a mail address ('' if it has none)."""

    shown: str
    host: str


def target(href: str, *, base: str = "") -> Target | None:
    """What an `href` leads to; None for a place inside the mail (`#x`, `cid:`) and for a relative URL without a base."""
    url = _CONTROLS.sub("", href[:_MAX_URL_CHARS])
    if url.startswith("#"):
        return None
    match = _URL.match(url)
    if match is None and (base or url[:2].replace("\\", "/") == "//"):
        url = _joined(_CONTROLS.sub("", base[:_MAX_URL_CHARS]), url)
        match = _URL.match(url)
    if match is None:
        return None
    scheme = match[1].lower()
    if scheme in _BARE_SCHEMES:
        address = url[match.end() :]
        domain = unquote(address.partition("?")[0].partition(",")[0].rpartition("@")[2]) if scheme == "mailto" and "@" in address else ""
        return Target(_cut(f"{scheme}:{address}"), ascii_host(domain))
    if scheme not in _SHOWN_SCHEMES:
        return None if scheme in {"cid", "mid"} else Target(f"{scheme}:", "")
    if not match[2]:
        url = _FEW_SLASHES.sub(r"\1://", url, count=1)
        match = _URL.match(url) or match
    host = ascii_host(unquote((match[2] or "").rpartition("@")[2]))
    return Target(_cut(f"{scheme}://{host}{url[match.end() :]}"), host.partition(":")[0])


def named_host(text: str) -> str:
    """The host that a link's text names, in ASCII; '' if it holds no address on the web. File names are none."""
    bare = _CONTROLS.sub(" ", _UNSEEN.sub("", text.strip()[:_MAX_URL_CHARS])[:MAX_TARGET_CHARS]).strip()
    match = _NAMED.fullmatch(bare) or _MENTIONED.search(bare)
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
    """A host in lower case and ordinary letters, its labels in `xn--` form where they are not ASCII (RFC 5891, without its checks)."""
    plain = host if host.isascii() else unicodedata.normalize("NFKC", host[:_MAX_HOST_CHARS]).replace("\u3002", ".")
    return ".".join(label.lower() if label.isascii() else _a_label(label.lower()) for label in plain.split("."))


def _joined(base: str, url: str) -> str:
    """A relative URL in front of its base; '' where the two make none."""
    start = base if _URL.match(base) else "https://" if url[:2].replace("\\", "/") == "//" else ""
    if not start:
        return ""
    if start == "https://":
        return f"https:{url}"
    try:
        return urljoin(start, url.replace("\\", "/"))
    except ValueError:
        return ""


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
