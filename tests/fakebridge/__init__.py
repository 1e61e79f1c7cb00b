"""Tests of the simulated Bridge."""
