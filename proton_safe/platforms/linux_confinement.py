"""Taking the kernel away from a child process on Linux: no new rights, no files, no network, no other program.

Three layers, each of which the kernel may lack; what holds is reported, never guessed. They are applied after the last import,
because a confined interpreter can't open a module any more. Numbers come from the kernel's headers (linux/landlock.h,
linux/seccomp.h, linux/filter.h, asm/unistd.h); the list of allowed calls is what reading a PDF in CPython needs.
"""

from __future__ import annotations

import ctypes
import os
import platform
import signal
import struct
from dataclasses import dataclass
from typing import Final

_PR_SET_PDEATHSIG: Final = 1
_PR_SET_SECCOMP: Final = 22
_PR_SET_NO_NEW_PRIVS: Final = 38
_SECCOMP_MODE_FILTER: Final = 2

_LANDLOCK_CREATE: Final = 444
_LANDLOCK_RESTRICT: Final = 446
_LANDLOCK_VERSION_FLAG: Final = 1
# Access rights that each ABI knows: file system rights, network rights (ABI 4), scopes (ABI 6).
_FILE_RIGHTS: Final = {1: 0x1FFF, 2: 0x3FFF, 3: 0x7FFF, 4: 0x7FFF, 5: 0xFFFF}
_NETWORK_RIGHTS: Final = 0x3
_SCOPES: Final = 0x3

_EPERM: Final = 1
_RETURN_ALLOW: Final = 0x7FFF0000
_RETURN_EPERM: Final = 0x00050000 | _EPERM
_RETURN_KILL: Final = 0x80000000
_LOAD_WORD: Final = 0x20
_JUMP_EQUAL: Final = 0x15
_RETURN: Final = 0x06


@dataclass(frozen=True, slots=True)
class _Architecture:
    audit_number: int
    seccomp_call: int
    allowed: tuple[int, ...]


# In the order: read write close fstat newfstatat lseek readv writev fcntl mmap mprotect munmap mremap madvise brk rt_sigaction
# rt_sigprocmask rt_sigreturn futex getrandom clock_gettime gettimeofday nanosleep clock_nanosleep sched_yield getrusage getpid
# gettid exit exit_group.
_ARCHITECTURES: Final = {
    "x86_64": _Architecture(
        0xC000003E,
        317,
        (0, 1, 3, 5, 262, 8, 19, 20, 72, 9, 10, 11, 25, 28, 12, 13, 14, 15, 202, 318, 228, 96, 35, 230, 24, 98, 39, 186, 60, 231),
    ),
    "aarch64": _Architecture(
        0xC00000B7,
        277,
        (
            63,
            64,
            57,
            80,
            79,
            62,
            65,
            66,
            25,
            222,
            226,
            215,
            216,
            233,
            214,
            134,
            135,
            139,
            98,
            278,
            113,
            169,
            101,
            115,
            124,
            165,
            172,
            178,
            93,
            94,
        ),
    ),
}


class _RulesetAttributes(ctypes.Structure):
    _fields_ = (("file", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scopes", ctypes.c_uint64))


class _FilterProgram(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def _kernel() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def die_with_parent(parent: int) -> bool:
    """Have the kernel kill this process when the thread that started it ends; False when the parent is already another one."""
    _kernel().prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    return os.getppid() == parent


def _gain_no_rights(kernel: ctypes.CDLL) -> bool:
    return int(kernel.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) == 0


def _deny_files(kernel: ctypes.CDLL) -> bool:
    """Landlock with an empty rule set: no path can be opened, bound or connected to (kernel 5.13 and newer)."""
    version = int(kernel.syscall(_LANDLOCK_CREATE, None, 0, _LANDLOCK_VERSION_FLAG))
    if version < 1:
        return False
    attributes = _RulesetAttributes(_FILE_RIGHTS[min(version, 5)], _NETWORK_RIGHTS if version >= 4 else 0, _SCOPES if version >= 6 else 0)
    size = 8 if version < 4 else 16 if version < 6 else 24
    ruleset = int(kernel.syscall(_LANDLOCK_CREATE, ctypes.byref(attributes), size, 0))
    if ruleset < 0:
        return False
    try:
        return int(kernel.syscall(_LANDLOCK_RESTRICT, ruleset, 0)) == 0
    finally:
        os.close(ruleset)


def _instruction(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)


def _filter(architecture: _Architecture) -> bytes:
    """A classic BPF program: another architecture is killed, listed calls pass, all others fail with EPERM."""
    program = [
        _instruction(_LOAD_WORD, 4),
        _instruction(_JUMP_EQUAL, architecture.audit_number, 1, 0),
        _instruction(_RETURN, _RETURN_KILL),
        _instruction(_LOAD_WORD, 0),
    ]
    left = len(architecture.allowed)
    for number in architecture.allowed:
        program.append(_instruction(_JUMP_EQUAL, number, left, 0))
        left -= 1
    program += [_instruction(_RETURN, _RETURN_EPERM), _instruction(_RETURN, _RETURN_ALLOW)]
    return b"".join(program)


def _deny_calls(kernel: ctypes.CDLL) -> bool:
    architecture = _ARCHITECTURES.get(platform.machine())
    if architecture is None:
        return False
    instructions = _filter(architecture)
    program = _FilterProgram(len(instructions) // 8, instructions)
    return int(kernel.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0)) == 0


def confine_this_process() -> tuple[str, ...]:
    """Give up rights, files and all system calls but reading, writing and memory; returns the layers that hold."""
    kernel = _kernel()
    steps = (("no-new-rights", _gain_no_rights), ("no-files", _deny_files), ("no-calls", _deny_calls))
    return tuple(name for name, step in steps if step(kernel))
