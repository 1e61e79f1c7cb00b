"""Tests of composing, storing and reading back drafts."""
