"""Tests of what fakebridge does with octets."""
