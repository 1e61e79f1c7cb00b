"""The ways in which a mail can hold a phrase: each a function from a phrase to a mail's octets, or None where it makes no sense."""

from __future__ import annotations

import base64
import html
import html.entities
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from tests.recall.languages import Language

FILLER: Final = "The parcel has left the depot and will be with you in two days."
Store = Callable[[Language, str], "bytes | None"]


@dataclass(frozen=True, slots=True)
class Kind:
    """One way, what it is called, and why what is missed is missed ('' where nothing may be)."""

    name: str
    store: Store
    miss: str = ""


def mail_of(*, subject: str = "A note", name: str = "Ben Okafor", kind: str = "plain", transfer: str = "7bit", body: bytes = b"") -> bytes:
    """A mail out of header texts that are already encoded, and a body that is."""
    charset = "utf-8" if "/" not in kind else kind.partition("/")[2]
    lines = (
        f"From: {name} <ben@okafor.example>",
        "To: Ada Keller <ada@keller.example>",
        f"Subject: {subject}",
        "Date: Tue, 01 Dec 2026 08:00:00 +0000",
        "Message-ID: <NUMBER@recall.example>",
        "MIME-Version: 1.0",
        f"Content-Type: text/{kind.partition('/')[0]}; charset={charset}",
        f"Content-Transfer-Encoding: {transfer}",
    )
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + (body or FILLER.encode()) + b"\r\n"


def _text(language: Language, phrase: str) -> str:
    return f"{language.greeting}!\r\n{FILLER}\r\n({phrase})\r\n{FILLER}"


def _html(language: Language, phrase: str) -> str:
    return f"<html><body><p>{language.greeting}!</p><p>{FILLER}</p>\r\n<p>({phrase})</p></body></html>"


# Encodings


def _q(octets: bytes) -> str:
    return "".join(
        chr(octet) if chr(octet).isascii() and chr(octet).isalnum() else "_" if octet == 0x20 else f"={octet:02X}" for octet in octets
    )


def q_word(text: str, charset: str = "utf-8") -> str:
    """A Q-encoded word."""
    return f"=?{charset}?q?{_q(text.encode(charset))}?="


def b_word(text: str, charset: str = "utf-8") -> str:
    """A B-encoded word."""
    return f"=?{charset}?b?{base64.b64encode(text.encode(charset)).decode()}?="


def quoted_printable(octets: bytes, *, broken_at: bytes = b"") -> bytes:
    """Quoted-printable, one encoded line for each line; `broken_at`: a soft line end behind these octets."""
    out: list[bytes] = []
    for line in octets.split(b"\r\n"):
        encoded = b"".join(b"=%02X" % octet if octet > 0x7E or octet == 0x3D else bytes([octet]) for octet in line)
        mark = b"".join(b"=%02X" % octet if octet > 0x7E or octet == 0x3D else bytes([octet]) for octet in broken_at)
        out.append(encoded.replace(mark, mark + b"=\r\n", 1) if mark else encoded)
    return b"\r\n".join(out)


def base64_lines(octets: bytes) -> bytes:
    """Base64 in lines of 76."""
    return base64.encodebytes(octets).replace(b"\n", b"\r\n").strip()


# Ways


def _subject(encode: Callable[[str], str]) -> Store:
    return lambda _, phrase: mail_of(subject=encode(f"On ({phrase}) again"))


def _split_subject(_: Language, phrase: str) -> bytes:
    half = len(phrase) // 2
    return mail_of(subject=f"{q_word('On (' + phrase[:half])}\r\n {q_word(phrase[half:] + ')')}")


def _legacy_subject(language: Language, phrase: str) -> bytes | None:
    if language.legacy in {None, "us-ascii"} or not _fits(phrase, language.legacy):
        return None
    word = b_word if language.legacy == "iso-2022-jp" else q_word
    return mail_of(subject=word(f"({phrase})", str(language.legacy)))


def _name(encode: Callable[[str], str]) -> Store:
    return lambda _, phrase: mail_of(name=encode(phrase))


def _eight(language: Language, phrase: str) -> bytes:
    return mail_of(transfer="8bit", body=_text(language, phrase).encode())


def _quoted(language: Language, phrase: str) -> bytes:
    return mail_of(transfer="quoted-printable", body=quoted_printable(_text(language, phrase).encode()))


def _encoded(language: Language, phrase: str) -> bytes:
    """In base64, padded in front so that no line ends within the phrase."""
    text = f"({phrase}) {FILLER}\r\n{language.greeting}"
    return mail_of(transfer="base64", body=base64_lines(text.encode()))


