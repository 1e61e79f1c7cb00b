"""Tests of attachment staging."""
