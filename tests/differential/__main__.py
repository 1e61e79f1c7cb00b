"""`python -m tests.differential [COUNT]`: so many ordinary mails (3,000) through the real server, with Python's parser beside it.

Status 0: every value that the server gives is the one that was put in, and each other value of Python's parser has its explanation.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from typing import Final

from tests import on_demand
from tests.differential import seen
from tests.differential.check import OURS, Compared, compare, told
from tests.differential.kinds import KINDS

COUNT: Final = 3_000


def table(compared: Compared) -> Iterator[str]:
    """The lines to print."""
    yield f"{compared.mails} mails, {compared.values} values"
    ours = {tool: sum(one.parser == tool for one in compared.ours) for tool in OURS}
    yield "  differ from what was put in: " + ", ".join(f"{tool} {count}" for tool, count in ours.items())
    parsers = tuple(seen.PARSERS)
    yield f"{'':28}" + "".join(f"{parser:>26}" for parser in parsers)
    for name in seen.FIELDS:
        yield f"  {name:26}" + "".join(f"{compared.fields[name, parser]:>26}" for parser in parsers)
    yield "the same differences by kind"
    for kind in KINDS:
        yield f"  {kind.name:26}" + "".join(f"{compared.kinds[kind.name, parser]:>26}" for parser in parsers)
        yield f"      {kind.about}"
    yield f"  {'unexplained':26}{len(compared.unexplained)}"


def closing(compared: Compared) -> str:
    """The last line."""
    ours = f"{len(compared.ours)} of {compared.values} values differ from what was put in"
    return f"differential: {compared.mails} mails, {ours}, {len(compared.unexplained)} differences of Python's parser are unexplained"


def main() -> int:
    """Compare, print, decide."""
    parser = argparse.ArgumentParser(prog="python -m tests.differential", description="Read ordinary mails, with Python's parser beside.")
    parser.add_argument("count", type=int, nargs="?", default=COUNT, help=f"so many mails (default: {COUNT:,})")
    count: int = parser.parse_args().count
    compared = compare(range(count), on_demand.Progress("mails", count).reached)
    lines = [*table(compared), *told(compared.ours), *told(compared.unexplained), closing(compared)]
    sys.stdout.write("\n".join(lines) + "\n")
    return 1 if compared.ours or compared.unexplained else 0


if __name__ == "__main__":
    on_demand.run("make differential", main)
