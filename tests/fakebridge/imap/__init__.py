"""IMAP dialogues with a real process."""
