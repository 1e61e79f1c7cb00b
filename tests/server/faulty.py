"""A server with a handler that does what handlers must not: raise, print, start noisy programs, break the schema. Run as a program."""

from __future__ import annotations

import dataclasses
import logging
import os
import subprocess
import sys
import threading
import warnings
from typing import TYPE_CHECKING, Any, Final

from proton_safe import serving
from proton_safe.entry import serve
from proton_safe.refusals import Code, Refusal
from proton_safe.tools import safe_profile
from proton_safe.tools.discard_attachment import DiscardAttachmentResult
from proton_safe.tools.list_sender_addresses import ListSenderAddressesResult

if TYPE_CHECKING:
    from proton_safe.call import Call
    from proton_safe.tools.definition import Result

CANARY: Final = "CANARY secret@keller.example /home/ada/mail"


def _raises(*_: object) -> Result:
    raise RuntimeError(CANARY)


def _refuses_what_it_does_not_name(*_: object) -> Result:
    raise Refusal(Code.DRAFT_UNKNOWN)


def _another_result(*_: object) -> Result:
    return DiscardAttachmentResult.model_construct(discarded=True)


def _breaks_the_schema(*_: object) -> Result:
    return ListSenderAddressesResult.model_construct(default_sender=CANARY, sender_addresses=CANARY)  # type: ignore[arg-type]  # this is the fault


def _surrogates(*_: object) -> Result:
    return ListSenderAddressesResult.model_construct(default_sender="a\ud800b", sender_addresses=["a\udfffb"])


def _noise(*_: object) -> Result:
    sys.stdout.write(CANARY + "\n")
    sys.stdout.flush()
    os.write(1, b"from descriptor 1\n")
    subprocess.run(["/bin/echo", "from a child"], check=True)
    logging.getLogger("some.library").error("%s", CANARY)
    warnings.warn(CANARY, stacklevel=1)
    thread = threading.Thread(target=_raises)
    thread.start()
    thread.join()
    return ListSenderAddressesResult(default_sender="ada@keller.example", sender_addresses=[])


def _hangs(_engine: object, call: Call, *_: object) -> Result:
    call.progress(1, None, "Hanging.")
    while True:
        threading.Event().wait()


HANDLERS: Final[dict[str, Any]] = {
    "raises": _raises,
    "refuses": _refuses_what_it_does_not_name,
    "another": _another_result,
    "schema": _breaks_the_schema,
    "surrogates": _surrogates,
    "noise": _noise,
    "hangs": _hangs,
}


def _break_the_engine() -> None:
    def assemble(*_: object) -> None:
        raise RuntimeError(CANARY)

    serving.__dict__["assemble"] = assemble


if __name__ == "__main__":
    if sys.argv[1] == "engine":
        _break_the_engine()
        serve(None)
    handler = HANDLERS[sys.argv[1]]
    tools = [dataclasses.replace(tool, handler=handler) if tool.name == "list_sender_addresses" else tool for tool in safe_profile.TOOLS]
    safe_profile.__dict__["TOOLS"] = tuple(tools)
    serve(None)
