"""Exclusive advisory locks on files (flock): Linux and macOS."""

from __future__ import annotations

import fcntl


def try_lock(descriptor: int) -> bool:
    """Take the exclusive lock of an open file without waiting; whether that worked. It ends with the descriptor."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
