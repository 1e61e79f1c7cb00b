"""The protocol layer, without a process."""
