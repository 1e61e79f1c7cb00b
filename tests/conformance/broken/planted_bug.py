"""A broken server: the handler of `list_sender_addresses` fails with an exception that holds a password and a path."""

from __future__ import annotations

import dataclasses
import os
import sys
from typing import Any, NoReturn

from proton_safe.__main__ import main
from proton_safe.tools import list_sender_addresses, safe_profile


def _fail(*_: object) -> NoReturn:
    raise RuntimeError(f"password {os.environ['PROTON_BRIDGE_PASSWORD']} in {os.environ['PROTON_MCP_STATE_DIR']}")


def _with_bug(tool: Any) -> Any:  # noqa: ANN401 - definitions differ in their type arguments
    return dataclasses.replace(tool, handler=_fail) if tool.name == list_sender_addresses.LIST_SENDER_ADDRESSES.name else tool


if __name__ == "__main__":
    safe_profile.TOOLS = tuple(_with_bug(tool) for tool in safe_profile.TOOLS)  # type: ignore[misc]  # a constant for everybody but this bug
    sys.exit(main(["serve"]))
