"""Rules that the repository keeps about itself and that no tool checks: each file holds one kind of them."""
