"""Resource limits that a child process sets on itself before it touches foreign octets (POSIX `setrlimit`).

Hard limits are lowered with the soft ones, so the child can't raise them again. macOS ignores the limit on memory; the parent's
deadline and the limit on CPU time still hold there.
"""

from __future__ import annotations

import resource
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ChildLimits:
    """What one child may use from now on: CPU seconds beyond those already used, octets of address space, open files."""

    cpu_s: int = 4
    address_space: int = 512 * 1024 * 1024
    open_files: int = 16


def limit_this_process(limits: ChildLimits) -> tuple[str, ...]:
    """Lower the limits of this very process; returns the names of those in force, in a fixed order.

    File size and core size become 0: nothing can be written, no memory is left on disk. The signal for CPU time ends the process
    at the soft limit, the kernel kills it one second later.
    """
    used = resource.getrusage(resource.RUSAGE_SELF)
    cpu = int(used.ru_utime + used.ru_stime) + limits.cpu_s
    wanted = (
        ("cpu", resource.RLIMIT_CPU, (cpu, cpu + 1)),
        ("memory", resource.RLIMIT_AS, (limits.address_space, limits.address_space)),
        ("file-size", resource.RLIMIT_FSIZE, (0, 0)),
        ("open-files", resource.RLIMIT_NOFILE, (limits.open_files, limits.open_files)),
        ("core", resource.RLIMIT_CORE, (0, 0)),
    )
    held: list[str] = []
    for name, kind, values in wanted:
        try:
            resource.setrlimit(kind, values)
        except (ValueError, OSError):  # a platform that refuses one limit still gets the others, and the answer says which
            continue
        held.append(name)
    return tuple(held)
