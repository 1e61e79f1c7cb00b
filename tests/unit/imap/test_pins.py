"""The pin file: first use, mismatch, damage, several servers."""

from __future__ import annotations

import json
import os
import threading
from typing import TYPE_CHECKING

import pytest

from proton_safe.imap.deadline import Deadline
from proton_safe.imap.pins import PIN_FILE, Pins, key
from proton_safe.platforms.private_files import try_lock
from proton_safe.refusals import Code, Refusal

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from proton_safe.call import Call
    from proton_safe.config import Config
    from tests.unit.imap.conftest import RealClock

ONE = "1" * 64
TWO = "2" * 64


def test_the_first_certificate_is_pinned_and_another_one_refused(tmp_path: Path, call: Call) -> None:
    """product.md 14: trust on first use, never a silent re-pin (imap/certificate-wrong)."""
    state = tmp_path / "new" / "state"
    Pins(state).check("ada@harbour.example@1143", ONE, Deadline(call))
    Pins(state).check("ada@harbour.example@1143", ONE, Deadline(call))
    Pins(state).check("ada@harbour.example@1144", TWO, Deadline(call))
    with pytest.raises(Refusal) as raised:
        Pins(state).check("ada@harbour.example@1143", TWO, Deadline(call))
    assert raised.value.code is Code.CERTIFICATE_CHANGED
    assert json.loads((state / PIN_FILE).read_bytes()) == {"ada@harbour.example@1143": ONE, "ada@harbour.example@1144": TWO}
    assert (state / PIN_FILE).stat().st_mode & 0o777 == 0o600
    assert state.stat().st_mode & 0o777 == 0o700
    assert sorted(each.name for each in state.iterdir()) == ["pins.json", "pins.lock"]


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"a": 1}', b'{"a": "xyz"}', b"[" * 40_000, b" " * 70_000])
def test_a_damaged_file_refuses_until_the_person_accepts(tmp_path: Path, call: Call, content: bytes) -> None:
    """Damage must not make the server trust anew."""
    (tmp_path / PIN_FILE).touch(0o600)  # another mode is refused, whatever the file says
    (tmp_path / PIN_FILE).write_bytes(content)
    pins = Pins(tmp_path)
    with pytest.raises(Refusal) as checked:
        pins.check("k", ONE, Deadline(call))
    with pytest.raises(Refusal) as asked:
        pins.known("k")
    assert checked.value.code is asked.value.code is Code.CERTIFICATE_CHANGED
    pins.accept("k", TWO, Deadline(call))
    assert pins.known("k") == TWO


def test_a_link_in_the_place_of_the_file_is_not_followed(tmp_path: Path, call: Call) -> None:
    """The file is the state folder's own."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.touch(0o600)
    elsewhere.write_text(json.dumps({"k": ONE}), encoding="utf-8")
    (tmp_path / PIN_FILE).symlink_to(elsewhere)
    with pytest.raises(Refusal) as raised:
        Pins(tmp_path).check("k", ONE, Deadline(call))
    assert raised.value.code is Code.CERTIFICATE_CHANGED


def test_a_file_that_others_may_change_or_that_is_none_is_not_believed(tmp_path: Path, call: Call) -> None:
    """Attack catalogue, stage/hardlink-fifo-device and stage/permissions: a pipe must not be waited for, a loose file not trusted."""
    pins = Pins(tmp_path)
    pins.check("k", ONE, Deadline(call))
    (tmp_path / PIN_FILE).chmod(0o622)
    with pytest.raises(Refusal) as loose:
        pins.check("k", ONE, Deadline(call))
    (tmp_path / PIN_FILE).unlink()
    os.mkfifo(tmp_path / PIN_FILE, 0o600)
    with pytest.raises(Refusal) as pipe:
        pins.check("k", ONE, Deadline(call))
    (tmp_path / PIN_FILE).unlink()
    (tmp_path / PIN_FILE).mkdir(0o700)
    with pytest.raises(Refusal) as folder:
        pins.check("k", ONE, Deadline(call))
    assert {raised.value.code for raised in (loose, pipe, folder)} == {Code.CERTIFICATE_CHANGED}


def test_a_folder_that_others_may_change_holds_no_pins(tmp_path: Path, call: Call) -> None:
    """As above: whoever can write there can pin any certificate."""
    state = tmp_path / "state"
    Pins(state).check("k", ONE, Deadline(call))
    state.chmod(0o777)
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "elsewhere")
    (tmp_path / "elsewhere").mkdir(0o700)
    for pins in (Pins(state), Pins(link)):
        with pytest.raises(Refusal) as raised:
            pins.check("k", ONE, Deadline(call))
        assert raised.value.code is Code.STATE_FOLDER_UNUSABLE


def test_accepting_replaces_one_pin_and_keeps_the_others(tmp_path: Path, call: Call) -> None:
    """For `trust`, after the person's yes."""
    pins = Pins(tmp_path)
    pins.check("a", ONE, Deadline(call))
    pins.check("b", ONE, Deadline(call))
    pins.accept("a", TWO, Deadline(call))
    assert (pins.known("a"), pins.known("b"), pins.known("c")) == (TWO, ONE, None)


def test_servers_that_start_together_agree_on_one_pin(tmp_path: Path, call: Call) -> None:
    """product.md 14: any number of servers share a state folder; the file is replaced under a lock."""
    outcomes: list[str] = []

    def start(number: int) -> None:
        try:
            Pins(tmp_path).check("k", f"{number:064x}", Deadline(call))
            Pins(tmp_path).check(f"own {number}", ONE, Deadline(call))
            outcomes.append("pinned")
        except Refusal as refusal:
            outcomes.append(refusal.code.value)

    starters = [threading.Thread(target=start, args=(number,)) for number in range(8)]
    for starter in starters:
        starter.start()
    for starter in starters:
        starter.join(30)
    assert sorted(outcomes) == ["certificate-changed"] * 7 + ["pinned"]
    assert len(json.loads((tmp_path / PIN_FILE).read_bytes())) == 2


def test_a_lock_that_somebody_keeps_ends_at_the_deadline(tmp_path: Path, call: Call, clock: RealClock) -> None:
    """Nothing waits without an end."""
    descriptor = os.open(tmp_path / "pins.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        assert try_lock(descriptor)
        with pytest.raises(Refusal) as raised:
            Pins(tmp_path).check("k", ONE, Deadline.within(call, clock, 0.05))
    finally:
        os.close(descriptor)
    assert raised.value.code is Code.DEADLINE
    assert not (tmp_path / PIN_FILE).exists()


def test_a_pin_belongs_to_account_and_port(account: Callable[..., Config]) -> None:
    """Letter case of the address is no other account."""
    assert key(account(1143)) == "ada@harbour.example@1143"
