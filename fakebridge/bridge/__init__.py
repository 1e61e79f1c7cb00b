"""What Bridge does between the local store and the account: syncing, moving, storing drafts, sending."""
