"""Tests of the suite itself, and the suite's cases as tests."""
