"""The recorded dialogues, played against a real process."""
