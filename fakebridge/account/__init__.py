"""The mail account behind Bridge: addresses, labels, messages and the log of what happened to them."""
