"""How a person plays a case with two terminals and no runner: the commands, for the server of the usual adapter."""

from __future__ import annotations

import json
import re
import shlex
from typing import Final

from conformance import adapter
from conformance.bridge import account_of
from conformance.model import Case
from conformance.worlds_at_hand import shown_path, world_file

PORT: Final = 11_430
_PLACEHOLDER: Final = re.compile(r"\{[a-z_]+\}")


def commands(case: Case) -> list[str]:
    """The command for fakebridge and the one for the server. Nothing where the case sets variables that only a run can fill."""
    usual = adapter.load()
    account = account_of(case.world)
    known = {
        "{user}": account.user,
        "{aliases}": ",".join(account.aliases),
        "{imap_port}": str(PORT),
        "{password}": json.loads(world_file(case.world).read_text(encoding="utf-8"))["password"],
    }
    variables = {**usual.environment, **case.environment}
    # The state folder must be a new one, since each fakebridge has another certificate; any home will do.
    filled = {name: known.get(str(value), str(value)) for name, value in variables.items() if value not in {None, "{state}", "{home}"}}
    if any(_PLACEHOLDER.search(value) for value in filled.values()):
        return []
    told = [f"{name}={shlex.quote(value)}" for name, value in filled.items()]
    told += [f"{name}=$(mktemp -d)" for name, value in variables.items() if value == "{state}"]
    serve = " ".join(part.replace("{python}", "python") for part in usual.command)
    return [
        f"python -m fakebridge serve --control --imap-port {PORT} --world {shown_path(case.world)}",
        f"{' '.join(told)} {serve}",
    ]
