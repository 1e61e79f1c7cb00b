"""Ordinary mails whose every value is known: what the real server reads equals what was put in; Python's parser is set beside it."""
