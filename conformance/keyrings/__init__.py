"""Keyrings that a server under test can be given instead of this computer's own (variable PYTHON_KEYRING_BACKEND)."""
