"""Argument types that several tools share, each with its bounds."""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

MAX_UID: Final = 2**32 - 1
MAX_OFFSET_CHARS: Final = 10_000_000

ONE_LINE: Final = r"^[^\x00-\x1f\x7f\x80-\x9f\u2028\u2029]*$"


def _uid_in_range(value: str) -> str:
    if int(value) > MAX_UID:
        raise PydanticCustomError("uid_range", "must be at most 4294967295")
    return value


Folder = Annotated[
    str,
    Field(
        min_length=1,
        max_length=255,
        pattern=ONE_LINE,
        description="Folder name as list_folders gives it (name or raw_name); INBOX in any letter case.",
    ),
]
Uid = Annotated[
    str,
    Field(
        max_length=10,
        pattern=r"^[1-9][0-9]{0,9}$",
        description="The message's uid from a list or search of the same folder, at most 4294967295.",
    ),
    AfterValidator(_uid_in_range),
]
UidValidity = Annotated[
    int | None,
    Field(ge=1, le=MAX_UID, description="uid_validity of the answer that the uid came from; binds the call to that numbering."),
]
Limit = Annotated[int, Field(ge=1, le=100, description="How many rows at most, 1 to 100.")]
Cursor = Annotated[
    str | None,
    Field(
        min_length=1,
        max_length=512,
        pattern=r"^[A-Za-z0-9_-]+$",
        description="next_cursor of the same call's last answer, to read on. Optional.",
    ),
]
OffsetChars = Annotated[
    int,
    Field(
        ge=0, le=MAX_OFFSET_CHARS, description="Where to start in the text, in characters; next_offset_chars of the last answer reads on."
    ),
]
FoldQuoted = Annotated[
    bool,
    Field(description="True folds earlier mails quoted at the end into one line; offsets count what is left."),
]
MaxChars = Annotated[int, Field(ge=500, le=100_000, description="How many characters of text at most.")]
