"""What differs between operating systems: limits, locks, signals, opening without following links."""
