"""Clients that nobody here wrote, against fakebridge: `python -m tests.interop` gets what is missing, runs them, says what was seen.

A client that cannot be had is a failure: an interoperation that was not tried proves nothing.
"""
