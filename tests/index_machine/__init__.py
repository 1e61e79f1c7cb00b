"""The folder index, lists and searches against a naive recomputation, while the account behind the simulated Bridge changes."""
