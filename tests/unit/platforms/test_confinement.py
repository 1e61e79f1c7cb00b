"""What a confined process can still do: read and write its pipes, and nothing else."""

from __future__ import annotations

import json
import os
import platform
import resource
import subprocess
import sys
import time
from typing import Any, Final

import pytest

from proton_safe.platforms import child_limits, confinement, linux_confinement

_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has these layers")

# Tried inside a confined process; each line must fail without harm.
_FORBIDDEN: Final = {
    "open a file": "open('/etc/hostname')",
    "read its own memory map": "open('/proc/self/maps')",
    "look at its parent": "open('/proc/%d/environ' % parent)",
    "write a file": "open('/tmp/confined-canary', 'w')",
    "list a folder": "os.listdir('/')",
    "a TCP socket": "socket.socket()",
    "a UDP socket": "socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
    "a Unix socket": "socket.socket(socket.AF_UNIX)",
    "a netlink socket": "socket.socket(16, socket.SOCK_RAW)",
    "fork": "os.fork()",
    "another program": "os.execv('/bin/true', ['true'])",
    "a spawned program": "os.posix_spawn('/bin/true', ['true'], {})",
    "a signal to the parent": "os.kill(parent, 0)",
    "a new thread": "threading.Thread(target=print).start()",
    "a higher limit": "resource.setrlimit(resource.RLIMIT_AS, (2**40, 2**40))",
    "a temporary file": "tempfile.mkstemp()",
    "a lot of memory": "bytearray(600 * 1024 * 1024)",
}
_PROBE: Final = """
import json, os, resource, socket, sys, tempfile, threading
from proton_safe.platforms.confinement import confine
parent = os.getppid()
acts = json.loads(sys.stdin.readline())
layers = confine()
done = {}
for name, act in acts.items():
    try:
        eval(act)
        done[name] = "done"
    except (OSError, MemoryError, RuntimeError, ValueError) as error:
        done[name] = type(error).__name__
sys.stdout.write(json.dumps({"layers": layers, "done": done}))
sys.stdout.flush()
os._exit(0)
"""


@_LINUX
def test_a_confined_process_can_do_none_of_the_forbidden_acts() -> None:
    """Attack catalogue, box/fork-exec, box/network, box/inherited-secrets, box/temp-files, box/signals."""
    run = subprocess.run(
        [sys.executable, "-c", _PROBE], input=json.dumps(_FORBIDDEN) + "\n", capture_output=True, text=True, check=True, timeout=60
    )
    found = json.loads(run.stdout)
    assert found["layers"] == ["cpu", "memory", "file-size", "open-files", "core", "no-new-rights", "no-files", "no-calls"]
    assert {name: outcome for name, outcome in found["done"].items() if outcome == "done"} == {}
    assert set(found["done"]) == set(_FORBIDDEN)


class _Kernel:
    """Notes the calls; says that Landlock has the version it was made with."""

    def __init__(self, landlock: int) -> None:
        self.landlock = landlock
        self.calls: list[tuple[Any, ...]] = []

    def prctl(self, *arguments: object) -> int:
        self.calls.append(("prctl", arguments[0]))
        return 0

    def syscall(self, number: int, first: object, *rest: object) -> int:
        self.calls.append((number, first if isinstance(first, int) else None, *rest))
        if first is None:
            return self.landlock
        return os.open(os.devnull, os.O_RDONLY) if number == 444 else 0


@pytest.mark.parametrize("landlock, size", [(1, 8), (3, 8), (4, 16), (5, 16), (6, 24), (7, 24)])
def test_each_landlock_version_gets_the_attributes_that_it_knows(monkeypatch: pytest.MonkeyPatch, landlock: int, size: int) -> None:
    """linux/landlock.h: a kernel refuses attributes beyond its version."""
    kernel = _Kernel(landlock)
    monkeypatch.setattr(linux_confinement, "_kernel", lambda: kernel)
    assert linux_confinement.confine_this_process() == (("no-new-rights", "no-files", "no-calls"))
    assert [call[2] for call in kernel.calls if call[0] == 444][1] == size


def test_a_layer_that_the_kernel_lacks_is_not_claimed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Attack catalogue, box/limits-missing: what holds is reported, never guessed."""
    monkeypatch.setattr(linux_confinement, "_kernel", lambda: _Kernel(-1))
    monkeypatch.setattr(platform, "machine", lambda: "pdp11")
    assert linux_confinement.confine_this_process() == ("no-new-rights",)


def test_a_rule_set_that_cannot_be_made_is_no_layer(monkeypatch: pytest.MonkeyPatch) -> None:
    """As above: the second call to the kernel can fail too."""
    kernel = _Kernel(7)
    monkeypatch.setattr(kernel, "syscall", lambda _number, first, *_: 7 if first is None else -1)
    monkeypatch.setattr(linux_confinement, "_kernel", lambda: kernel)
    assert linux_confinement.confine_this_process() == ("no-new-rights", "no-calls")


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_the_filter_names_thirty_calls_and_ends_in_a_refusal(machine: str) -> None:
    """linux/filter.h: eight octets an instruction; architecture, number, thirty comparisons, EPERM, pass."""
    architecture = linux_confinement._ARCHITECTURES[machine]
    assert len(set(architecture.allowed)) == 30
    assert len(linux_confinement._filter(architecture)) == 8 * (4 + 30 + 2)


def test_limits_are_lowered_hard_and_what_a_platform_refuses_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Attack catalogue, box/signals: hard limits are lowered, not only soft ones."""
    lowered: dict[int, tuple[int, int]] = {}

    def setrlimit(kind: int, values: tuple[int, int]) -> None:
        if kind == resource.RLIMIT_AS:
            raise ValueError
        lowered[kind] = values

    monkeypatch.setattr(resource, "setrlimit", setrlimit)
    held = child_limits.limit_this_process(child_limits.ChildLimits(cpu_s=4, open_files=16))
    assert held == ("cpu", "file-size", "open-files", "core")
    soft, hard = lowered[resource.RLIMIT_CPU]
    assert (hard - soft, lowered[resource.RLIMIT_FSIZE], lowered[resource.RLIMIT_CORE]) == (1, (0, 0), (0, 0))
    assert soft >= 4 + int(time.process_time())


@pytest.mark.parametrize("on_linux", [True, False])
def test_a_child_of_another_parent_is_told_so(monkeypatch: pytest.MonkeyPatch, on_linux: bool) -> None:
    """Attack catalogue, box/parent-dies: a parent that died before the child was tied to it is noticed."""
    monkeypatch.setattr(confinement, "_LINUX", on_linux)
    monkeypatch.setattr(linux_confinement, "_kernel", lambda: _Kernel(7))
    assert confinement.follow_parent(os.getppid())
    assert not confinement.follow_parent(os.getppid() + 1)


@pytest.mark.parametrize("on_linux, layers", [(True, ("limits", "kernel")), (False, ("limits",))])
def test_only_linux_has_the_layers_of_the_kernel(monkeypatch: pytest.MonkeyPatch, on_linux: bool, layers: tuple[str, ...]) -> None:
    """Security anchors 2.2: other platforms have limits only, and report just those."""
    monkeypatch.setattr(confinement, "_LINUX", on_linux)
    monkeypatch.setattr(confinement, "limit_this_process", lambda _: ("limits",))
    monkeypatch.setattr(linux_confinement, "confine_this_process", lambda: ("kernel",))
    assert confinement.confine() == layers
