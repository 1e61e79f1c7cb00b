"""A walk through all thirteen tools on the sample mailbox, with the evidence at the end. No account is needed."""
