"""`python -m tests.clients`: exit status 0 only if every client did all that was asked of it and no witness says otherwise."""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests import on_demand
from tests.clients import inspector, python_client, scripts
from tests.clients.evidence import LEGACY, MODERN, judge
from tests.clients.installation import Installation, NotInstalled, install
from tests.clients.report import table
from tests.clients.site import Site

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.clients.report import Report, Row

FOLDER: Final = Path(__file__).resolve().parents[2] / ".clients"


@dataclass(frozen=True, slots=True)
class Client:
    """One line of the table before it is run."""

    name: str
    version: str
    expected: str
    run: Callable[[Site], Report]


def clients(installation: Installation) -> tuple[Client, ...]:
    """All of them, in the order in which they are run."""
    sdk, second = installation.versions["@modelcontextprotocol/sdk"], installation.versions["@modelcontextprotocol/client"]
    both = installation.versions[inspector.PACKAGE]

    def script(name: str, mode: str) -> Callable[[Site], Report]:
        return lambda site: scripts.run(installation, name, site, mode)

    return (
        Client("TypeScript SDK", sdk, LEGACY, script("typescript-sdk-1.mjs", "legacy")),
        Client("TypeScript client, legacy", second, LEGACY, script("typescript-client-2.mjs", "legacy")),
        Client("TypeScript client, auto", second, MODERN, script("typescript-client-2.mjs", "auto")),
        Client("TypeScript client, modern", second, MODERN, script("typescript-client-2.mjs", "modern")),
        Client("Inspector --cli, legacy", both, LEGACY, lambda site: inspector.cli(installation, site, "legacy")),
        Client("Inspector --cli, modern", both, MODERN, lambda site: inspector.cli(installation, site, "modern")),
        Client("Inspector mcpdo, legacy", both, LEGACY, lambda site: inspector.mcpdo(installation, site, "legacy")),
        Client("Inspector mcpdo, modern", both, MODERN, lambda site: inspector.mcpdo(installation, site, "modern")),
        Client("Python SDK, legacy", python_client.VERSION, LEGACY, partial(python_client.run, mode="legacy")),
        Client("Python SDK, auto", python_client.VERSION, MODERN, partial(python_client.run, mode="auto")),
    )


def main() -> int:
    """Install what is missing, run the clients one after the other, print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.clients", description="Run other people's MCP clients against the server.")
    parser.add_argument("--only", metavar="TEXT", default="", help="only clients whose name holds this text")
    parser.add_argument("--record", metavar="FOLDER", type=Path, help="keep the wire of every server here")
    options = parser.parse_args()
    try:
        installation = install(FOLDER)
    except NotInstalled as trouble:
        sys.stderr.write(f"{trouble}\n")
        return 1
    rows = [_run(client, options.record) for client in clients(installation) if options.only in client.name]
    sys.stdout.write(f"\n{table(rows)}\n\n")
    failed = [row.client for row in rows if row.faults]
    sys.stdout.write(f"clients: {len(rows) - len(failed)} of {len(rows)} did all that was asked of them\n")
    return 1 if failed or not rows else 0


def _run(client: Client, record: Path | None) -> Row:
    sys.stdout.write(f"{client.name} {client.version}\n")
    sys.stdout.flush()
    with Site() as site:
        report = client.run(site)
        row = judge(client.name, client.version, client.expected, report=report, site=site)
        sys.stdout.write(f"    {len(row.faults)} faults\n" if row.faults else "    did all that was asked of it\n")
        sys.stdout.flush()
        if record is not None:
            site.keep(record / client.name.replace(" ", "-").replace(",", ""))
        return row


if __name__ == "__main__":
    on_demand.run("make clients", main)
