"""The bench: what its report says of a run."""