def _encoded_over_a_line_end(_: Language, phrase: str) -> bytes:
    """57 octets are a line of base64: the phrase lies across the end of the first."""
    before = "." * (57 - len(phrase.encode()) // 2)
    return mail_of(transfer="base64", body=base64_lines(f"{before}{phrase} {FILLER}".encode()))


def _quoted_over_a_line_end(language: Language, phrase: str) -> bytes:
    half = phrase[: len(phrase) // 2].encode()
    return mail_of(transfer="quoted-printable", body=quoted_printable(_text(language, phrase).encode(), broken_at=b"(" + half))


def _wrapped(language: Language, phrase: str) -> bytes | None:
    if " " not in phrase:
        return None
    return _quoted(language, phrase.replace(" ", "\r\n", 1))


def _of(change: Callable[[str], str], store: Store) -> Store:
    """The phrase in another spelling, if it is one."""
    return lambda language, phrase: store(language, change(phrase)) if change(phrase) != phrase else None


def _apart(text: str) -> str:
    return unicodedata.normalize("NFD", text)


def _title(text: str) -> str:
    return text[0].upper() + text[1:]


def _fits(phrase: str, charset: str | None) -> bool:
    try:
        phrase.encode(charset or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def _legacy_body(language: Language, phrase: str) -> bytes | None:
    if language.legacy in {None, "us-ascii"} or not _fits(phrase, language.legacy):
        return None
    octets = f"({phrase})".encode(str(language.legacy))
    if language.legacy == "iso-2022-jp":
        return mail_of(kind=f"plain/{language.legacy}", body=octets)
    return mail_of(kind=f"plain/{language.legacy}", transfer="quoted-printable", body=quoted_printable(octets))


def _html_quoted(language: Language, phrase: str) -> bytes:
    return mail_of(kind="html", transfer="quoted-printable", body=quoted_printable(_html(language, html.escape(phrase)).encode()))


def _html_encoded(language: Language, phrase: str) -> bytes:
    return mail_of(kind="html", transfer="base64", body=base64_lines(f"<p>({html.escape(phrase)})</p><p>{language.greeting}".encode()))


def _html_with(spell: Callable[[int], str | None]) -> Store:
    def store(_: Language, phrase: str) -> bytes | None:
        spelt = [spell(ord(each)) if not each.isascii() else html.escape(each) for each in phrase]
        if None in spelt or phrase.isascii():
            return None
        body = f"<html><body><p>{FILLER}</p><p>({''.join(each or '' for each in spelt)})</p></body></html>"
        return mail_of(kind="html", body=body.encode("ascii"))

    return store


def _named(code: int) -> str | None:
    name = html.entities.codepoint2name.get(code)
    return f"&{name};" if name else None


def _html_marked(language: Language, phrase: str) -> bytes:
    half = len(phrase) // 2
    inside = f"{html.escape(phrase[:half])}<b>{html.escape(phrase[half:])}</b>"
    return mail_of(kind="html", transfer="quoted-printable", body=quoted_printable(_html(language, inside).encode()))


BROKEN: Final = "a line end or an encoded word's end lies inside the phrase"
LONG: Final = "Bridge breaks long texts, and the break lies inside the phrase"
PUNCTUATION: Final = "`&` is encoded where Bridge would keep it; Bridge breaks long texts inside the phrase"
CASE: Final = "another letter case than was asked for, in an encoding"
KINDS: Final = (
    Kind("subject, raw UTF-8", _subject(str), LONG),
    Kind("subject, Q-encoded", _subject(q_word), PUNCTUATION),
    Kind("subject, B-encoded", _subject(b_word), LONG),
    Kind("subject, two encoded words", _split_subject, BROKEN),
    Kind("subject, accents apart, Q-encoded", _of(_apart, _subject(q_word)), "no room for this form (search-decomposed-left-out)"),
    Kind("subject, older charset", _legacy_subject, f"as sent: octets of another charset; as served: {LONG}"),
    Kind("subject, first letter capital, Q-encoded", _of(_title, _subject(q_word)), CASE),
    Kind("subject, capitals, Q-encoded", _of(str.upper, _subject(q_word)), CASE),
    Kind("sender's name, Q-encoded", _name(q_word), PUNCTUATION),
    Kind("sender's name, B-encoded", _name(b_word), LONG),
    Kind("text, 8bit UTF-8", _eight, LONG),
    Kind("text, quoted-printable", _quoted, LONG),
    Kind("text, base64", _encoded, LONG),
    Kind(
        "text, capitals, 8bit UTF-8",
        _of(str.upper, _eight),
        f"as sent: capitals of more than one letter, such as that of ß; as served: {CASE}",
    ),
    Kind("text, capitals, quoted-printable", _of(str.upper, _quoted), CASE),
    Kind("text, first letter capital, base64", _of(_title, _encoded), CASE),
    Kind("text, accents apart, 8bit UTF-8", _of(_apart, _eight), "no room for this form (search-decomposed-left-out)"),
    Kind("text, accents apart, quoted-printable", _of(_apart, _quoted), "no room for this form (search-decomposed-left-out)"),
    Kind("text, older charset", _legacy_body, f"as sent: octets of another charset; as served: {LONG}"),
    Kind("text, quoted-printable, soft line end inside", _quoted_over_a_line_end, BROKEN),
    Kind("text, base64, line end inside", _encoded_over_a_line_end, BROKEN),
    Kind("text, line broken at a blank", _wrapped, BROKEN),
    Kind("HTML, quoted-printable", _html_quoted, LONG),
    Kind("HTML, base64", _html_encoded, "`&` is written `&amp;` before the encoding; Bridge breaks long texts inside the phrase"),
    Kind("HTML, named characters", _html_with(_named), "no room for this form (search-html-left-out)"),
    Kind("HTML, decimal characters", _html_with(lambda code: f"&#{code};"), "HTML has a name for a letter, or no room for this form"),
    Kind("HTML, hexadecimal characters", _html_with(lambda code: f"&#x{code:X};"), "never asked for"),
    Kind("HTML, markup inside the phrase", _html_marked, BROKEN),
)
USUAL: Final = KINDS[11]
"""What stands in for a way that makes no sense for a phrase: quoted-printable text, as Bridge serves it."""
