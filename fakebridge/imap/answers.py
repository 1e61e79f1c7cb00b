"""How answers are spelled: quoting, flag lists, news lines, and the two refusals that commands raise (bridge-behaviour 1.7, 1.9)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fakebridge.mailstore import flags as flagset
from fakebridge.mailstore.news import Exists, Expunged, News, Recent
from fakebridge.message.goquote import go_quote


class No(Exception):
    """The command fails: `tag NO [code] text`. `text` may hold any octets (as surrogates), even a line end."""

    def __init__(self, text: str, *, code: str = "") -> None:
        super().__init__(text)
        self.code = code


class Bad(Exception):
    """The command is refused: `tag BAD text`."""


def quoted(text: str) -> bytes:
    """A quoted string with Go's escapes."""
    return octets(go_quote(text))


def octets(text: str) -> bytes:
    """Text that may carry raw octets of the client's, as octets."""
    return text.encode("utf-8", "surrogateescape")


def news_line(news: News) -> bytes:
    """One untagged line, without CRLF."""
    if isinstance(news, Exists):
        return b"* %d EXISTS" % news.count
    if isinstance(news, Recent):
        return b"* %d RECENT" % news.count
    if isinstance(news, Expunged):
        return b"* %d EXPUNGE" % news.number
    uid = b"" if news.uid is None else b" UID %d" % news.uid
    return b"* %d FETCH (FLAGS %s%s)" % (news.number, octets(flagset.text(news.flags)), uid)


def uid_set(uids: Sequence[int]) -> str:
    """UIDs in ascending order, runs written as ranges."""
    parts: list[tuple[int, int]] = []
    for uid in sorted(uids):
        if parts and parts[-1][1] + 1 == uid:
            parts[-1] = (parts[-1][0], uid)
        else:
            parts.append((uid, uid))
    return ",".join(str(low) if low == high else f"{low}:{high}" for low, high in parts)


def attributes(names: Iterable[str]) -> str:
    """LIST attributes, sorted, in parentheses."""
    return "(" + " ".join(sorted(names)) + ")"
