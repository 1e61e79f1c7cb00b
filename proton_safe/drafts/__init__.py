"""Composing a draft, storing it in Bridge, and reading back what was kept."""
