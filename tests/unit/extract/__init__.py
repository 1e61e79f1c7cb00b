"""Tests of text extraction."""
