"""A short run of `make fuzz-mail` with a fixed seed, and the fuzzer's own sharpness."""

from __future__ import annotations

from pathlib import Path

from tests.fuzz_mail.__main__ import seeds
from tests.fuzz_mail.mutations import MOST_OCTETS, STEPS, Mutator
from tests.fuzz_mail.run import Finding, Fuzz, keep
from tests.served.reader import Broken, Reader

SEED = 20_261_201
COUNT = 160


def test_no_mutated_mail_breaks_the_server() -> None:
    """Each is in the list, and reading it gives a result or a refusal that says something of the mail."""
    with Reader() as reader:
        fuzz = Fuzz(Mutator(seeds(), SEED), reader)
        fuzz.play(range(COUNT))
    assert fuzz.seen.findings == [], "\n".join(keep(fuzz.seen.findings, SEED))
    assert fuzz.seen.mails == COUNT
    assert fuzz.seen.outcomes["read_message: a result"] > COUNT // 2


def test_the_same_seed_gives_the_same_mails() -> None:
    """So that a number is all that has to be told."""
    some = seeds()[:20]
    first, second, other = Mutator(some, 1), Mutator(some, 1), Mutator(some, 2)
    made = [first.mail(number) for number in range(300)]
    assert made == [second.mail(number) for number in range(300)]
    assert made != [other.mail(number) for number in range(300)]
    assert len(set(made)) > 280
    assert max(map(len, made)) <= MOST_OCTETS
    assert len(STEPS) > 15


def test_a_mail_that_breaks_the_server_is_found_and_kept(tmp_path: Path) -> None:
    """A reader that breaks on one mail of a batch: that mail is the finding."""

    class Breaking(Reader):
        def call(self, tool: str, **arguments: object) -> tuple[str, dict[str, object]]:
            code, said = super().call(tool, **arguments)
            if str(said.get("subject", "")) == "the one":
                raise Broken("as planted")
            return code, said

    good, bad = b"Subject: another\r\n\r\nx\r\n", b"Subject: the one\r\n\r\nx\r\n"
    mutator = Mutator((good, bad), SEED, steps=0)
    numbers = [next(number for number in range(100) if mutator.mail(number) == octets) for octets in (good, bad)]
    with Breaking() as reader:
        fuzz = Fuzz(mutator, reader)
        fuzz.play(numbers)
    assert {one.octets for one in fuzz.seen.findings} == {bad}
    lines = keep([Finding(3, "as planted\x1b", bad)], SEED, tmp_path)
    assert (tmp_path / f"{SEED}-3.eml").read_bytes() == bad
    assert "\x1b" not in lines[0]
