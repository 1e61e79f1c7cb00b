"""The types of result fields that hold what a sender chose. The mark is published: `"x-untrusted": true` in the schema.

A field marked here is cleaned before it leaves (`untrusted.leave`), so a handler can't forget to; a field that isn't marked must
hold only values of our own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Final

from typing_extensions import TypeAliasType

if TYPE_CHECKING:
    from pydantic import GetJsonSchemaHandler
    from pydantic.json_schema import JsonSchemaValue
    from pydantic_core import CoreSchema

MAX_SUBJECT_CHARS: Final = 998
MAX_NAME_CHARS: Final = 200
MAX_ADDRESS_CHARS: Final = 320
MAX_IDENTIFIER_CHARS: Final = 998
MAX_FILENAME_CHARS: Final = 255
MAX_FOLDER_CHARS: Final = 1_024
MAX_HEADER_CHARS: Final = 998


@dataclass(frozen=True, slots=True)
class Untrusted:
    """Marks a string field: `max_chars` is the longest cleaned text that leaves; `block` moves it into a fenced block of `content`."""

    max_chars: int | None = None
    block: bool = False

    def __get_pydantic_json_schema__(self, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        schema = handler(core_schema)
        schema["x-untrusted"] = True
        if self.max_chars is not None:
            schema["maxLength"] = self.max_chars
        if self.block:
            schema["x-block"] = True
        return schema


Subject = Annotated[str, Untrusted(max_chars=MAX_SUBJECT_CHARS)]
PersonName = Annotated[str, Untrusted(max_chars=MAX_NAME_CHARS)]
AddressText = Annotated[str, Untrusted(max_chars=MAX_ADDRESS_CHARS)]
Identifier = Annotated[str, Untrusted(max_chars=MAX_IDENTIFIER_CHARS)]
FileName = Annotated[str, Untrusted(max_chars=MAX_FILENAME_CHARS)]
FolderName = Annotated[str, Untrusted(max_chars=MAX_FOLDER_CHARS)]
# A type with a name: it stands in so many fields that the published schemas refer to it.
HeaderText = TypeAliasType("HeaderText", Annotated[str, Untrusted(max_chars=MAX_HEADER_CHARS)])
BlockText = Annotated[str, Untrusted(block=True)]
