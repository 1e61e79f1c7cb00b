"""What a script must do before and after its call, so that no upload of one case is still open in the next."""

from __future__ import annotations

from conformance.figures import Tool
from conformance.generator.draft_case import OK, Data, call, plain
from conformance.model import Json

_LEFT_OVER = {"upload_attachment_chunk": "$upload", "finish_attachment_upload": "$upload", "discard_attachment": "$token"}


def around(name: str, tool: Tool, arguments: dict[str, Json], expect: Data) -> list[Data]:
    """The tool's preparation, the call itself, and the removal of what is staged then."""
    steps = [plain(step) for step in tool.setup]
    ends_well = "ok" in expect
    match name:
        case "begin_attachment_upload" if ends_well:
            tidy = [call("discard_attachment", {"attachment_token": "$upload"}, OK)]
            return [*steps, call(name, arguments, expect, capture={"upload": "upload_id"}), *tidy]
        case "finish_attachment_upload" if ends_well:
            tidy = [call("discard_attachment", {"attachment_token": "$token"}, OK)]
            return [*steps, call(name, arguments, expect, capture={"token": "attachment_token"}), *tidy]
        case "discard_attachment" if ends_well:
            return [*steps, call(name, arguments, expect)]
        case _ if name in _LEFT_OVER:
            return [*steps, call(name, arguments, expect), call("discard_attachment", {"attachment_token": _LEFT_OVER[name]}, OK)]
        case _:
            return [*steps, call(name, arguments, expect)]
