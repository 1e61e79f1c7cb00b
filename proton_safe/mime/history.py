"""Earlier mails that a reply quotes, folded into one line with a count, in the forms and languages of the usual mail programs.

Folded is what nobody answers below: the last quotation with the line that introduces it, a block of Outlook's header lines or a line
such as `-----Original Message-----` with all that follows, and a long quotation that one answer follows. Quotations between answers
stay, and so do signatures and what was passed on. A text never folds away whole. Works on cleaned text, line by line, forwards only;
the cost is linear, and texts of more than 100,000 lines are not folded.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from proton_safe.mime.history_words import FORWARDED, LABEL_OF, ORIGINAL, WROTE

FOLDED_MARK: Final = "[quoted text folded]"
LONG_QUOTE_LINES: Final = 12
MAX_LINES: Final = 100_000
MAX_HEADING_CHARS: Final = 400
_HEADING_LINES: Final = 4
_BLOCK_LINES: Final = 10
_SIGNATURE_LINES: Final = 20
_SHORTEST_BROKEN: Final = 25
_MOMENT_CHARS: Final = 60
_MAX_LABEL_CHARS: Final = 30
_SHORTEST_RULES: Final = 4
_MAX_SENTENCE_CHARS: Final = 60
_RULES: Final = "-_=*\u2010\u2011\u2012\u2013\u2014\u2015 \t"
_COLONS: Final = (":", "\uff1a")
_FORWARDED: Final = re.compile("|".join(map(re.escape, FORWARDED)))
# A subject whose first mark says that the mail was passed on; behind the mark of an answer it says nothing of this mail.
_PASSED_ON: Final = re.compile(
    r"\s*(?:fwd?|wg|tr|rv|enc|vb|vl|pd|i|\u8f6c\u53d1|\u8f49\u5bc4|\u8ee2\u9001|\uc804\ub2ec)\s*[:\uff1a]", re.IGNORECASE
)
_ENDS: Final = _RULES + "".join(_COLONS)
# A header field (RFC 5322 2.2) or the rest of a folded one.
_FIELD: Final = re.compile(r"[A-Za-z][A-Za-z0-9-]{0,60}:(?: |$)|[ \t]+\S")
_MOMENT: Final = re.compile("[0-9]{4}|[0-9]{1,2}[:.h\u6642\u65f6][0-9]{2}|[0-9]{1,2}[./][0-9]{1,2}[./]")


@dataclass(frozen=True, slots=True)
class Folded:
    """The text with `FOLDED_MARK` where something was folded, and how many characters that was."""

    text: str
    folded_chars: int = 0


def fold(text: str, *, subject: str = "") -> Folded:
    """Fold the quoted history of a cleaned text; the text itself if it quotes nothing that can be folded.

    What stands below a subject such as `FW: …` was passed on, and stays.
    """
    lines = text.split("\n", MAX_LINES)
    if len(lines) > MAX_LINES or _PASSED_ON.match(subject):
        return Folded(text)
    limit = _end_of_own(lines)
    own, passed_on = lines[:limit], lines[limit:]
    found = _earlier_mail(own) or (None if passed_on else _last_quotation(own) or _first_quotation(own))
    if found is None:
        return Folded(text)
    start, end = found
    before, after = _trimmed(own[:start]), [*own[end:], *passed_on]
    after = after[_blank(after) :]
    if not before and not after:
        return Folded(text)
    kept = [*before, *([""] if before else []), FOLDED_MARK, *([""] if after else []), *after]
    return Folded("\n".join(kept), len("\n".join(own[start:end])))


def _end_of_own(lines: list[str]) -> int:
    """The first line of a mail that was passed on, or the number of lines."""
    return next((at for at, line in enumerate(lines) if _FORWARDED.search(_sentence(line))), len(lines))


def _earlier_mail(lines: list[str]) -> tuple[int, int] | None:
    """An earlier mail that stands unquoted, to the end: behind `Original Message`, header lines, or `On … <…> wrote:`."""
    begun = False
    for at, line in enumerate(lines):
        if not line.strip():
            continue
        if begun and not _quoted(line) and (_sentence(line) in ORIGINAL or _is_header_block(lines, at) or _is_bare_heading(lines, at)):
            return _above(lines, at), len(_trimmed(lines))
        begun = begun or not _is_rule(line)
    return None


def _last_quotation(lines: list[str]) -> tuple[int, int] | None:
    """The quotation behind which only a signature follows, with its heading."""
    last = next((at for at in range(len(lines) - 1, -1, -1) if _quoted(lines[at])), None)
    if last is None or not _is_signature(lines[last + 1 :]):
        return None
    first = _first_of_run(lines, last)
    if _FORWARDED.search(_sentence(lines[first].lstrip("> "))):
        return None  # Apple Mail marks what is passed on as it marks what is answered
    start = _heading(lines, first)
    return (start, last + 1) if any(line.strip() for line in lines[:start]) else None


def _first_quotation(lines: list[str]) -> tuple[int, int] | None:
    """A long quotation at the top that is the only one, with its heading: the answer stands below it."""
    quoted = [at for at, line in enumerate(lines) if _quoted(line)]
    if len(quoted) < LONG_QUOTE_LINES or _first_of_run(lines, quoted[-1]) != quoted[0]:
        return None
    start = _heading(lines, quoted[0])
    return None if any(line.strip() for line in lines[:start]) else (start, quoted[-1] + 1)


def _quoted(line: str) -> bool:
    return line.startswith((">", " >"))


def _first_of_run(lines: list[str], last: int) -> int:
    """The first line of the run of quoted and empty lines that ends at `last`."""
    first = at = last
    while at >= 0 and (_quoted(lines[at]) or not lines[at].strip()):
        if _quoted(lines[at]):
            first = at
        at -= 1
    return first


def _is_signature(lines: list[str]) -> bool:
    """Whether there is nothing, or a signature or the foot of a mailing list, which begin with a rule."""
    told = [line for line in lines if line.strip()]
    return not told or (len(told) <= _SIGNATURE_LINES and (told[0].rstrip() == "--" or _is_rule(told[0])))


def _heading(lines: list[str], first: int) -> int:
    """Where the words begin that introduce the quotation at `first`, up to four lines above it; `first` if there are none."""
    at = first
    while at > 0 and not lines[at - 1].strip() and first - at < 2:
        at -= 1
    words, introduced = "", first
    for top in range(at - 1, max(at - 1 - _HEADING_LINES, -1), -1):
        line = lines[top].strip()
        if not line or _quoted(line) or len(words) + len(line) > MAX_HEADING_CHARS or (words and not _goes_on(line)):
            break
        words = f"{line} {words}".strip().casefold()
        if not words.endswith(_COLONS):
            break
        wrote = _wrote(words)
        if _MOMENT.search(words) and (wrote or "@" in words):
            return _above(lines, top)
        introduced = top if wrote and introduced == first else introduced
    return _above(lines, introduced)


def _goes_on(line: str) -> bool:
    """Whether a line of a heading was broken because it was long: it is no sentence of its own."""
    return len(line) >= _SHORTEST_BROKEN and not line.endswith((".", "!", "?", *_COLONS))


def _is_bare_heading(lines: list[str], at: int) -> bool:
    """Whether a heading with name, address and moment begins here though what follows is not marked as quoted."""
    if at and _goes_on(lines[at - 1].strip()):
        return False
    words = ""
    for end in range(at, min(at + _HEADING_LINES, len(lines))):
        line = lines[end].strip()
        if not line or len(words) + len(line) > MAX_HEADING_CHARS:
            return False
        words = f"{words} {line}".strip().casefold()
        if words.endswith(_COLONS):
            following = next((after for after in lines[end + 1 : end + _BLOCK_LINES] if after.strip()), ">")
            return "@" in words and _MOMENT.search(words[:_MOMENT_CHARS]) is not None and _wrote(words) and not _quoted(following)
    return False


def _wrote(words: str) -> bool:
    return any(verb in words for verb in WROTE)


def _is_header_block(lines: list[str], at: int) -> bool:
    """Whether a From line stands here and two of date, recipient and subject close below it, one of all with an address or the subject.

    Other header lines right above it mean that a whole header is shown, as reports of failed delivery do: that is no history.
    """
    if _label(lines[at]) != "from" or (at and _FIELD.match(lines[at - 1])):
        return False
    following = [line for line in lines[at + 1 : at + 2 * _BLOCK_LINES] if line.strip()][:_BLOCK_LINES]
    labelled = [(_label(line), line) for line in following]
    named = {label for label, _ in labelled} & {"date", "to", "subject"}
    # Tickets and bookings have the other labels, too: from here, to there, at that date.
    return len(named) >= 2 and ("subject" in named or "@" in lines[at] or any(label == "to" and "@" in line for label, line in labelled))


def _label(line: str) -> str | None:
    start = line[: _MAX_LABEL_CHARS + 1].replace("\uff1a", ":")
    name, colon, _ = start.partition(":")
    return LABEL_OF.get(" ".join(name.replace("*", " ").casefold().split())) if colon else None


def _sentence(line: str) -> str:
    """What a line says between rules or before a colon, in lower case; '' for any other line."""
    stripped = line.strip()
    if not stripped or (stripped[0] not in _RULES and stripped[-1] not in _ENDS) or len(line) > MAX_HEADING_CHARS or _quoted(line):
        return ""
    bare = line.strip(_RULES)
    if len(stripped) - len(bare) < _SHORTEST_RULES and not bare.endswith(_COLONS):
        return ""
    return bare.casefold().rstrip("".join(_COLONS) + " ")[:_MAX_SENTENCE_CHARS]


def _is_rule(line: str) -> bool:
    stripped = line.strip()
    return len(stripped) >= 5 and not stripped.strip(_RULES)


def _above(lines: list[str], at: int) -> int:
    """The rule or `Original Message` that belongs to what begins at `at`, if there is one right above."""
    top = at
    while top > 0 and not lines[top - 1].strip() and at - top < 2:
        top -= 1
    return top - 1 if top > 0 and (_is_rule(lines[top - 1]) or _sentence(lines[top - 1]) in ORIGINAL) else at


def _trimmed(lines: list[str]) -> list[str]:
    end = len(lines)
    while end and not lines[end - 1].strip():
        end -= 1
    return lines[:end]


def _blank(lines: list[str]) -> int:
    """How many empty lines stand at the beginning."""
    return next((at for at, line in enumerate(lines) if line.strip()), len(lines))
