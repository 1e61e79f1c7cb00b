"""`python -m tests.fuzz_mail --minutes 30`: mutated fixture mails through the real server until the time is over.

Progress every minute, the seed first; `--seed N` makes the same mails again, `--mail FILE` plays one that was kept. Status 1 when a
mail broke something; its octets lie in a file that is named.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from fixtures.mail.package import mails
from tests import on_demand
from tests.fuzz_mail.mutations import Mutator
from tests.fuzz_mail.run import BATCH, Fuzz, Fuzzed, keep
from tests.served.reader import Reader

MOST_SEED_OCTETS: Final = 60_000
MOST_FINDINGS: Final = 20
PROGRESS_S: Final = 60.0


def seeds() -> tuple[bytes, ...]:
    """The octets of every fixture mail that is not large, in the order of their ids."""
    return tuple(mail.octets for _, mail in sorted(mails().items()) if len(mail.octets) <= MOST_SEED_OCTETS)


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _counts(seen: Fuzzed) -> Iterator[str]:
    yield from (f"  {count:8} {outcome}" for outcome, count in seen.outcomes.most_common())


def _for_minutes(fuzz: Fuzz, minutes: float) -> None:
    """Whole batches until the time is over or enough is found."""
    began = told = time.monotonic()
    number = 0
    while time.monotonic() - began < minutes * 60 and len(fuzz.seen.findings) < MOST_FINDINGS:
        fuzz.play(range(number, number + BATCH))
        number += BATCH
        if time.monotonic() - told >= PROGRESS_S:
            told = time.monotonic()
            _say(f"{(told - began) / 60:5.1f} min: {fuzz.seen.mails} mails, {len(fuzz.seen.findings)} findings")


def main() -> int:
    """Play, print, decide."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz_mail")
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--seed", type=int, default=None, help="make the mails of this seed; a new one otherwise")
    parser.add_argument("--mail", type=Path, help="play this one mail, as it is, and nothing else")
    options = parser.parse_args()
    seed = options.seed if options.seed is not None else int(time.time())
    with Reader() as reader:
        if options.mail is not None:
            fuzz = Fuzz(Mutator((options.mail.read_bytes(),), seed, steps=0), reader)
            fuzz.play([0])
        else:
            _say(f"seed {seed}, {options.minutes:g} minutes")
            fuzz = Fuzz(Mutator(seeds(), seed), reader)
            _for_minutes(fuzz, options.minutes)
    for line in (*_counts(fuzz.seen), *(keep(fuzz.seen.findings, seed) if fuzz.seen.findings else ())):
        _say(line)
    found = f"{fuzz.seen.mails} mails, {len(fuzz.seen.findings)} findings, the slowest answer took {fuzz.seen.slowest_s:.1f} s"
    _say(f"fuzz-mail: {found}, seed {seed}")
    return 1 if fuzz.seen.findings else 0


if __name__ == "__main__":
    on_demand.run("make fuzz-mail", main)
