"""Servers that are wrong on purpose: relays before the real server that change one thing, and a launcher that plants a bug.

They are programs of their own, started by tests; nothing imports them.
"""
