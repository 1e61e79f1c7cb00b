"""Octets that a sender chose, read into values without ever raising on what they say."""
