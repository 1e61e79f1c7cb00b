"""Whether text that no reader shows (comments, code, attributes) holds sentences.

That is: five words in a row, or eight letters in scripts that write without blanks. Markup, style rules and identifiers are not
sentences, and commas end a run, so the code of ordinary mail is not reported.
"""

from __future__ import annotations

import re
from typing import Final

_WORD: Final = r"[^\W\d_]{1,40}+"
_SENTENCE: Final = re.compile(
    rf"(?<![\w#.-])(?:{_WORD}['\u2019]?(?:[^\W\d_]{{1,3}}+)?[.!?\")]{{0,2}}\s{{1,20}}+){{4,}}{_WORD}"
    "|[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]{8,}+"
)


def sentence_characters(text: str) -> int:
    """How many characters, white space not counted, stand in sentences. Linear."""
    return sum(len("".join(found[0].split())) for found in _SENTENCE.finditer(text))
