"""Composing a draft, storing it in Bridge, and reading back what was kept.

`creation.create_draft` is the entry. The text travels as plain text and as an HTML twin that carries all of it, because Bridge keeps
the HTML only. Nothing in this package can send.
"""
