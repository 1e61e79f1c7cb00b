"""fakebridge for tests: `start` a process with a world, `deliver`, `poll`, break it, and read the evidence.

The package needs nothing but the standard library; the process it starts needs the extra (`proton-safe[fakebridge]`).
"""

from fakebridge.testing.bridge import Entry, FakeBridge, Message, NotStarted, Refused, Sent, start
from fakebridge.testing.worlds import USER, World, small_world

__all__ = ["USER", "Entry", "FakeBridge", "Message", "NotStarted", "Refused", "Sent", "World", "small_world", "start"]
